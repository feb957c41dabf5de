package io.github.jettyfastcgi.protocol;

/**
 * How the protocol level of a request ended (FastCGI specification 1.0, section 5.5).
 */
public enum ProtocolStatus {
    /** The normal end of a request. */
    REQUEST_COMPLETE(0),
    /** Refused: the application serves one request at a time on a connection. */
    CANT_MPX_CONN(1),
    /** Refused: the application is out of some resource. */
    OVERLOADED(2),
    /** Refused: the application doesn't know the role, or doesn't serve it. */
    UNKNOWN_ROLE(3);

    private final int code;

    ProtocolStatus(int code) {
        this.code = code;
    }

    /** {@return the value on the wire} */
    public int code() {
        return code;
    }
}

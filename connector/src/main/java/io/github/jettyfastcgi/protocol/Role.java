package io.github.jettyfastcgi.protocol;

/**
 * What a web server asks the application to be for a request (FastCGI specification 1.0, section 6).
 */
public enum Role {
    /** Answers a request, as a CGI program does. */
    RESPONDER(1),
    /** Decides whether a request is allowed. */
    AUTHORIZER(2),
    /** Answers a request whose file the web server sends along as DATA. */
    FILTER(3);

    private static final Role[] BY_CODE = {null, RESPONDER, AUTHORIZER, FILTER};

    private final int code;

    Role(int code) {
        this.code = code;
    }

    /** {@return the value on the wire} */
    public int code() {
        return code;
    }

    /**
     * Finds the role with a given wire value.
     *
     * @param code a value of 0 to 65535
     * @return the role, or {@code null} when the specification defines none
     */
    public static Role of(int code) {
        return code < BY_CODE.length ? BY_CODE[code] : null;
    }
}

package io.github.jettyfastcgi.protocol;

import java.io.IOException;

/**
 * Bytes of the peer that are not FastCGI: nothing after them can be understood, so the connection is closed. It has no
 * stack trace, since the peer causes it, not the code.
 */
public class FastCGIException extends IOException {
    private static final long serialVersionUID = 1L;

    /** What was wrong; each is counted on its own. */
    public enum Reason {
        /** The first byte of a record isn't 1: another version, or no FastCGI at all. */
        UNSUPPORTED_VERSION,
        /** A BEGIN_REQUEST with other than eight bytes, or with the id of the active request. */
        BAD_BEGIN_REQUEST,
        /** A record that may not come at this point. */
        UNEXPECTED_RECORD,
        /** A GET_VALUES record that isn't a list of names. */
        BAD_GET_VALUES
    }

    private final Reason reason;

    public FastCGIException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}

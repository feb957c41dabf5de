package io.github.jettyfastcgi.fcgispec;

/** The application lacks what a case builds on; the message is the reason. */
final class Skipped extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Skipped(String reason) {
        super(reason);
    }
}

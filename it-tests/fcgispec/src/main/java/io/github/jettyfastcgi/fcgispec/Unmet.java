package io.github.jettyfastcgi.fcgispec;

/** Something else was observed than expected; the message tells what. */
final class Unmet extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unmet(String observed) {
        super(observed);
    }

    /** Fails with what was observed unless the condition holds. */
    static void unless(boolean condition, String observed) {
        if (!condition) throw new Unmet(observed);
    }
}

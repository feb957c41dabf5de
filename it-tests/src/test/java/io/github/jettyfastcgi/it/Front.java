package io.github.jettyfastcgi.it;

/** The ways nginx speaks FastCGI in the tests: each is a server of its own in {@code matrix-nginx.conf}. */
enum Front {
    UNIX_KEPT,
    UNIX_UNKEPT,
    TCP_KEPT,
    TCP_UNKEPT,
    UNIX_KEPT_UNBUFFERED,
    UNIX_UNKEPT_UNBUFFERED,
    TCP_KEPT_UNBUFFERED,
    TCP_UNKEPT_UNBUFFERED;

    /** Whether nginx uses a connection to Jetty for many requests. */
    boolean keepsConnections() {
        return !name().contains("UNKEPT");
    }

    /** Whether nginx passes each piece of a request or response on as it comes. */
    boolean streams() {
        return name().endsWith("UNBUFFERED");
    }
}

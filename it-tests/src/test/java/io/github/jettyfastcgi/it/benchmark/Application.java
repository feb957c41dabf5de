package io.github.jettyfastcgi.it.benchmark;

import java.util.Locale;

/** What Jetty runs. */
enum Application {
    /** A servlet in a {@code ServletContextHandler}. */
    SERVLET("servlet"),
    /** A core handler. */
    CORE("core handler"),
    /** The servlet as a web application of Jetty's distribution. */
    WAR("WAR in the distribution");

    private final String label;

    Application(String label) {
        this.label = label;
    }

    String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    String label() {
        return label;
    }
}

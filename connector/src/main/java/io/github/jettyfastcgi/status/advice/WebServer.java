package io.github.jettyfastcgi.status.advice;

import java.util.Locale;

/** The web servers whose directives are known. */
public enum WebServer {
    NGINX("nginx"),
    APACHE("Apache httpd"),
    LIGHTTPD("lighttpd"),
    HAPROXY("HAProxy"),
    CADDY("Caddy"),
    H2O("h2o"),
    /** Another one, or none that tells its name. */
    OTHER("the web server");

    private final String title;

    WebServer(String title) {
        this.title = title;
    }

    /** {@return the one that a SERVER_SOFTWARE names, such as {@code nginx/1.22.1}; it may be {@code null}} */
    public static WebServer of(String software) {
        if (software == null) return OTHER;
        String name = software.toUpperCase(Locale.ROOT);
        for (WebServer each : values()) if (name.startsWith(each.name())) return each;
        return OTHER;
    }

    @Override
    public String toString() {
        return title;
    }
}

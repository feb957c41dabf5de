package io.github.jettyfastcgi.it.benchmark;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** A way to an application: a row of the tables. */
enum Row {
    HTTP_DIRECT("Jetty HTTP, no web server", Front.NONE, Backend.JETTY, "http-tcp", true),
    STATIC_FILE("nginx, static file", Front.NGINX, Backend.NONE, "", true),
    PROXY_TCP("proxy_pass to Jetty HTTP, TCP, kept", Front.NGINX, Backend.JETTY, "http-tcp", true),
    PROXY_UNIX("proxy_pass to Jetty HTTP, Unix, kept", Front.NGINX, Backend.JETTY, "http-unix", true),
    PROXY_TCP_UNKEPT("proxy_pass to Jetty HTTP, TCP, not kept", Front.NGINX, Backend.JETTY, "http-tcp", false),
    PROXY_UNIX_UNKEPT("proxy_pass to Jetty HTTP, Unix, not kept", Front.NGINX, Backend.JETTY, "http-unix", false),
    JETTY_FCGI_TCP("fastcgi_pass to jetty-fcgi-server, TCP, kept", Front.NGINX, Backend.JETTY, "jetty-fcgi-tcp", true),
    JETTY_FCGI_UNIX(
            "fastcgi_pass to jetty-fcgi-server, Unix, kept", Front.NGINX, Backend.JETTY, "jetty-fcgi-unix", true),
    FASTCGI_TCP("fastcgi_pass to this connector, TCP, kept", Front.NGINX, Backend.JETTY, "fastcgi-tcp", true),
    FASTCGI_UNIX("fastcgi_pass to this connector, Unix, kept", Front.NGINX, Backend.JETTY, "fastcgi-unix", true),
    FASTCGI_TCP_UNKEPT(
            "fastcgi_pass to this connector, TCP, not kept", Front.NGINX, Backend.JETTY, "fastcgi-tcp", false),
    FASTCGI_UNIX_UNKEPT(
            "fastcgi_pass to this connector, Unix, not kept", Front.NGINX, Backend.JETTY, "fastcgi-unix", false),
    RESPONDER("fastcgi_pass to a bare epoll program in C, Unix, kept", Front.NGINX, Backend.RESPONDER, "unix", true),
    PHP("fastcgi_pass to php-fpm, Unix, not kept", Front.NGINX, Backend.PHP, "unix", false),
    TOMCAT_HTTP("proxy_pass to Tomcat HTTP, TCP, kept", Front.NGINX, Backend.TOMCAT, "http-tcp", true),
    APACHE_AJP("mod_proxy_ajp to Tomcat AJP, TCP, kept", Front.APACHE, Backend.TOMCAT, "ajp-tcp", true),
    APACHE_FASTCGI("mod_proxy_fcgi to this connector, Unix, kept", Front.APACHE, Backend.JETTY, "fastcgi-unix", true);

    /** The web server. */
    enum Front {
        NONE,
        NGINX,
        APACHE
    }

    /** What answers, behind it or alone. */
    enum Backend {
        NONE,
        JETTY,
        TOMCAT,
        PHP,
        RESPONDER
    }

    /** What the connector is compared with; the other rows put these into perspective. */
    static final Set<Row> COMPARED =
            EnumSet.of(HTTP_DIRECT, PROXY_TCP, PROXY_UNIX, JETTY_FCGI_UNIX, FASTCGI_TCP, FASTCGI_UNIX, RESPONDER);

    private final String label;
    private final Front front;
    private final Backend backend;
    private final String connector;
    private final boolean kept;

    Row(String label, Front front, Backend backend, String connector, boolean kept) {
        this.label = label;
        this.front = front;
        this.backend = backend;
        this.connector = connector;
        this.kept = kept;
    }

    String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    String label() {
        return label;
    }

    Front front() {
        return front;
    }

    Backend backend() {
        return backend;
    }

    /** Whether the web server keeps its connections to the application. */
    boolean isKept() {
        return kept;
    }

    boolean isFastCGI() {
        return !connector.startsWith("http") && backend != Backend.TOMCAT && backend != Backend.NONE;
    }

    /** The name under which {@link Servers} knows the address of the application; empty for none. */
    String upstream(Application application) {
        return switch (backend) {
            case NONE -> "";
            case JETTY -> application.id() + "-" + connector;
            case TOMCAT, PHP, RESPONDER -> name(backend) + "-" + connector;
        };
    }

    private static String name(Backend backend) {
        return backend.name().toLowerCase(Locale.ROOT);
    }

    boolean serves(Workload workload) {
        return switch (this) {
            case STATIC_FILE, PHP -> workload == Workload.HELLO || workload == Workload.BROWSER;
            case RESPONDER -> workload != Workload.JSON && workload != Workload.ECHO;
            default -> true;
        };
    }
}

package io.github.jettyfastcgi.status.advice;

import java.util.Map;

/** A Unix-domain socket takes less of the processor than TCP within a machine, and has an owner and a mode. */
final class LocalTCP implements Rule {
    private static final int MIN_SEEN = 20;
    private static final int MIN_PERCENT = 50;

    @Override
    public Advice check(Observations seen) {
        if (seen.get(Figure.SEEN_LOCAL_TCP) < MIN_SEEN
                || seen.percent(Figure.SEEN_LOCAL_TCP, Figure.SEEN_REQUESTS) < MIN_PERCENT) return null;
        return Advice.of(
                seen,
                Severity.HINT,
                "The web server is on this machine, and connects over TCP.",
                seen.get(Figure.SEEN_LOCAL_TCP) + " of " + seen.get(Figure.SEEN_REQUESTS)
                        + " requests looked at came over TCP from this machine. A Unix-domain socket (Jetty's module"
                        + " fastcgi-unix) takes less of the processor, and lets nobody else in.",
                directives(seen.socket()));
    }

    private static Map<WebServer, Advice.Directive> directives(String socket) {
        return Map.of(
                WebServer.NGINX, new Advice.Directive("the upstream block", "server unix:" + socket + ";"),
                WebServer.APACHE,
                        new Advice.Directive(
                                "the virtual host, with the parameters that it has",
                                "ProxyPass \"/\" \"unix:" + socket + "|fcgi://jetty/\""),
                WebServer.LIGHTTPD, new Advice.Directive("fastcgi.server", "\"socket\" => \"" + socket + "\","),
                WebServer.HAPROXY,
                        new Advice.Directive("the backend section", "server jetty " + socket + " proto fcgi"),
                WebServer.CADDY, new Advice.Directive("the site", "reverse_proxy unix/" + socket),
                WebServer.H2O,
                        new Advice.Directive("the path", "fastcgi.connect: { port: " + socket + ", type: unix }"));
    }
}

package io.github.jettyfastcgi.status.advice;

import java.util.Map;

/** The web server gives up on many requests, since its time for them is over or since their clients go. */
final class AbortedRequests implements Rule {
    private static final int MIN_ABORTED = 20;
    private static final int MIN_PERCENT = 5;
    private static final long MIN_SECONDS = 60;
    private static final double MILLIS = 1000;

    @Override
    public Advice check(Observations seen) {
        long aborted = seen.get(Figure.ABORTED_REQUESTS);
        long percent = seen.percent(Figure.ABORTED_REQUESTS, Figure.REQUESTS);
        if (aborted < MIN_ABORTED || percent < MIN_PERCENT) return null;
        long seconds = Math.max(MIN_SECONDS, 2 * (long) Math.ceil(seen.get(Figure.P99_MILLIS) / MILLIS));
        return Advice.of(
                seen,
                Severity.WARNING,
                "Many requests are given up before they are answered.",
                aborted + " requests, " + percent + " %, were aborted. Of all requests 1 % take longer than "
                        + seen.get(Figure.P99_MILLIS)
                        + " ms. Let the web server wait longer than they take, or make them faster"
                        + " (jetty.fastcgi.slowlog.threshold tells where they are).",
                directives(seconds));
    }

    private static Map<WebServer, Advice.Directive> directives(long seconds) {
        return Map.of(
                WebServer.NGINX,
                        new Advice.Directive(
                                "the location with fastcgi_pass", "fastcgi_read_timeout " + seconds + "s;"),
                WebServer.APACHE,
                        new Advice.Directive(
                                "the virtual host", "# behind the other parameters of ProxyPass:\ntimeout=" + seconds),
                WebServer.LIGHTTPD, new Advice.Directive("fastcgi.server", "\"read-timeout\" => " + seconds + ","),
                WebServer.HAPROXY, new Advice.Directive("the backend section", "timeout server " + seconds + "s"),
                WebServer.CADDY, new Advice.Directive("transport fastcgi", "read_timeout " + seconds + "s"),
                WebServer.H2O, new Advice.Directive("the global level", "fastcgi.timeout.io: " + seconds * 1000));
    }
}

package io.github.jettyfastcgi.status.advice;

import java.util.Map;

/**
 * The web server could keep connections, but opens one for almost each request: it says so with the request, or closes each
 * as soon as its request is answered. lighttpd, Caddy and h2o know no kept ones.
 */
final class UnkeptConnections implements Rule {
    private static final int MIN_REQUESTS = 100;
    private static final int MIN_PERCENT = 50;
    private static final long MIN_POOL = 16;

    @Override
    public Advice check(Observations seen) {
        long unkept = seen.get(Figure.UNKEPT_REQUESTS) + seen.closedAtOnce();
        long requests = seen.get(Figure.REQUESTS);
        if (requests < MIN_REQUESTS || 100 * unkept < MIN_PERCENT * requests) return null;
        long pool = poolFor(seen);
        return Advice.of(
                seen,
                Severity.WARNING,
                "The web server opens a connection for almost each request.",
                Math.min(unkept, requests) + " of " + requests + " requests had a connection of their own.",
                Map.of(
                        WebServer.NGINX,
                                new Advice.Directive(
                                        "the upstream block, and in the location with fastcgi_pass",
                                        "keepalive " + pool + ";\n\nfastcgi_keep_conn on;"),
                        WebServer.APACHE,
                                new Advice.Directive(
                                        "the virtual host",
                                        "# behind the other parameters of ProxyPass:\nenablereuse=on ttl=60"),
                        WebServer.HAPROXY,
                                new Advice.Directive(
                                        "the fcgi-app section, and in the backend section",
                                        "option keep-conn\n\nhttp-reuse always")));
    }

    /** {@return how many connections a pool has to keep for the requests that were seen at a time} */
    static long poolFor(Observations seen) {
        long peak = seen.get(Figure.PEAK_RUNNING_REQUESTS);
        return Math.max(MIN_POOL, 2 * Long.highestOneBit(Math.max(1, peak)));
    }
}

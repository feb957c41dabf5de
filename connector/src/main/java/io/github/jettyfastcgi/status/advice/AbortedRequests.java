package io.github.jettyfastcgi.status.advice;

import java.util.Map;

/**
 * Requests are given up before their response begins. If that happens at about the same age to most of them, the web
 * server's time for them is over; else their clients go, and what helps is to know where the time goes. Clients that leave
 * a response that has begun, such as one of events, are no matter.
 */
final class AbortedRequests implements Rule {
    private static final int MIN_PERCENT = 5;
    private static final int MIN_TIMEOUTS = 5;
    private static final int MIN_GONE = 20;

    /** How far the ages at which a web server's time is over differ, since that is noticed within a second. */
    private static final double MAX_SPREAD = 1.5;

    private static final long MIN_SECONDS = 60;
    private static final long MIN_MILLIS = 1000;
    private static final double MILLIS = 1000;

    @Override
    public Advice check(Observations seen) {
        long aborted = seen.get(Figure.UNANSWERED_ABORTS);
        long percent = seen.percent(Figure.UNANSWERED_ABORTS, Figure.REQUESTS);
        if (aborted < MIN_TIMEOUTS || percent < MIN_PERCENT) return null;
        long youngest = seen.get(Figure.ABORT_P10_MILLIS);
        long oldest = seen.get(Figure.ABORT_P90_MILLIS);
        String figure =
                aborted + " requests, " + percent + " %, were given up before their response began, most of them "
                        + youngest + " to " + oldest + " ms old.";
        if (oldest <= MAX_SPREAD * youngest) return timeouts(seen, figure, oldest);
        return aborted < MIN_GONE || seen.get(Figure.SLOW_LOG_MILLIS) > 0 ? null : gone(figure, youngest);
    }

    private static Advice timeouts(Observations seen, String figure, long millis) {
        long seconds = Math.max(MIN_SECONDS, 2 * (long) Math.ceil(millis / MILLIS));
        return Advice.of(
                seen,
                Severity.WARNING,
                "The web server does not wait until requests are answered.",
                figure
                        + " Let it wait longer, or make them faster (jetty.fastcgi.slowlog.threshold tells where they are).",
                directives(seconds));
    }

    private static Advice gone(String figure, long millis) {
        return new Advice(
                Severity.HINT,
                "Many clients go before their requests are answered.",
                figure + " The slow log tells what took the time.",
                Advice.IN_JETTY,
                "jetty.fastcgi.slowlog.threshold=" + Math.max(MIN_MILLIS, millis));
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

package io.github.jettyfastcgi.status.advice;

import java.util.Map;

/**
 * Connections end here before the web server lets go of them, so that a request can meet one that is just being closed. Of
 * the web servers that keep connections nginx alone looks at the time by itself, Apache when it needs one.
 */
final class ShortIdleTimeout implements Rule {
    private static final int MIN_TIMEOUTS = 3;
    private static final int MIN_PERCENT = 10;
    private static final int MILLIS = 1000;

    /** nginx's own default, and the example's. */
    private static final long POOL_SECONDS = 60;

    private static final long DEFAULT_MILLIS = 90_000;

    @Override
    public Advice check(Observations seen) {
        long timeouts = seen.get(Figure.IDLE_TIMEOUTS);
        if (timeouts < MIN_TIMEOUTS || seen.percent(Figure.IDLE_TIMEOUTS, Figure.CLOSED_CONNECTIONS) < MIN_PERCENT)
            return null;
        if (seen.webServer() != WebServer.NGINX) return null;
        long seconds = seen.get(Figure.IDLE_TIMEOUT_MILLIS) / MILLIS;
        String title =
                "Jetty closes idle connections before the web server does: a request can meet one that is being closed.";
        String figure = timeouts + " of " + seen.get(Figure.CLOSED_CONNECTIONS) + " connections ended after "
                + seen.get(Figure.IDLE_TIMEOUT_MILLIS) + " ms without a request.";
        if (seconds <= POOL_SECONDS)
            return new Advice(
                    Severity.WARNING, title, figure, Advice.IN_JETTY, "jetty.fastcgi.idleTimeout=" + DEFAULT_MILLIS);
        Advice.Directive directive =
                new Advice.Directive("the upstream block", "keepalive_timeout " + POOL_SECONDS + "s;");
        return Advice.of(seen, Severity.WARNING, title, figure, Map.of(WebServer.NGINX, directive));
    }
}

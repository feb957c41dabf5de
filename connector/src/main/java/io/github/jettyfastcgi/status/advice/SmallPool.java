package io.github.jettyfastcgi.status.advice;

import java.util.Map;

/**
 * The web server keeps some connections, but fewer than it needs at a time, and closes the others when they are answered.
 * nginx also closes each after a thousand requests, which is no matter.
 */
final class SmallPool implements Rule {
    private static final int MIN_CLOSED = 50;
    private static final int MAX_REQUESTS_PER_CLOSED = 100;

    @Override
    public Advice check(Observations seen) {
        long closed = seen.closedAtOnce();
        long requests = seen.get(Figure.REQUESTS);
        boolean isUnkept = 2 * (closed + seen.get(Figure.UNKEPT_REQUESTS)) >= requests; // another rule's
        if (closed < MIN_CLOSED || isUnkept || requests > MAX_REQUESTS_PER_CLOSED * closed) return null;
        return Advice.of(
                seen,
                Severity.HINT,
                "The web server keeps fewer connections than it needs at a time.",
                closed + " kept connections were closed as soon as a request was answered, one for " + requests / closed
                        + " requests; up to " + seen.get(Figure.PEAK_RUNNING_REQUESTS)
                        + " requests were seen at a time.",
                Map.of(
                        WebServer.NGINX,
                                new Advice.Directive(
                                        "the upstream block", "keepalive " + 2 * UnkeptConnections.poolFor(seen) + ";"),
                        WebServer.HAPROXY, new Advice.Directive("the backend section", "http-reuse always")));
    }
}

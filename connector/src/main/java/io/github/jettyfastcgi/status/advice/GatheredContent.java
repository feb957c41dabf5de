package io.github.jettyfastcgi.status.advice;

import java.util.Map;

/**
 * The application answers while the content of a request comes in, but the web server passes that on only when it has it
 * all. What it has gathered it sends in larger records than what it passes on at once.
 */
final class GatheredContent implements Rule {
    private static final int MIN_GATHERED = 5;
    private static final int MIN_PERCENT = 50;

    private static final Map<WebServer, Advice.Directive> DIRECTIVES = Map.of(
            WebServer.NGINX, new Advice.Directive("the location with fastcgi_pass", "fastcgi_request_buffering off;"),
            WebServer.LIGHTTPD, new Advice.Directive("the global level", "server.stream-request-body = 2"));

    @Override
    public Advice check(Observations seen) {
        long gathered = seen.get(Figure.GATHERED_REQUESTS);
        if (gathered < MIN_GATHERED || seen.percent(Figure.GATHERED_REQUESTS, Figure.STREAMED_REQUESTS) < MIN_PERCENT)
            return null;
        return Advice.of(
                seen,
                Severity.HINT,
                "The application handles content as it comes in, but the web server gathers it first.",
                gathered + " of " + seen.get(Figure.STREAMED_REQUESTS)
                        + " requests that were answered before the end of their content had been gathered.",
                DIRECTIVES);
    }
}

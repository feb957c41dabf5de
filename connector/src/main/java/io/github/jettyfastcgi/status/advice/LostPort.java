package io.github.jettyfastcgi.status.advice;

import java.util.Map;

/**
 * HTTP_HOST lacks the port that clients have in their URLs, as with Debian's fastcgi_params for nginx: redirects lead to
 * another port. What proves it is an Origin or Referer of the same host with a port.
 */
final class LostPort implements Rule {
    private static final int MIN_SEEN = 5;

    private static final Map<WebServer, Advice.Directive> DIRECTIVES = Map.of(
            WebServer.NGINX,
            new Advice.Directive("the location with fastcgi_pass", "fastcgi_param HTTP_HOST $http_host;"));

    @Override
    public Advice check(Observations seen) {
        long lost = seen.get(Figure.SEEN_WITHOUT_PORT);
        if (lost < MIN_SEEN) return null;
        return Advice.of(
                seen,
                Severity.WARNING,
                "The web server does not tell the port that clients have in their URLs.",
                lost + " of " + seen.get(Figure.SEEN_REQUESTS)
                        + " requests looked at came from a page with a port in its URL, and have none in HTTP_HOST.",
                DIRECTIVES);
    }
}

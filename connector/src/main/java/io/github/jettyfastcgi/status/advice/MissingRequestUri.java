package io.github.jettyfastcgi.status.advice;

import java.util.Map;

/** nginx tells REQUEST_URI only if it is told to, the others always. Without it the URI is made of a decoded path. */
final class MissingRequestUri implements Rule {
    private static final int MIN_SEEN = 5;

    private static final Map<WebServer, Advice.Directive> DIRECTIVES = Map.of(
            WebServer.NGINX,
            new Advice.Directive("the location with fastcgi_pass", "fastcgi_param REQUEST_URI $request_uri;"));

    @Override
    public Advice check(Observations seen) {
        long missing = seen.get(Figure.SEEN_WITHOUT_URI);
        if (missing < MIN_SEEN) return null;
        return Advice.of(
                seen,
                Severity.CRITICAL,
                "The web server does not tell the URI that the client sent.",
                missing + " of " + seen.get(Figure.SEEN_REQUESTS)
                        + " requests looked at have no REQUEST_URI: what was encoded in their paths is lost.",
                DIRECTIVES);
    }
}

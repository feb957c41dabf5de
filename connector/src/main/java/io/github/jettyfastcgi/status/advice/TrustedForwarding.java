package io.github.jettyfastcgi.status.advice;

/** A customizer believes X-Forwarded-For, which any client can send, although the web server tells REMOTE_ADDR. */
final class TrustedForwarding implements Rule {
    private static final int MIN_SEEN = 5;

    @Override
    public Advice check(Observations seen) {
        long forwarded = seen.get(Figure.SEEN_FORWARDED);
        if (forwarded < MIN_SEEN) return null;
        String title =
                "The client's address is taken from X-Forwarded-For, although the web server tells it in REMOTE_ADDR.";
        String figure = forwarded + " of " + seen.get(Figure.SEEN_REQUESTS)
                + " requests looked at have both a REMOTE_ADDR and a customizer that believes their fields.";
        String change = "Add no ForwardedRequestCustomizer to fastcgiHttpConfig.";
        if (seen.webServer() == WebServer.NGINX)
            change += "\n# If nginx itself is behind a proxy, in its server block, with the address of that proxy:\n"
                    + "set_real_ip_from 192.0.2.1;\nreal_ip_header X-Forwarded-For;";
        return new Advice(Severity.CRITICAL, title, figure, "In $JETTY_BASE/etc/, then restart Jetty:", change);
    }
}

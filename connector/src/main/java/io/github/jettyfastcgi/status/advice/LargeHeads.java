package io.github.jettyfastcgi.status.advice;

import java.util.Map;

/**
 * nginx has room for one page of a response's head, mostly 4k, and answers 502 to more. It doesn't tell how much room there
 * is, but closes each connection that brings such a response, while it keeps others. Where it keeps none, and where there
 * are no others, that proves nothing, but that it should be looked at.
 */
final class LargeHeads implements Rule {
    private static final int MIN_HEADS = 3;
    private static final int MIN_PERCENT = 80;
    private static final int KILO = 1024;
    private static final int MIN_BUFFER = 16;

    @Override
    public Advice check(Observations seen) {
        long heads = seen.get(Figure.LARGE_HEADS);
        long others = seen.get(Figure.REQUESTS) - heads;
        boolean areEnds = seen.percent(Figure.LARGE_HEAD_ENDS, Figure.LARGE_HEADS) >= MIN_PERCENT;
        boolean isUnkept = 2 * seen.get(Figure.UNKEPT_REQUESTS) >= seen.get(Figure.REQUESTS);
        if (heads < MIN_HEADS || !areEnds && !isUnkept) return null;
        String largest = "the largest had " + seen.get(Figure.LARGEST_HEAD) + ".";
        boolean isProof = !isUnkept && 2 * seen.closedAtOnce() < others;
        if (!isProof)
            return advice(
                    seen,
                    Severity.WARNING,
                    "The header fields of responses may be too large for the web server's buffer.",
                    heads + " responses had header fields of 4000 bytes or more; " + largest
                            + " Whether nginx has room for them shows only where it keeps connections.");
        return advice(
                seen,
                Severity.CRITICAL,
                "Responses are refused since their header fields are larger than the web server's buffer.",
                seen.get(Figure.LARGE_HEAD_ENDS) + " connections were closed upon one of the " + heads
                        + " responses whose header fields had 4000 bytes or more; " + largest);
    }

    private static Advice advice(Observations seen, Severity severity, String title, String figure) {
        long buffer = Math.max(MIN_BUFFER, Long.highestOneBit(2 * seen.get(Figure.LARGEST_HEAD) / KILO) * 2);
        return Advice.of(
                seen,
                severity,
                title,
                figure,
                Map.of(
                        WebServer.NGINX,
                        new Advice.Directive(
                                "the location with fastcgi_pass",
                                "fastcgi_buffer_size " + buffer + "k;\nfastcgi_buffers 8 " + buffer + "k;")));
    }
}

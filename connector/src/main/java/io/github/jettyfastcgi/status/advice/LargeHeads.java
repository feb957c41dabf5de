package io.github.jettyfastcgi.status.advice;

import java.util.Map;

/**
 * nginx has room for one page of a response's head, mostly 4k, and answers 502 to more. It doesn't tell how much room there
 * is, but closes each connection that brings such a response, while it keeps others.
 */
final class LargeHeads implements Rule {
    private static final int MIN_ENDS = 3;
    private static final int MIN_PERCENT = 80;
    private static final int MAX_OTHERS_PERCENT = 50;
    private static final int KILO = 1024;
    private static final int MIN_BUFFER = 16;

    @Override
    public Advice check(Observations seen) {
        long ends = seen.get(Figure.LARGE_HEAD_ENDS);
        if (ends < MIN_ENDS || seen.percent(Figure.LARGE_HEAD_ENDS, Figure.LARGE_HEADS) < MIN_PERCENT) return null;
        long others = seen.get(Figure.REQUESTS) - seen.get(Figure.LARGE_HEADS);
        if (100 * seen.closedAtOnce() >= MAX_OTHERS_PERCENT * others) return null;
        long buffer = Math.max(MIN_BUFFER, Long.highestOneBit(2 * seen.get(Figure.LARGEST_HEAD) / KILO) * 2);
        return Advice.of(
                seen,
                Severity.CRITICAL,
                "Responses are refused since their header fields are larger than the web server's buffer.",
                ends + " connections were closed upon one of the " + seen.get(Figure.LARGE_HEADS)
                        + " responses whose header fields had 4000 bytes or more; the largest had "
                        + seen.get(Figure.LARGEST_HEAD) + ".",
                Map.of(
                        WebServer.NGINX,
                        new Advice.Directive(
                                "the location with fastcgi_pass",
                                "fastcgi_buffer_size " + buffer + "k;\nfastcgi_buffers 8 " + buffer + "k;")));
    }
}

package io.github.jettyfastcgi.status.advice;

/** Requests wait for a thread, since all are busy for most of the time. */
final class BusyThreads implements Rule {
    private static final int MIN_SAMPLES = 5;
    private static final int MIN_PERCENT = 30;

    @Override
    public Advice check(Observations seen) {
        long percent = seen.percent(Figure.SATURATED_SAMPLES, Figure.SAMPLES);
        if (seen.get(Figure.SATURATED_SAMPLES) < MIN_SAMPLES || percent < MIN_PERCENT) return null;
        return new Advice(
                Severity.WARNING,
                "Requests wait for a thread.",
                "All " + seen.get(Figure.MAX_THREADS) + " threads were busy, and requests waited, for " + percent
                        + " % of the time. If the processors are busy, too, more threads don't help.",
                Advice.IN_JETTY,
                "jetty.threadPool.maxThreads=" + Math.max(200, 2 * seen.get(Figure.MAX_THREADS)));
    }
}

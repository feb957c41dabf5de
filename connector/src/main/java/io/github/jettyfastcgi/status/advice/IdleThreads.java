package io.github.jettyfastcgi.status.advice;

/**
 * There may be far more threads than were ever used: should they come to be, they cost memory and do nothing faster. It is
 * the whole time since the start that counts, so that a quiet hour proves nothing.
 */
final class IdleThreads implements Rule {
    private static final int MANY = 500;
    private static final int MIN_REQUESTS = 5000;
    private static final int MAX_PERCENT = 5;
    private static final int ROOM = 4;
    private static final int DEFAULT = 200;

    @Override
    public Advice check(Observations seen) {
        long max = seen.get(Figure.MAX_THREADS);
        long peak = seen.get(Figure.PEAK_BUSY_THREADS);
        if (max < MANY || seen.get(Figure.REQUESTS_EVER) < MIN_REQUESTS || 100 * peak > MAX_PERCENT * max) return null;
        return new Advice(
                Severity.HINT,
                "The thread pool is far larger than what is used of it.",
                "At most " + peak + " of " + max + " threads were busy since the start.",
                Advice.IN_JETTY,
                "jetty.threadPool.maxThreads=" + Math.max(DEFAULT, ROOM * peak));
    }
}

package io.github.jettyfastcgi.status.advice;

/** Requests wait until others end, or are refused, since as many run as are allowed to. */
final class QueuedRequests implements Rule {
    private static final int MIN_SAMPLES = 5;
    private static final int MIN_PERCENT = 30;

    @Override
    public Advice check(Observations seen) {
        long refused = seen.get(Figure.OVERLOADS);
        long percent = seen.percent(Figure.WAITING_SAMPLES, Figure.SAMPLES);
        boolean isWaiting = seen.get(Figure.WAITING_SAMPLES) >= MIN_SAMPLES && percent >= MIN_PERCENT;
        if (refused == 0 && !isWaiting) return null;
        return new Advice(
                refused > 0 ? Severity.CRITICAL : Severity.WARNING,
                "More requests come than may run at the same time.",
                "Requests waited for others to end for " + percent + " % of the time, " + refused + " were refused.",
                Advice.IN_JETTY,
                "jetty.fastcgi.maxRequests="
                        + 2 * Math.max(seen.get(Figure.MAX_REQUESTS), seen.get(Figure.PEAK_RUNNING_REQUESTS)));
    }
}

package io.github.jettyfastcgi.status;

import io.github.jettyfastcgi.server.Histogram;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What the last minutes brought: {@value #SAMPLES} samples, the oldest of which makes room for the next. Any thread may
 * call.
 */
final class History {
    /** How many samples are kept: at one in two seconds, ten minutes. */
    static final int SAMPLES = 300;

    /**
     * What came between two looks at the figures.
     *
     * @param rate requests finished in a second
     * @param p50 the median of their times in milliseconds, {@code null} without any, as are the other percentiles
     */
    private record Sample(
            long epochMillis,
            double rate,
            Double p50,
            Double p95,
            Double p99,
            long openConnections,
            long runningRequests,
            long waitingForThread,
            long queuedRequests) {
        static Sample between(Figures earlier, Figures figures) {
            double seconds = (figures.epochMillis() - earlier.epochMillis()) / 1000.0;
            Histogram.Snapshot times = figures.totalTimes().minus(earlier.totalTimes());
            return new Sample(
                    figures.epochMillis(),
                    (figures.allFinishedRequests() - earlier.allFinishedRequests()) / seconds,
                    percentile(times, 50),
                    percentile(times, 95),
                    percentile(times, 99),
                    figures.openConnections(),
                    figures.runningRequests(),
                    figures.waitingForThread(),
                    figures.queuedRequests());
        }

        private static Double percentile(Histogram.Snapshot times, double percent) {
            return times.count() == 0 ? null : Figures.millis(times.percentile(percent));
        }
    }

    private final Deque<Sample> samples = new ArrayDeque<>(SAMPLES);
    private Figures last;

    /** Takes the next sample; the first call begins. */
    synchronized void add(Figures figures) {
        if (last != null && figures.epochMillis() > last.epochMillis()) {
            if (samples.size() == SAMPLES) samples.removeFirst();
            samples.addLast(Sample.between(last, figures));
        }
        last = figures;
    }

    /** {@return the samples, oldest first: a list for each figure} */
    synchronized Map<String, List<?>> toMap() {
        Map<String, List<?>> map = new LinkedHashMap<>();
        map.put("time", list(Sample::epochMillis));
        map.put("rate", list(Sample::rate));
        map.put("p50", list(Sample::p50));
        map.put("p95", list(Sample::p95));
        map.put("p99", list(Sample::p99));
        map.put("connections", list(Sample::openConnections));
        map.put("running", list(Sample::runningRequests));
        map.put("waitingForThread", list(Sample::waitingForThread));
        map.put("queued", list(Sample::queuedRequests));
        return map;
    }

    private List<?> list(Function<Sample, Object> figure) {
        List<Object> list = new ArrayList<>(samples.size());
        for (Sample sample : samples) list.add(figure.apply(sample));
        return list;
    }
}

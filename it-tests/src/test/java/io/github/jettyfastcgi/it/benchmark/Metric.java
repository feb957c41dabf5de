package io.github.jettyfastcgi.it.benchmark;

import java.util.function.ToDoubleFunction;

/** A figure of a sample; NaN where it has none. */
enum Metric {
    REQUESTS(
            "requests/s",
            true,
            sample -> sample.load().requests() * 1e6 / sample.load().micros()),
    MEGABYTES(
            "MB/s",
            true,
            sample -> (double) sample.load().bytes() / sample.load().micros()),
    P50("p50 ms", false, sample -> millis(sample.load().p50())),
    P99("p99 ms", false, sample -> millis(sample.load().p99())),
    APPLICATION_CPU("app us", false, sample -> perRequest(sample, sample.applicationMicros())),
    FRONT_CPU("front us", false, sample -> perRequest(sample, sample.frontMicros())),
    TOTAL_CPU("app+front us", false, sample -> perRequest(sample, sample.applicationMicros() + sample.frontMicros())),
    CPU_PER_MEGABYTE(
            "app ms/MB",
            false,
            sample -> sample.applicationMicros() / 1e3 / (sample.load().bytes() / 1e6)),
    FRONT_CPU_PER_MEGABYTE(
            "front ms/MB",
            false,
            sample -> sample.frontMicros() / 1e3 / (sample.load().bytes() / 1e6)),
    ALLOCATED("bytes/request", false, sample -> perRequest(sample, sample.allocated())),
    GC("GC ms", false, Sample::gcMillis);

    private final String label;
    private final boolean moreIsBetter;
    private final ToDoubleFunction<Sample> figure;

    Metric(String label, boolean moreIsBetter, ToDoubleFunction<Sample> figure) {
        this.label = label;
        this.moreIsBetter = moreIsBetter;
        this.figure = figure;
    }

    String label() {
        return label;
    }

    boolean isMoreBetter() {
        return moreIsBetter;
    }

    double of(Sample sample) {
        return figure.applyAsDouble(sample);
    }

    private static double perRequest(Sample sample, long amount) {
        return (double) amount / sample.load().requests();
    }

    private static double millis(long micros) {
        return micros < 0 ? Double.NaN : micros / 1e3;
    }
}

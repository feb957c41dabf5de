package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class HistogramTest {
    private static final double[] PERCENTS = {0, 1, 10, 25, 50, 75, 90, 95, 99, 99.9, 100};
    private static final int VALUES = 20_000;

    private final Histogram histogram = new Histogram();

    @Test
    void valueBelowZeroCountsAsZero() {
        Histogram histogram = new Histogram();
        histogram.record(-5);
        histogram.record(7);

        assertThat(histogram.snapshot().count()).isEqualTo(2);
        assertThat(histogram.snapshot().sum()).isEqualTo(7);
    }

    @Test
    void emptyHasNothing() {
        Histogram.Snapshot empty = histogram.snapshot();

        assertThat(empty.count()).isZero();
        assertThat(empty.mean()).isZero();
        assertThat(empty.percentile(50)).isZero();
        assertThat(empty.max()).isZero();
    }

    // A value and the upper bound of its bucket: 32 buckets of equal width for each power of two
    @ParameterizedTest
    @CsvSource({
        "-1, 1",
        "0, 1",
        "1, 1",
        "2, 2",
        "63, 63",
        "64, 64",
        "65, 66",
        "66, 66",
        "67, 68",
        "128, 128",
        "129, 132",
        "1000, 1008",
        "1008, 1008",
        "1009, 1024",
        "1000000, 1015808",
        "4398046511104, 4398046511104",
        "9223372036854775807, 4398046511104"
    })
    void valuesAreRoundedUpToTheirBucket(long value, long bound) {
        histogram.record(value);

        assertThat(histogram.snapshot().max()).isEqualTo(bound);
        assertThat(histogram.snapshot().percentile(0)).isEqualTo(bound);
    }

    static Stream<LongSupplier> distributions() {
        Random random = new Random(6);
        return Stream.of(
                () -> random.nextInt(100),
                () -> 20_000 + random.nextInt(1_000_000),
                () -> (long) Math.exp(14 + 2 * random.nextGaussian()),
                () -> random.nextInt(50) == 0 ? 3_000_000_000L + random.nextInt() : 40_000 + random.nextInt(9_000));
    }

    @ParameterizedTest
    @MethodSource("distributions")
    void percentilesAreAtMostOneThirtySecondAboveTheExactOnes(LongSupplier distribution) {
        long[] values = new long[VALUES];
        org.HdrHistogram.Histogram other = new org.HdrHistogram.Histogram(1L << 42, 4);
        for (int i = 0; i < VALUES; i++) {
            values[i] = Math.max(1, distribution.getAsLong());
            histogram.record(values[i]);
            other.recordValue(values[i]);
        }
        Arrays.sort(values);

        Histogram.Snapshot snapshot = histogram.snapshot();

        assertThat(snapshot.count()).isEqualTo(VALUES);
        assertThat(snapshot.sum()).isEqualTo(Arrays.stream(values).sum());
        assertThat(snapshot.mean()).isEqualTo((double) Arrays.stream(values).sum() / VALUES);
        for (double percent : PERCENTS) {
            long exact = values[Math.max(0, (int) Math.ceil(percent * 10 * VALUES / 1000) - 1)];
            assertThat(snapshot.percentile(percent)).as(percent + " %").isBetween(exact, exact + exact / 32);
            assertThat((double) snapshot.percentile(percent))
                    .as(percent + " % of HdrHistogram")
                    .isBetween(
                            0.999 * other.getValueAtPercentile(percent), 1.033 * other.getValueAtPercentile(percent));
        }
    }

    @Test
    void countsUpToPowersOfTwoAreExact() {
        Random random = new Random(7);
        long[] values = random.longs(VALUES, 0, 1L << 35)
                .map(value -> value >>> random.nextInt(35))
                .toArray();
        for (long value : values) histogram.record(value);
        for (int bits = 1; bits <= 42; bits++) {
            histogram.record(1L << bits);
            histogram.record((1L << bits) + 1);
        }

        Histogram.Snapshot snapshot = histogram.snapshot();

        for (int bits = 1; bits <= 42; bits++) {
            long bound = 1L << bits;
            long expected =
                    Arrays.stream(values).filter(value -> value <= bound).count() + bits + (bits - 1);
            // 2^1 + 1 is no more than 2^2, and so on; above 2^42 all counts as 2^42
            assertThat(snapshot.countUpTo(bound)).as("2^" + bits).isEqualTo(expected + (bits == 42 ? 1 : 0));
        }
    }

    @Test
    void snapshotsAddUpAndDiffer() {
        histogram.record(100);
        Histogram.Snapshot first = histogram.snapshot();
        histogram.record(200_000);
        histogram.record(300_000);

        Histogram.Snapshot later = histogram.snapshot().minus(first);
        Histogram.Snapshot twice = later.plus(later);

        assertThat(later.count()).isEqualTo(2);
        assertThat(later.sum()).isEqualTo(500_000);
        assertThat(later.percentile(1)).isBetween(200_000L, 206_250L);
        assertThat(twice.count()).isEqualTo(4);
        assertThat(twice.mean()).isEqualTo(250_000);
        assertThat(first.count()).as("a snapshot does not change").isEqualTo(1);
    }

    @Test
    void losesNothingThatThreadsRecordAtTheSameTime() throws Exception {
        int perThread = 50_000;
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++)
            threads.add(new Thread(() -> {
                for (int value = 1; value <= perThread; value++) histogram.record(value);
            }));

        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();

        assertThat(histogram.snapshot().count()).isEqualTo(8L * perThread);
        assertThat(histogram.snapshot().sum()).isEqualTo(8L * perThread * (perThread + 1) / 2);
    }
}

package io.github.jettyfastcgi.server;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How often which values occurred, such as times in nanoseconds: counts in buckets that are as wide as their values are
 * large. Each power of two is divided into {@value #SUB_BUCKETS} buckets of equal width, so a value read from it is never
 * below the one recorded, and above it by less than 1/{@value #SUB_BUCKETS}; up to {@value #EXACT} it is exact.
 *
 * <p>Any thread may record, at any time, and waits for no other: it adds to two counters, of a stripe that it shares with
 * few other threads. A snapshot taken while values are recorded may lack some of the newest.
 */
public final class Histogram {
    private static final int SUB_BUCKET_BITS = 5;
    private static final int SUB_BUCKETS = 1 << SUB_BUCKET_BITS;

    /** The largest value up to which each has a bucket of its own. */
    private static final int EXACT = 2 * SUB_BUCKETS;

    /** All above counts as this: 2^42, which in nanoseconds is more than an hour. */
    private static final int MAX_BITS = 42;

    private static final int BUCKETS = (MAX_BITS - SUB_BUCKET_BITS + 1) * SUB_BUCKETS;
    private static final int SUM = BUCKETS;
    private static final int MAX_STRIPES = 8;

    private final AtomicLongArray[] stripes;

    /** Creates an empty histogram with a stripe for each processor, up to {@value #MAX_STRIPES}. */
    public Histogram() {
        int processors = Math.min(Runtime.getRuntime().availableProcessors(), MAX_STRIPES);
        stripes = new AtomicLongArray[Integer.highestOneBit(2 * processors - 1)];
        for (int i = 0; i < stripes.length; i++) stripes[i] = new AtomicLongArray(BUCKETS + 1);
    }

    /**
     * Counts a value.
     *
     * @param value the value; below 0 it counts as 0
     */
    public void record(long value) {
        long counted = Math.max(0, value);
        AtomicLongArray stripe = stripes[(int) Thread.currentThread().getId() & stripes.length - 1];
        stripe.getAndIncrement(bucket(counted));
        stripe.getAndAdd(SUM, counted);
    }

    /** {@return what was recorded up to now} */
    public Snapshot snapshot() {
        long[] counts = new long[BUCKETS];
        long sum = 0;
        for (AtomicLongArray stripe : stripes) {
            for (int i = 0; i < BUCKETS; i++) counts[i] += stripe.get(i);
            sum += stripe.get(SUM);
        }
        return new Snapshot(counts, sum);
    }

    /** A bucket takes the values above the {@link #upperBound(int)} of the one before, up to its own. */
    private static int bucket(long value) {
        long offset = Math.min(Math.max(0, value - 1), (1L << MAX_BITS) - 1);
        int shift = Math.max(0, Long.SIZE - 1 - Long.numberOfLeadingZeros(offset) - SUB_BUCKET_BITS);
        return (shift << SUB_BUCKET_BITS) + (int) (offset >>> shift);
    }

    private static long upperBound(int bucket) {
        if (bucket < EXACT) return bucket + 1;
        int shift = (bucket >>> SUB_BUCKET_BITS) - 1;
        return (long) ((bucket & SUB_BUCKETS - 1) + SUB_BUCKETS + 1) << shift;
    }

    /** What a histogram had counted at a time. It doesn't change. */
    public static final class Snapshot {
        private final long[] counts;
        private final long count;
        private final long sum;

        private Snapshot(long[] counts, long sum) {
            this.counts = counts;
            this.sum = sum;
            long all = 0;
            for (long each : counts) all += each;
            this.count = all;
        }

        /** {@return how many values were recorded} */
        public long count() {
            return count;
        }

        /** {@return the sum of the values} */
        public long sum() {
            return sum;
        }

        /** {@return the mean of the values, 0 if there are none} */
        public double mean() {
            return count == 0 ? 0 : (double) sum / count;
        }

        /** {@return the largest value, or at most 1/32 more; 0 if there are none} */
        public long max() {
            return percentile(100);
        }

        /**
         * {@return the smallest value that is no smaller than that share of the values, or at most 1/32 more; 0 if there are
         * none}
         *
         * @param percent the share, from 0 to 100
         */
        public long percentile(double percent) {
            if (count == 0) return 0;
            // The next lower double, so that 99.9 percent of 1000 are 999 in spite of rounding
            long rank = Math.max(1, (long) Math.ceil(Math.nextDown(percent) / 100 * count));
            int bucket = 0;
            for (long seen = counts[0]; seen < rank; seen += counts[bucket]) bucket++;
            return upperBound(bucket);
        }

        /**
         * {@return how many values were not above a bound}
         *
         * @param powerOfTwo the bound, for which the answer is exact
         */
        public long countUpTo(long powerOfTwo) {
            long below = 0;
            for (int bucket = 0; bucket < BUCKETS && upperBound(bucket) <= powerOfTwo; bucket++)
                below += counts[bucket];
            return below;
        }

        /**
         * {@return this and another together}
         *
         * @param other what another histogram has counted
         */
        public Snapshot plus(Snapshot other) {
            return combine(other, 1);
        }

        /**
         * {@return what was counted since another}
         *
         * @param earlier what the same histogram had counted before
         */
        public Snapshot minus(Snapshot earlier) {
            return combine(earlier, -1);
        }

        private Snapshot combine(Snapshot other, int sign) {
            long[] combined = counts.clone();
            for (int i = 0; i < BUCKETS; i++) combined[i] += sign * other.counts[i];
            return new Snapshot(combined, sum + sign * other.sum);
        }
    }
}

package io.github.jettyfastcgi.server;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** One count for each reason. Any thread may count and read. */
final class Tally<E extends Enum<E>> {
    private final E[] reasons;
    private final LongAdder[] counts;

    Tally(Class<E> type) {
        reasons = type.getEnumConstants();
        counts = new LongAdder[reasons.length];
        for (int i = 0; i < counts.length; i++) counts[i] = new LongAdder();
    }

    void increment(E reason) {
        counts[reason.ordinal()].increment();
    }

    long get(E reason) {
        return counts[reason.ordinal()].sum();
    }

    long sum() {
        long sum = 0;
        for (LongAdder count : counts) sum += count.sum();
        return sum;
    }

    /** {@return the counts by the names of the reasons, in lower case} */
    Map<String, Long> toMap() {
        Map<String, Long> map = new TreeMap<>();
        for (E reason : reasons) map.put(reason.name().toLowerCase(Locale.ROOT), get(reason));
        return map;
    }
}

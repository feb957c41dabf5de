package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Many requests at 50 in parallel: each answer must be whole, and the server must keep nothing of them. The profile
 * {@code soak} raises their number.
 */
class LoadIT extends SampleSiteTestBase {
    private static final int REQUESTS = Integer.getInteger("it.load.requests", 20_000);

    /** Until then the JVM loads classes, and the connector fills its pools and caches. */
    private static final int WARM_UP = Math.max(10_000, REQUESTS / 10);

    /** As many as nginx keeps, or has not yet closed: their number changes, but not with that of the requests. */
    private static final int CONNECTIONS = 50;

    /** A share of the heap. */
    private static final double MAX_HEAP_GROWTH = 0.02;

    /** nginx closes connections that were idle for a minute; before, Jetty lets go of what they remember. */
    private static final Duration LIMIT = Duration.ofSeconds(90);

    private static final Duration BETWEEN_MEASUREMENTS = Duration.ofSeconds(3);

    @ParameterizedTest
    @EnumSource(names = {"UNIX_KEPT", "UNIX_UNKEPT", "TCP_KEPT", "TCP_UNKEPT"})
    void everyAnswerIsWholeAndNothingStaysInTheHeap(Front front) throws Exception {
        Wrk load = Wrk.downloads(directory, site.uri(front, "/download?size=1000&chunk=1000"));
        load.run(WARM_UP);
        Footprint before = Footprint.of(site.jetty());

        int answers = load.run(REQUESTS - WARM_UP);

        Footprint after = Footprint.of(site.jetty());
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (growth(before, after) > MAX_HEAP_GROWTH && System.nanoTime() < deadline) {
            Thread.sleep(BETWEEN_MEASUREMENTS.toMillis());
            after = Footprint.of(site.jetty());
        }
        System.out.printf(
                "%d requests by %s: %s, then %s, %+.2f %% of heap%n",
                answers, front, before, after, 100 * growth(before, after));
        assertThat(growth(before, after)).as("growth of the heap").isLessThanOrEqualTo(MAX_HEAP_GROWTH);
        assertThat(after.descriptors()).isLessThanOrEqualTo(before.descriptors() + CONNECTIONS);
        assertThat(after.threads()).isLessThanOrEqualTo(before.threads() + CONNECTIONS);
    }

    private static double growth(Footprint before, Footprint after) {
        return (double) (after.heapBytes() - before.heapBytes()) / before.heapBytes();
    }
}

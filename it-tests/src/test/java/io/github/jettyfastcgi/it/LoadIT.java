package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Many requests at 50 in parallel: each answer must be whole, and the server must keep nothing of them. The profile
 * {@code soak} raises their number.
 */
class LoadIT extends SampleSiteTestBase {
    private static final int REQUESTS = Integer.getInteger("it.load.requests", 20_000);

    /** As many as nginx keeps, or has not yet closed: their number changes, but not with that of the requests. */
    private static final int CONNECTIONS = 50;

    private static final int WARM_UP = 10_000;
    private static final long MAX_HEAP_GROWTH = 5_000_000;

    @ParameterizedTest
    @EnumSource(names = {"UNIX_KEPT", "UNIX_UNKEPT", "TCP_KEPT", "TCP_UNKEPT"})
    void everyAnswerIsWholeAndNothingStaysInTheHeap(Front front) throws Exception {
        Wrk load = Wrk.downloads(directory, site.uri(front, "/download?size=1000&chunk=1000"));
        load.run(WARM_UP);
        Footprint before = Footprint.of(site.jetty());

        load.run(REQUESTS - WARM_UP);

        Footprint after = Footprint.of(site.jetty());
        System.out.printf("%d requests by %s: %s, then %s%n", REQUESTS, front, before, after);
        assertThat(after.heapBytes() - before.heapBytes())
                .as("growth of the heap in bytes")
                .isLessThan(MAX_HEAP_GROWTH);
        assertThat(after.descriptors()).isLessThanOrEqualTo(before.descriptors() + CONNECTIONS);
        assertThat(after.threads()).isLessThanOrEqualTo(before.threads() + CONNECTIONS);
    }
}

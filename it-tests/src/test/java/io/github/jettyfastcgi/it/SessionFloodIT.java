package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A flood of requests without a cookie, each of which makes a session, against a Jetty with the module
 * {@code fastcgi-sessions} and a heap of 256 MB, while visitors with cookies come again and again. The profile
 * {@code soak} raises the number of requests.
 */
class SessionFloodIT {
    private static final int REQUESTS = Integer.getInteger("it.flood.requests", 20_000);
    private static final int MAX_SESSIONS = REQUESTS / 20;
    private static final int VISITORS = 20;

    /** A session of the sample takes 1 to 2 KB. */
    private static final long MAX_BYTES_PER_SESSION = 3_000;

    private static final long MAX_OTHER_GROWTH = 3_000_000;

    @TempDir
    static Path directory;

    private static SampleSite site;

    @BeforeAll
    static void startSite() throws Exception {
        site = new SampleSite(
                directory,
                "ee10",
                List.of("fastcgi-sessions"),
                List.of("jetty.fastcgi.sessions.maxSessions=" + MAX_SESSIONS));
    }

    @AfterAll
    static void stopSite() {
        if (site != null) {
            site.close();
        }
    }

    @Test
    void neitherFillsTheHeapNorCostsAVisitorHisSession() throws Exception {
        Wrk flood = Wrk.json(directory, site.uri(Front.UNIX_KEPT, "/session"), "{\"counter\":1,");
        List<Visitor> visitors = new ArrayList<>();
        for (int i = 0; i < VISITORS; i++) {
            visitors.add(new Visitor(Way.FASTCGI, site.port(Front.UNIX_KEPT)));
        }
        visit(visitors, 1);
        visit(visitors, 2);
        Footprint before = Footprint.of(site.jetty());
        AtomicBoolean flooded = new AtomicBoolean();
        ExecutorService executor = Executors.newSingleThreadExecutor();
        Future<Integer> visits = executor.submit(() -> {
            int visit = 2;
            while (!flooded.get()) {
                visit(visitors, ++visit);
            }
            return visit;
        });
        executor.shutdown();

        long begin = System.nanoTime();
        int requests;
        try {
            requests = flood.run(REQUESTS);
        } finally {
            flooded.set(true);
        }
        long millis = (System.nanoTime() - begin) / 1_000_000;

        int last = visits.get();
        visit(visitors, last + 1);
        Footprint after = Footprint.of(site.jetty());
        System.out.printf(
                "%d sessions in %d ms, at most %d kept: %s, then %s; %d visitors came %d times each%n",
                requests, millis, MAX_SESSIONS, before, after, VISITORS, last + 1);
        assertThat(after.heapBytes() - before.heapBytes())
                .as("growth of the heap in bytes")
                .isLessThan(MAX_SESSIONS * MAX_BYTES_PER_SESSION + MAX_OTHER_GROWTH);
        assertThat(site.jetty().output()).noneMatch(line -> line.contains("OutOfMemoryError"));
        assertThat(site.takeConnectorWarnings()).isEmpty();
    }

    /** Lets each visitor come once, and expects that his session knows which visit it is. */
    private static void visit(List<Visitor> visitors, int visit) throws IOException {
        for (Visitor visitor : visitors) {
            assertThat(visitor.get(200, "/session", "Accept: application/json").text())
                    .contains("\"counter\":" + visit + ",");
        }
    }
}

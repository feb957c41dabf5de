package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What thousands of connections cost that do nothing: those that are kept, and those that stop within a request. */
class ManyConnectionsIT {
    private static final int KEPT = 5_000;
    private static final int STOPPED = 2_000;
    private static final int WARM_UP = 500;
    private static final long MAX_BYTES_EACH = 4 * 1024;
    private static final long MAX_BYTES_LEFT = 1_000_000;
    private static final int MAX_THREADS_MORE = 50;

    /** The connector lets go of what speeds a connection up when it has been idle for 10 to 20 seconds. */
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static final Duration BETWEEN_MEASUREMENTS = Duration.ofSeconds(3);

    @TempDir
    static Path directory;

    private static JettyBase base;
    private static ServerProcess jetty;

    @BeforeAll
    static void startJetty() throws Exception {
        base = JettyBase.create(directory.resolve("base"), "fastcgi-unix", "ee10-deploy", "ee10-jsp")
                .deploySample("ROOT");
        jetty = base.start(List.of("-Xmx256m"), "jetty.fastcgi.requestTimeout=3000");
        for (FastCGIClient client : keptConnections(WARM_UP)) {
            client.close();
        }
    }

    @AfterAll
    static void stopJetty() {
        if (jetty != null) {
            jetty.close();
        }
    }

    @Test
    void idleConnectionsTakeNoThreadsAndLittleHeap() throws Exception {
        Footprint before = awaitDescriptors(Long.MAX_VALUE);
        List<FastCGIClient> clients = keptConnections(KEPT);
        try {
            Footprint after = Footprint.of(jetty);
            long deadline = System.nanoTime() + LIMIT.toNanos();
            while (bytesEach(before, after) > MAX_BYTES_EACH && System.nanoTime() < deadline) {
                Thread.sleep(BETWEEN_MEASUREMENTS.toMillis());
                after = Footprint.of(jetty);
            }

            System.out.printf("%d idle connections: %s, then %s%n", KEPT, before, after);
            assertThat(after.descriptors() - before.descriptors()).isGreaterThanOrEqualTo(KEPT - WARM_UP);
            assertThat(bytesEach(before, after)).as("bytes of each").isLessThanOrEqualTo(MAX_BYTES_EACH);
            assertThat(after.threads() - before.threads()).isLessThan(MAX_THREADS_MORE);
        } finally {
            closeAll(clients);
        }
    }

    private static long bytesEach(Footprint before, Footprint after) {
        return (after.heapBytes() - before.heapBytes()) / KEPT;
    }

    @Test
    void connectionsThatStopWithinARequestAreGoneAfterTheTimeout() throws Exception {
        Footprint before = awaitDescriptors(Long.MAX_VALUE);
        List<FastCGIClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < STOPPED; i++) {
                FastCGIClient client = new FastCGIClient(base.unixSocket());
                clients.add(client);
                client.begin();
                if (i % 2 == 1) {
                    client.variables("REQUEST_METHOD", "GET", "HTTP_X", "x".repeat(100));
                }
                client.send();
            }

            for (FastCGIClient client : clients) {
                client.awaitClose();
            }

            Footprint after = awaitDescriptors(before.descriptors());
            System.out.printf("%d connections that stopped: %s, then %s%n", STOPPED, before, after);
            assertThat(after.heapBytes() - before.heapBytes()).isLessThan(MAX_BYTES_LEFT);
            assertThat(after.threads() - before.threads()).isLessThan(MAX_THREADS_MORE);
        } finally {
            closeAll(clients);
        }
    }

    /** Waits until no more files are open than that, and until their number doesn't change. */
    private static Footprint awaitDescriptors(long maximum) throws Exception {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        Footprint last = Footprint.of(jetty);
        while (true) {
            Footprint next = Footprint.of(jetty);
            if (next.descriptors() == last.descriptors() && next.descriptors() <= maximum) {
                return next;
            }
            assertThat(System.nanoTime()).as("time; %s", next).isLessThan(deadline);
            last = next;
        }
    }

    /** Opens connections, each of which has served a request. */
    private static List<FastCGIClient> keptConnections(int count) throws Exception {
        List<FastCGIClient> clients = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            FastCGIClient client = new FastCGIClient(base.unixSocket());
            clients.add(client);
            client.get("/download?size=10&chunk=10");
            assertThat(client.response().readAllBytes()).endsWith(Pattern251.bytes(0, 10));
        }
        return clients;
    }

    private static void closeAll(List<FastCGIClient> clients) throws Exception {
        for (FastCGIClient client : clients) {
            client.close();
        }
    }
}

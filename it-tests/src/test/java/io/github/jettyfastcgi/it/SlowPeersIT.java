package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Web servers that read a large response slowly, and others that send large content slowly and read it back, all at
 * once: the heap holds none of it. The profile {@code soak} raises their number and the size.
 */
class SlowPeersIT {
    private static final int PEERS = Integer.getInteger("it.slow.peers", 20);
    private static final long BYTES = Long.getLong("it.slow.bytes", 2_000_000);

    /** How long a peer waits behind each piece. */
    private static final int PAUSE_MILLIS = 5;

    /** More than the application's output buffers. */
    private static final int MAX_HELD_BACK = 4 * FastCGIClient.MAX_CONTENT;

    private static final int LIMIT_MINUTES = 20;
    private static final long MAX_HEAP_GROWTH = 30_000_000;

    @TempDir
    Path directory;

    private final LongAdder transferred = new LongAdder();

    @Test
    void allFinishAndTheHeapStaysBounded() throws Exception {
        JettyBase base = JettyBase.create(directory.resolve("base"), "fastcgi-unix", "ee10-deploy", "ee10-jsp")
                .deploySample("ROOT");
        ExecutorService executor = Executors.newFixedThreadPool(2 * PEERS);
        try (ServerProcess jetty = base.start(List.of("-Xmx256m"), "jetty.threadPool.maxThreads=" + (2 * PEERS + 50))) {
            read(base);
            write(base);
            transferred.reset();
            Footprint before = Footprint.of(jetty);
            List<Future<?>> peers = new ArrayList<>();
            for (int i = 0; i < PEERS; i++) {
                peers.add(executor.submit(() -> read(base)));
                peers.add(executor.submit(() -> write(base)));
            }

            while (transferred.sum() < PEERS * BYTES && peers.stream().noneMatch(Future::isDone)) {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
            Footprint halfWay = Footprint.of(jetty);
            for (Future<?> peer : peers) {
                peer.get(LIMIT_MINUTES, TimeUnit.MINUTES);
            }

            Footprint after = Footprint.of(jetty);
            System.out.printf(
                    "%d slow readers and %d slow writers of %d bytes: %s, then %s, in the end %s%n",
                    PEERS, PEERS, BYTES, before, halfWay, after);
            assertThat(halfWay.heapBytes() - before.heapBytes())
                    .as("growth of the heap half way")
                    .isLessThan(MAX_HEAP_GROWTH);
            assertThat(jetty.output()).noneMatch(line -> line.contains("OutOfMemoryError"));
        } finally {
            executor.shutdownNow();
        }
    }

    private Void read(JettyBase base) throws IOException, InterruptedException {
        try (FastCGIClient client = new FastCGIClient(base.unixSocket())) {
            client.get("/download?size=" + BYTES);
            InputStream response = client.response();
            FastCGIClient.readHead(response);
            for (long position = 0; position < BYTES; ) {
                byte[] piece = response.readNBytes((int) Math.min(FastCGIClient.MAX_CONTENT, BYTES - position));
                check(piece, position);
                position += piece.length;
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
            assertThat(response.read()).isNegative();
            return null;
        }
    }

    private Void write(JettyBase base) throws IOException, InterruptedException {
        try (FastCGIClient client = new FastCGIClient(base.unixSocket())) {
            client.post("/echo", BYTES);
            InputStream response = client.response();
            long sent = 0;
            long received = 0;
            while (received < BYTES) {
                if (sent < BYTES) {
                    byte[] piece = Pattern251.bytes(sent, (int) Math.min(FastCGIClient.MAX_CONTENT, BYTES - sent));
                    client.stdin(piece);
                    sent += piece.length;
                    if (sent == BYTES) {
                        client.stdin(new byte[0]);
                    }
                }
                if (sent - received > MAX_HELD_BACK || sent == BYTES) {
                    if (received == 0) {
                        FastCGIClient.readHead(response);
                    }
                    byte[] piece = response.readNBytes((int) Math.min(FastCGIClient.MAX_CONTENT, BYTES - received));
                    check(piece, received);
                    received += piece.length;
                }
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
            assertThat(response.read()).isNegative();
            return null;
        }
    }

    private void check(byte[] piece, long position) {
        assertThat(piece.length).as("bytes from %d on", position).isPositive();
        assertThat(piece).isEqualTo(Pattern251.bytes(position, piece.length));
        transferred.add(piece.length);
    }
}

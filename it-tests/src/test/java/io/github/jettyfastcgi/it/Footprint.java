package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a Jetty holds.
 *
 * @param heapBytes of all objects that survive a full collection
 * @param descriptors open files and sockets
 * @param threads of its thread pool
 */
record Footprint(long heapBytes, long descriptors, long threads) {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    static Footprint of(ServerProcess jetty) throws IOException, InterruptedException {
        return new Footprint(liveBytes(jetty), descriptors(jetty), threads(jetty));
    }

    private static long liveBytes(ServerProcess jetty) throws InterruptedException {
        String total = jcmd(jetty, "GC.class_histogram").stream()
                .filter(line -> line.startsWith("Total"))
                .findFirst()
                .orElseThrow();
        return Long.parseLong(total.strip().split("\\s+")[2]);
    }

    private static long descriptors(ServerProcess jetty) throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc", Long.toString(jetty.pid()), "fd"))) {
            return descriptors.count();
        }
    }

    private static long threads(ServerProcess jetty) throws InterruptedException {
        return jcmd(jetty, "Thread.print").stream()
                .filter(line -> line.startsWith("\"qtp"))
                .count();
    }

    /** What {@code jcmd} answers to a command. */
    static List<String> jcmd(ServerProcess jetty, String command) throws InterruptedException {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        List<String> line = List.of(jcmd, Long.toString(jetty.pid()), command);
        try (ServerProcess process = ServerProcess.start("jcmd", Path.of("."), line)) {
            assertThat(process.awaitExit(LIMIT)).as(process.tail()).isZero();
            return process.output();
        }
    }

    @Override
    public String toString() {
        return String.format("%.1f MB of heap, %d descriptors, %d threads", heapBytes / 1e6, descriptors, threads);
    }
}

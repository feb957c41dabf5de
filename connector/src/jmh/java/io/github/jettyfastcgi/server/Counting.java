package io.github.jettyfastcgi.server;

import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.util.NanoTime;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;

/** All that a request adds to the counters, reading the clock included, while another thread does the same. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Threads(2)
public class Counting {
    private static final int BYTES_IN = 900;
    private static final int BYTES_OUT = 120;

    private final Counters counters = new Counters();

    /** What belongs to a connection. */
    @State(Scope.Thread)
    public static class Connection {
        private volatile long lastResponse = NanoTime.now();
    }

    @Benchmark
    public void request(Connection connection) {
        long begin = connection.lastResponse;
        counters.waitingForThread.incrementAndGet();
        counters.bytesIn.add(BYTES_IN);
        counters.waitingForThread.decrementAndGet();
        counters.responseStarted(NanoTime.since(begin));
        counters.bytesOut.add(BYTES_OUT);
        connection.lastResponse = NanoTime.now();
        counters.requestFinished(200, connection.lastResponse - begin);
    }
}

package io.github.jettyfastcgi.benchmark;

import io.github.jettyfastcgi.server.Counting;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What counters and slow log take of a request, in one run: {@link WholeConnection} as it is, with all counted once more,
 * and with the slow log on. Counters are always on, so it is the difference between once and twice that they take.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Watched {
    private static final long SLOW_LOG_THRESHOLD = 1000;

    @Param({"counted", "countedTwice", "slowLog"})
    public String watched;

    private final WholeConnection whole = new WholeConnection();
    private final Counting counting = new Counting();
    private final Counting.Connection connection = new Counting.Connection();
    private boolean isCountedTwice;

    @Setup
    public void setUp() throws Exception {
        isCountedTwice = watched.equals("countedTwice");
        whole.protocol = "fastcgi";
        whole.request = RequestBytes.BROWSER;
        whole.slowLogThreshold = watched.equals("slowLog") ? SLOW_LOG_THRESHOLD : 0;
        whole.setUp();
    }

    @TearDown
    public void tearDown() throws Exception {
        whole.tearDown();
    }

    @Benchmark
    public ByteBuffer exchange() {
        if (isCountedTwice) counting.request(connection);
        return whole.exchange();
    }
}

package io.github.jettyfastcgi.server;

import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.ByteArrayEndPoint;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Server;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A look of the slow log through {@value #CONNECTIONS} open connections, which it takes once in a second. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class SlowLogSweep {
    private static final int CONNECTIONS = 1000;

    private final Server server = new Server();
    private final SlowLog slowLog = new SlowLog();
    private final FastCGIConnection[] connections = new FastCGIConnection[CONNECTIONS];

    @Setup
    public void setUp() throws Exception {
        FastCGIConnectionFactory factory = new FastCGIConnectionFactory();
        LocalConnector connector = new LocalConnector(server, factory);
        server.addConnector(connector);
        server.start();
        slowLog.setThreshold(1000);
        for (int i = 0; i < CONNECTIONS; i++)
            connections[i] = (FastCGIConnection) factory.newConnection(connector, new ByteArrayEndPoint());
    }

    @TearDown
    public void tearDown() throws Exception {
        server.stop();
    }

    @Benchmark
    public void sweep() {
        for (FastCGIConnection connection : connections) slowLog.check(connection);
    }
}

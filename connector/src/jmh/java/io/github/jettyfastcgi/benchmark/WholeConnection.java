package io.github.jettyfastcgi.benchmark;

import io.github.jettyfastcgi.server.FastCGIConnectionFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.ByteArrayEndPoint;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
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
 * A request and its response on a kept connection, with all of Jetty between them but sockets, selectors and threads;
 * and the same request over HTTP, to compare with.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class WholeConnection {
    @Param({"fastcgi", "http"})
    public String protocol;

    @Param({RequestBytes.GET, RequestBytes.BROWSER})
    public String request;

    /** From which age on a request over FastCGI is slow, in milliseconds; 0 for none. */
    long slowLogThreshold;

    private final Server server = new Server();
    private ByteArrayEndPoint endPoint;
    private ByteBuffer input;

    @Setup
    public void setUp() throws Exception {
        boolean isFastCGI = protocol.equals("fastcgi");
        FastCGIConnectionFactory fastcgi = new FastCGIConnectionFactory();
        fastcgi.setSlowLogThreshold(slowLogThreshold);
        ConnectionFactory factory = isFastCGI ? fastcgi : new HttpConnectionFactory();
        LocalConnector connector = new LocalConnector(server, factory);
        server.addConnector(connector);
        server.setHandler(new HelloHandler());
        server.start();

        input = ByteBuffer.wrap(isFastCGI ? RequestBytes.of(request) : RequestBytes.http(request));
        endPoint = new ByteArrayEndPoint(null, 0, null, 1024, true);
        Connection connection = factory.newConnection(connector, endPoint);
        endPoint.setConnection(connection);
        connection.onOpen();
        String response = StandardCharsets.ISO_8859_1.decode(exchange()).toString();
        if (!response.contains("200 OK")) throw new IllegalStateException(response);
    }

    @TearDown
    public void tearDown() throws Exception {
        endPoint.close();
        server.stop();
    }

    @Benchmark
    public ByteBuffer exchange() {
        endPoint.addInput(input.rewind());
        return endPoint.takeOutput();
    }

    private static final class HelloHandler extends Handler.Abstract.NonBlocking {
        private static final byte[] HELLO = "Hello, world!".getBytes(StandardCharsets.US_ASCII);

        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain");
            response.getHeaders().put(HttpHeader.CONTENT_LENGTH, HELLO.length);
            response.write(true, ByteBuffer.wrap(HELLO), callback);
            return true;
        }
    }
}

package io.github.jettyfastcgi.benchmark;

import io.github.jettyfastcgi.cgi.CGIRequest;
import io.github.jettyfastcgi.cgi.MetaVariables;
import io.github.jettyfastcgi.cgi.PathSource;
import io.github.jettyfastcgi.cgi.RequestMapper;
import io.github.jettyfastcgi.cgi.VariableCache;
import io.github.jettyfastcgi.protocol.FastCGIException;
import io.github.jettyfastcgi.protocol.NameValuePairs;
import io.github.jettyfastcgi.protocol.RecordHeader;
import io.github.jettyfastcgi.protocol.RecordParser;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpCompliance;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** From the bytes that nginx sends to the request that Jetty gets, without connection, channel and handler. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Translation {
    @Param({RequestBytes.GET, RequestBytes.BROWSER})
    public String request;

    private final RequestMapper mapper = new RequestMapper(PathSource.REQUEST_URI, HttpCompliance.RFC9110, null);
    private Connection connection;
    private byte[] same;
    private List<byte[]> changing;
    private int next;

    @Setup
    public void setUp() {
        connection = new Connection();
        same = RequestBytes.of(request);
        changing = RequestBytes.changing(request);
    }

    /** A kept connection whose requests are all alike. */
    @Benchmark
    public CGIRequest repeating() throws FastCGIException {
        return connection.translate(same);
    }

    /** A kept connection whose requests differ in path, client and every field but Host. */
    @Benchmark
    public CGIRequest changing() throws FastCGIException {
        next = (next + 1) % RequestBytes.VARIANTS;
        return connection.translate(changing.get(next));
    }

    /** The only request of a connection. */
    @Benchmark
    public CGIRequest first() throws FastCGIException {
        return new Connection().translate(same);
    }

    /** What a connection keeps from request to request. */
    private final class Connection {
        private final RecordParser parser = new RecordParser();
        private final NameValuePairs pairs = new NameValuePairs(RecordHeader.MAX_CONTENT_LENGTH);
        private final RequestBytes.Gatherer gatherer = new RequestBytes.Gatherer(pairs);
        private final MetaVariables variables = new MetaVariables();
        private final VariableCache cache = new VariableCache();

        CGIRequest translate(byte[] bytes) throws FastCGIException {
            parser.parse(ByteBuffer.wrap(bytes), gatherer);
            variables.clear();
            pairs.forEach(variables::add);
            CGIRequest translated = mapper.map(0, variables, cache);
            pairs.clear();
            return translated;
        }
    }
}

package io.github.jettyfastcgi.benchmark;

import io.github.jettyfastcgi.cgi.ResponseHead;
import io.github.jettyfastcgi.protocol.EndRequest;
import io.github.jettyfastcgi.protocol.RecordEncoder;
import io.github.jettyfastcgi.protocol.RecordHeader;
import io.github.jettyfastcgi.protocol.RecordType;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** From status and fields to the bytes of a small response, END_REQUEST included. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class SmallResponse {
    private static final byte[] CONTENT = new byte[13];

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(8192);
    private final HttpFields fields = HttpFields.build()
            .put(HttpHeader.CONTENT_TYPE, "text/plain")
            .put(HttpHeader.CONTENT_LENGTH, CONTENT.length)
            .asImmutable();

    @Benchmark
    public ByteBuffer write() {
        buffer.clear().position(RecordHeader.LENGTH);
        ResponseHead.putTo(200, fields, buffer);
        buffer.put(CONTENT);
        int end = buffer.position();
        buffer.position(0);
        RecordEncoder.putHeader(buffer, RecordType.STDOUT, 1, end - RecordHeader.LENGTH);
        buffer.position(end);
        RecordEncoder.putEnd(buffer, 1, EndRequest.COMPLETE);
        return buffer.flip();
    }
}

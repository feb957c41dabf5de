package io.github.jettyfastcgi.server;

import io.github.jettyfastcgi.protocol.RecordHeader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One line of the debug log for each record: direction, id, type, length of the content, connection. Never anything of
 * what a record carries, which may be a password or a cookie.
 *
 * <pre>
 * &lt;&lt; 1 BEGIN_REQUEST 8 igjs.FastCGIConnection@5e8c92f4
 * &gt;&gt; 1 STDOUT 51 igjs.FastCGIConnection@5e8c92f4
 * </pre>
 */
final class RecordLog {
    private static final Logger LOG = LoggerFactory.getLogger(RecordLog.class);

    private RecordLog() {}

    /** A record begins to come in. */
    static void received(RecordHeader header, FastCGIConnection connection) {
        if (LOG.isDebugEnabled()) LOG.debug("<< {} {}", header, connection.toConnectionString());
    }

    /** The socket is about to take whole records, see {@link #headers}. */
    static void sent(FastCGIConnection connection, ByteBuffer... buffers) {
        if (!LOG.isDebugEnabled()) return;
        for (RecordHeader header : headers(buffers)) LOG.debug(">> {} {}", header, connection.toConnectionString());
    }

    /**
     * Finds the records in what is about to be written.
     *
     * @param buffers whole records; content may extend over several buffers, a header lies in one
     * @return their headers
     */
    static List<RecordHeader> headers(ByteBuffer... buffers) {
        List<RecordHeader> headers = new ArrayList<>();
        int skipped = 0; // how much of the buffer belongs to the record that has begun in one before
        for (ByteBuffer buffer : buffers) {
            int at = buffer.position() + skipped;
            while (at < buffer.limit()) {
                RecordHeader header = headerAt(buffer, at);
                headers.add(header);
                at += RecordHeader.LENGTH + header.contentLength() + header.paddingLength();
            }
            skipped = at - buffer.limit();
        }
        return headers;
    }

    private static RecordHeader headerAt(ByteBuffer buffer, int at) {
        return new RecordHeader(
                buffer.get(at + 1) & 0xFF,
                buffer.getShort(at + 2) & 0xFFFF,
                buffer.getShort(at + 4) & 0xFFFF,
                buffer.get(at + 6) & 0xFF);
    }
}

package io.github.jettyfastcgi.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.RetainableByteBuffer;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.util.BufferUtil;

/**
 * The bytes of a connection that are read and not yet parsed, in a pooled buffer that is held only while there are any.
 *
 * <p>The application retains the buffer for content that it has been given slices of. Bytes are never overwritten then:
 * more is read behind them, or into another buffer. Used by the owner of the parser.
 */
final class InputBuffer {
    private final EndPoint endPoint;
    private final ByteBufferPool pool;
    private final HttpConfiguration configuration;
    private RetainableByteBuffer buffer;

    InputBuffer(EndPoint endPoint, ByteBufferPool pool, HttpConfiguration configuration) {
        this.endPoint = endPoint;
        this.pool = pool;
        this.configuration = configuration;
    }

    boolean hasRemaining() {
        return buffer != null && buffer.hasRemaining();
    }

    /** {@return the bytes to parse, when {@link #hasRemaining()}} */
    ByteBuffer bytes() {
        return buffer.getByteBuffer();
    }

    /** {@return what to retain for slices of {@link #bytes()}} */
    RetainableByteBuffer retainable() {
        return buffer;
    }

    /** Reads what is there; {@return the number of bytes, 0 if there are none now, -1 if there won't be any} */
    int fill() {
        boolean append = prepare();
        ByteBuffer bytes = buffer.getByteBuffer();
        int parsed = bytes.limit();
        if (append) bytes.position(0); // or the endpoint would fill from the start
        int filled = fill(bytes);
        if (append) bytes.position(parsed);
        return filled;
    }

    private int fill(ByteBuffer bytes) {
        try {
            return endPoint.fill(bytes);
        } catch (IOException x) {
            return -1; // to the application it is all the same how the peer went
        }
    }

    /** Reads what is there behind the bytes that aren't parsed, as far as there is room, and like {@link #fill()}. */
    int fillBehind() {
        if (!hasRemaining()) return fill();
        ByteBuffer bytes = buffer.getByteBuffer();
        if (BufferUtil.space(bytes) == 0) return 0;
        int unparsed = bytes.position();
        bytes.position(0); // or the endpoint would move them
        int filled = fill(bytes);
        bytes.position(unparsed);
        return filled;
    }

    /** Drops the bytes that aren't parsed. */
    void clear() {
        if (buffer != null) BufferUtil.clear(buffer.getByteBuffer());
    }

    /** Lets go of a buffer without bytes, unless the application retains it and more can be read behind what it has. */
    void releaseIfEmpty() {
        if (!hasRemaining() && !hasRoomBehind()) release();
    }

    void release() {
        if (buffer != null) buffer.release();
        buffer = null;
    }

    /** Makes sure of a buffer with room; {@return whether its bytes are still in use} */
    private boolean prepare() {
        if (hasRoomBehind()) return true;
        if (buffer != null && buffer.isRetained()) release();
        if (buffer == null)
            buffer = pool.acquire(configuration.getInputBufferSize(), configuration.isUseInputDirectByteBuffers());
        return false;
    }

    private boolean hasRoomBehind() {
        if (buffer == null || !buffer.isRetained()) return false;
        int minSpace = configuration.getMinInputBufferSpace();
        return minSpace > 0 && BufferUtil.space(buffer.getByteBuffer()) >= minSpace;
    }
}

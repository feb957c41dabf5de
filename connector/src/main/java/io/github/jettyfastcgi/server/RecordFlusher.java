package io.github.jettyfastcgi.server;

import io.github.jettyfastcgi.protocol.EndRequest;
import io.github.jettyfastcgi.protocol.RecordEncoder;
import io.github.jettyfastcgi.protocol.RecordHeader;
import io.github.jettyfastcgi.protocol.RecordType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.io.RetainableByteBuffer;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.IteratingCallback;
import org.eclipse.jetty.util.thread.Invocable;

/**
 * The one way out of a connection: writes entries whole, one after another. Any thread may add an entry; the callback of
 * an entry is completed after its last byte was taken by the socket, when the next entry may already be on its way.
 *
 * <p>A write that fails or is cancelled leaves a record cut in two, so nothing can follow: all entries fail, then the
 * connection is closed.
 */
final class RecordFlusher {
    /** How many records of content go into one gathering write. */
    private static final int RECORDS_PER_WRITE = 4;

    private static final int MAX_CONTENT = RecordEncoder.MAX_STDOUT_CONTENT;

    /** How many answers to management and refused records may wait; a peer that asks on without reading is cut off. */
    private static final int MAX_PENDING_REPLIES = 64;

    /**
     * Something to be written.
     *
     * @param stream the response that it belongs to, or {@code null}
     * @param framing the bytes to write first, owned by the entry
     * @param content what follows, or {@code null}: the caller's until the callback is completed
     * @param firstRecordContent how much of the content belongs to the record whose header is in the framing: 0 for
     *     content on the heap, which follows in records of its own
     * @param last whether the end of the response follows the content
     * @param callback is completed once
     */
    private record Entry(
            FastCGIStream stream,
            RetainableByteBuffer framing,
            ByteBuffer content,
            int firstRecordContent,
            boolean last,
            Callback callback) {
        boolean isOf(FastCGIStream other) {
            return stream == other;
        }
    }

    private final Object lock = new Object();
    private final Queue<Entry> queue = new ArrayDeque<>(1);
    private final Writer writer = new Writer();
    private final FastCGIConnection connection;
    private final EndPoint endPoint;
    private Entry active;
    private int pendingReplies;
    private Throwable failure;
    private Callback cancelled;
    private volatile boolean peerGone;

    RecordFlusher(FastCGIConnection connection) {
        this.connection = connection;
        this.endPoint = connection.getEndPoint();
    }

    /**
     * Writes a part of a response.
     *
     * @param stream the response
     * @param framing begins with the header of a STDOUT record; released when it is written
     * @param content what follows the framing, or {@code null}
     * @param firstRecordContent how much of the content that record includes
     * @param last whether the end of the response, which the framing hasn't, follows the content
     * @param callback is completed once all is written, or has failed
     */
    void write(
            FastCGIStream stream,
            RetainableByteBuffer framing,
            ByteBuffer content,
            int firstRecordContent,
            boolean last,
            Callback callback) {
        offer(new Entry(stream, framing, content, firstRecordContent, last, callback));
    }

    /**
     * Writes the answer to a record that isn't the application's.
     *
     * @param records whole records
     */
    void reply(ByteBuffer records) {
        boolean flooded;
        synchronized (lock) {
            flooded = ++pendingReplies > MAX_PENDING_REPLIES;
        }
        if (flooded) {
            endPoint.close(new IOException("More than " + MAX_PENDING_REPLIES + " unread replies"));
            return;
        }
        Callback callback = Callback.from(Invocable.InvocationType.NON_BLOCKING, this::replied);
        offer(new Entry(null, RetainableByteBuffer.wrap(records), null, 0, false, callback));
    }

    /**
     * Runs a callback when all that was added before is written, or has failed.
     *
     * @param callback runs once
     */
    void whenWritten(Runnable callback) {
        offer(new Entry(
                null,
                RetainableByteBuffer.EMPTY,
                null,
                0,
                false,
                Callback.from(Invocable.InvocationType.NON_BLOCKING, callback)));
    }

    /**
     * Gives up a response: nothing more is written of it. If a write is under way its callback fails, then the given
     * one, and the connection is closed.
     *
     * @param stream the response
     * @param cause why
     * @param callback fails when nothing uses the content any more
     */
    void cancel(FastCGIStream stream, Throwable cause, Callback callback) {
        boolean underWay;
        synchronized (lock) {
            stream.giveUp(); // a write that is about to come finds out
            underWay = active != null && active.isOf(stream) || queue.stream().anyMatch(entry -> entry.isOf(stream));
            if (underWay) cancelled = callback;
        }
        if (!underWay) {
            callback.failed(cause);
        } else if (writer.abort(cause)) {
            fail(cause);
        } else {
            failCancelled(cause);
        }
    }

    /** {@return whether there is something that the socket has not taken} */
    boolean isWriting() {
        synchronized (lock) {
            return active != null;
        }
    }

    /** Fails the write that waits for the socket, if there is one, and what is to follow. */
    void fail(Throwable cause) {
        Callback pending = endPoint.cancelWrite(cause);
        if (pending != null) pending.failed(cause);
    }

    /** {@return whether a write has failed since the peer has closed the connection} */
    boolean isPeerGone() {
        return peerGone;
    }

    private void replied() {
        synchronized (lock) {
            pendingReplies--;
        }
    }

    private void offer(Entry entry) {
        Throwable closed;
        synchronized (lock) {
            closed = failure;
            if (closed == null && entry.stream != null && entry.stream.isGivenUp())
                closed = new EofException("The response was given up");
            if (closed == null && active != null) {
                queue.add(entry);
                return;
            }
            if (closed == null) activate(entry);
        }
        if (closed == null) writer.iterate();
        else fail(entry, new EofException(closed));
    }

    /** Makes an entry the one to be written; with the lock held, so that whoever cancels it finds it whole. */
    private void activate(Entry entry) {
        active = entry;
        if (entry != null) writer.prepare(entry);
    }

    /** Moves bytes from one buffer to another. */
    static void move(ByteBuffer from, int length, ByteBuffer to) {
        if (length == 0) return;
        to.put(to.position(), from, from.position(), length);
        to.position(to.position() + length);
        from.position(from.position() + length);
    }

    private static void fail(Entry entry, Throwable cause) {
        entry.framing.release();
        entry.callback.failed(cause);
    }

    private void failCancelled(Throwable cause) {
        Callback callback;
        synchronized (lock) {
            callback = cancelled;
            cancelled = null;
        }
        if (callback != null) callback.failed(cause);
    }

    /** Writes the active entry, in as many writes as it takes. */
    private final class Writer extends IteratingCallback {
        private Entry entry;
        private boolean begun;
        private long writing;

        private Writer() {
            super(true);
        }

        private void prepare(Entry next) {
            entry = next;
            begun = false;
            reset();
        }

        @Override
        protected Action process() {
            ByteBuffer framing = entry.framing.getByteBuffer();
            if (!begun && entry.content == null) {
                begun = true;
                return framing.hasRemaining() ? write(framing) : Action.SUCCEEDED;
            }
            if (BufferUtil.isEmpty(entry.content)) return Action.SUCCEEDED;
            if (entry.content.isDirect()) return gather(framing);
            if (begun) fill(framing);
            begun = true;
            return write(framing);
        }

        /** Puts the next record of content into the framing's buffer, and the end of the response with its last. */
        private void fill(ByteBuffer buffer) {
            BufferUtil.clearToFill(buffer);
            int room = Math.min(buffer.remaining() - RecordHeader.LENGTH - RecordEncoder.END_LENGTH, MAX_CONTENT);
            int length = Math.min(entry.content.remaining(), room);
            RecordEncoder.putHeader(buffer, RecordType.STDOUT, entry.stream.requestId(), length);
            move(entry.content, length, buffer);
            if (entry.last && !entry.content.hasRemaining())
                RecordEncoder.putEnd(buffer, entry.stream.requestId(), EndRequest.COMPLETE);
            BufferUtil.flipToFlush(buffer, 0);
        }

        /** Writes the next records of content from where it is, and the end of the response with the last. */
        private Action gather(ByteBuffer framing) {
            List<ByteBuffer> buffers = new ArrayList<>(2 * RECORDS_PER_WRITE + 1);
            int records = 0;
            if (!begun) {
                begun = true;
                buffers.add(framing);
                buffers.add(nextContent(entry.firstRecordContent));
                records = 1;
            }
            for (; records < RECORDS_PER_WRITE && entry.content.hasRemaining(); records++) {
                int length = Math.min(MAX_CONTENT, entry.content.remaining());
                buffers.add(recordHeader(length));
                buffers.add(nextContent(length));
            }
            if (entry.last && !entry.content.hasRemaining()) buffers.add(end());
            return write(buffers.toArray(ByteBuffer[]::new));
        }

        private Action write(ByteBuffer... records) {
            ByteBuffer[] buffers = isEnd() && connection.endsBehindResponse() ? andOneMore(records) : records;
            writing = BufferUtil.remaining(buffers);
            RecordLog.sent(connection, buffers);
            endPoint.write(this, buffers);
            return Action.SCHEDULED;
        }

        private boolean isEnd() {
            return entry.stream != null && entry.stream.isEnded() && BufferUtil.isEmpty(entry.content);
        }

        /**
         * Adds a record behind END_REQUEST, which says nothing. The close that follows is another system call, before which
         * a web server may have sent its next request; nginx doesn't keep a connection that has more to read.
         */
        private ByteBuffer[] andOneMore(ByteBuffer[] records) {
            ByteBuffer[] more = Arrays.copyOf(records, records.length + 1);
            ByteBuffer header = ByteBuffer.allocate(RecordHeader.LENGTH);
            RecordEncoder.putHeader(header, RecordType.STDERR, entry.stream.requestId(), 0);
            more[records.length] = header.flip();
            return more;
        }

        private ByteBuffer nextContent(int length) {
            ByteBuffer content = entry.content;
            ByteBuffer next = content.slice(content.position(), length);
            content.position(content.position() + length);
            return next;
        }

        private ByteBuffer recordHeader(int contentLength) {
            ByteBuffer header = ByteBuffer.allocate(RecordHeader.LENGTH);
            RecordEncoder.putHeader(header, RecordType.STDOUT, entry.stream.requestId(), contentLength);
            return header.flip();
        }

        private ByteBuffer end() {
            ByteBuffer end = ByteBuffer.allocate(RecordEncoder.END_LENGTH);
            RecordEncoder.putEnd(end, entry.stream.requestId(), EndRequest.COMPLETE);
            return end.flip();
        }

        @Override
        protected void onSuccess() {
            connection.countSent(writing);
        }

        @Override
        protected void onCompleteSuccess() {
            Entry written = entry;
            entry = null;
            written.framing.release();
            Entry next;
            synchronized (lock) {
                next = queue.poll();
                activate(next);
            }
            if (next != null) iterate();
            written.callback.succeeded();
        }

        @Override
        protected void onCompleteFailure(Throwable cause) {
            Entry cut = entry;
            entry = null;
            List<Entry> waiting;
            // What the socket itself refuses is wrapped into that, what is closed or cancelled here isn't, or says so
            peerGone = cause instanceof EofException && !(cause.getCause() instanceof ClosedChannelException);
            synchronized (lock) {
                failure = cause;
                active = null;
                waiting = List.copyOf(queue);
                queue.clear();
            }
            connection.reset(cause);
            fail(cut, cause);
            failCancelled(cause);
            waiting.forEach(next -> fail(next, cause));
        }

        @Override
        public InvocationType getInvocationType() {
            Entry current = entry;
            return current == null ? InvocationType.NON_BLOCKING : current.callback.getInvocationType();
        }
    }
}

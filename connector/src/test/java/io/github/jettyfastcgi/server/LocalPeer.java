package io.github.jettyfastcgi.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.io.ByteArrayEndPoint;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.util.BufferUtil;

/**
 * A peer without a socket: what it sends is read, and handled, by the thread that sends it, and each write of the
 * connector is seen on its own.
 */
final class LocalPeer extends Peer {
    private final RecordingEndPoint endPoint;
    private ByteBuffer input = BufferUtil.EMPTY_BUFFER;

    /**
     * Creates a peer.
     *
     * @param connector the connector, which reads
     * @param first what it reads first, byte by byte
     */
    LocalPeer(Connector connector) {
        this(connector, new byte[0]);
    }

    LocalPeer(Connector connector, byte[] first) {
        endPoint = new RecordingEndPoint(connector);
        for (byte b : first) endPoint.addInput(ByteBuffer.wrap(new byte[] {b}));
        Connection connection = connector.getDefaultConnectionFactory().newConnection(connector, endPoint);
        endPoint.setConnection(connection);
        connection.onOpen();
    }

    @Override
    void write(byte[] bytes) {
        endPoint.addInput(ByteBuffer.wrap(bytes));
    }

    /** Sends bytes for a thread of the connector's to read and handle. */
    void sendAside(byte[] bytes) {
        endPoint.addInputAndExecute(ByteBuffer.wrap(bytes));
    }

    @Override
    byte[] read(int length) {
        byte[] bytes = new byte[length];
        int count = 0;
        while (count < length) {
            if (!input.hasRemaining()) {
                Await.until("output", () -> endPoint.getOutput().hasRemaining());
                input = endPoint.takeOutput();
            }
            int next = Math.min(length - count, input.remaining());
            input.get(bytes, count, next);
            count += next;
        }
        return bytes;
    }

    /** {@return the number of bytes of each write so far} */
    List<Integer> writes() {
        return endPoint.writes;
    }

    /** {@return whether there is output that wasn't read} */
    boolean hasOutput() {
        return input.hasRemaining() || endPoint.getOutput().hasRemaining();
    }

    /** Takes only so many bytes altogether; the write of the next one waits. */
    void takeOnly(int length) {
        endPoint.room = length;
    }

    /** {@return whether a write waits, as all was taken that was to be} */
    boolean isFull() {
        return endPoint.getWriteFlusher().isPending();
    }

    /** {@return how many bytes of output were taken so far} */
    int taken() {
        return endPoint.taken;
    }

    /**
     * Lets something happen within the next read of the connector, which then finds bytes that nothing else tells it of.
     *
     * @param task what happens
     * @param bytes what the read finds; if there are none, what else has come
     */
    void onNextRead(Runnable task, byte[] bytes) {
        endPoint.nextRead.set(new Read(task, bytes));
    }

    FastCGIConnection connection() {
        return (FastCGIConnection) endPoint.getConnection();
    }

    /** Ends the output of this peer. */
    void end() {
        endPoint.addInputEOF();
    }

    /** Goes as a closed socket does: its output has ended, and writes to it fail. */
    void close() {
        end();
        endPoint.breakWrites();
    }

    /** Goes as a socket that is reset does: reads and writes fail. */
    void reset() {
        endPoint.reset = true;
        endPoint.breakWrites();
        if (endPoint.isOpen()) end();
    }

    /** {@return whether the connector has closed the connection} */
    boolean isClosed() {
        return !endPoint.isOpen();
    }

    private record Read(Runnable task, byte[] bytes) {}

    private static final class RecordingEndPoint extends ByteArrayEndPoint {
        private final List<Integer> writes = new CopyOnWriteArrayList<>();
        private final AtomicReference<Read> nextRead = new AtomicReference<>();
        private final Connector connector;
        private volatile int room = Integer.MAX_VALUE;
        private volatile int taken;
        private volatile boolean broken;
        private volatile boolean reset;

        RecordingEndPoint(Connector connector) {
            super(connector.getScheduler(), connector.getIdleTimeout());
            this.connector = connector;
        }

        @Override
        public int fill(ByteBuffer buffer) throws IOException {
            if (reset) throw new IOException("Connection reset");
            Read next = nextRead.getAndSet(null);
            if (next == null) return super.fill(buffer);
            next.task().run();
            return next.bytes().length == 0
                    ? super.fill(buffer)
                    : BufferUtil.append(buffer, ByteBuffer.wrap(next.bytes()));
        }

        @Override
        public boolean flush(ByteBuffer... buffers) throws IOException {
            if (broken) throw new IOException("Broken pipe");
            writes.add((int) BufferUtil.remaining(buffers));
            for (ByteBuffer buffer : buffers) {
                int length = Math.min(buffer.remaining(), room - taken);
                super.flush(buffer.slice(buffer.position(), length));
                buffer.position(buffer.position() + length);
                taken += length;
                if (buffer.hasRemaining()) return false;
            }
            return true;
        }

        /** Fails the write that waits, and the ones to come. */
        private void breakWrites() {
            broken = true;
            getWriteFlusher().completeWrite();
        }

        @Override
        public void onClose(Throwable failure) {
            if (getConnection() != null) getConnection().onClose(failure);
            super.onClose(failure);
        }

        @Override
        protected void execute(Runnable task) {
            connector.getExecutor().execute(task);
        }
    }
}

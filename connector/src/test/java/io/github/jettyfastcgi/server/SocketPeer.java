package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/** A peer at the other end of a socket. */
final class SocketPeer extends Peer implements AutoCloseable {
    /** How long a socket has to take nothing to be taken for full. */
    private static final Duration FULL_AFTER = Duration.ofMillis(200);

    private final SocketChannel channel;
    private final Selector selector;
    private final SelectionKey key;
    private final ByteBuffer input = ByteBuffer.allocate(256 * 1024).limit(0);
    private ByteBuffer output = ByteBuffer.allocate(0);

    SocketPeer(SocketAddress address) throws IOException {
        channel = SocketChannel.open(address);
        if (address instanceof InetSocketAddress) channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        selector = Selector.open();
        key = channel.register(selector, 0);
    }

    @Override
    void write(byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        write(buffer, Await.DEADLINE);
        if (buffer.hasRemaining()) fail("The connector doesn't read: " + buffer.remaining() + " bytes are left");
    }

    /** Writes until all is taken, or the socket is full; {@return how much was taken} */
    int writeUntilFull(byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        write(buffer, FULL_AFTER);
        return buffer.position();
    }

    /** Leaves bytes to be written along with the reads that follow. */
    void writeWhileReading(byte[] bytes) {
        output = ByteBuffer.wrap(bytes);
    }

    private void write(ByteBuffer buffer, Duration patience) throws IOException {
        while (buffer.hasRemaining()) if (channel.write(buffer) == 0 && !await(SelectionKey.OP_WRITE, patience)) return;
    }

    @Override
    byte[] read(int length) throws IOException {
        byte[] bytes = new byte[length];
        int count = 0;
        while (count < length) {
            if (!input.hasRemaining() && fill() < 0)
                throw new EOFException("The connection was closed after " + count + " of " + length + " bytes");
            int next = Math.min(length - count, input.remaining());
            input.get(bytes, count, next);
            count += next;
        }
        return bytes;
    }

    /** Reads as many bytes as asked for, and leaves what follows in the socket. */
    void readOnly(int length) throws IOException {
        for (int left = length; left > 0; left -= input.remaining())
            if (fill(left) < 0) throw new EOFException("The connection was closed, " + left + " bytes are missing");
        input.limit(0);
    }

    /** Expects that the connector has ended its output and sent nothing more, while the connection wasn't reset. */
    void assertEnd() throws IOException {
        assertThat(input.hasRemaining() || fill() >= 0)
                .as("anything before the end")
                .isFalse();
    }

    /** Expects that the connection is reset, after anything. */
    void assertReset() {
        assertThatThrownBy(this::readToEnd).isInstanceOf(IOException.class).hasMessageContaining("reset");
    }

    /** Reads all that comes before the end of the connection, however it ends; {@return the number of bytes} */
    long readToClose() {
        long[] count = {0};
        try {
            readToEnd(count);
        } catch (IOException x) {
            return count[0]; // reset
        }
        return count[0];
    }

    private void readToEnd() throws IOException {
        readToEnd(new long[1]);
    }

    private void readToEnd(long[] count) throws IOException {
        count[0] += input.remaining();
        for (int filled = fill(); filled >= 0; filled = fill()) count[0] += filled;
    }

    private int fill() throws IOException {
        return fill(input.capacity());
    }

    private int fill(int limit) throws IOException {
        input.clear().limit(Math.min(limit, input.capacity()));
        int filled = 0;
        while (filled == 0) {
            if (output.hasRemaining()) channel.write(output);
            filled = channel.read(input);
            int operations =
                    output.hasRemaining() ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
            if (filled == 0 && !await(operations, Await.DEADLINE)) fail("Nothing comes");
        }
        input.flip();
        return filled;
    }

    private boolean await(int operations, Duration patience) throws IOException {
        key.interestOps(operations);
        boolean ready = selector.select(patience.toMillis()) > 0;
        selector.selectedKeys().clear();
        return ready;
    }

    /** Ends the output: FIN. */
    void shutdownOutput() throws IOException {
        channel.shutdownOutput();
    }

    /** Closes a TCP connection by RST. */
    void reset() throws IOException {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        close();
    }

    @Override
    public void close() throws IOException {
        channel.close();
        selector.close(); // which deregisters, without which the socket stays open
    }
}

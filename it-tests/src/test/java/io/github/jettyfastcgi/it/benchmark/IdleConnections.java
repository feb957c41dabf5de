package io.github.jettyfastcgi.it.benchmark;

import java.io.EOFException;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What a kept connection costs this connector after its request, as long as no other comes. */
final class IdleConnections {
    static final String HEAP_AT_FIRST = "heap of a kept connection just after a browser's request, bytes";
    static final String HEAP = "heap of an idle kept connection, bytes";
    static final String THREADS = "threads of 1,000 idle kept connections";

    /** Twice the interval in which the connector looks for idle connections, and some more. */
    private static final Duration LETTING_GO = Duration.ofSeconds(25);

    private static final int FEW = 200;
    private static final int MANY = 1_000;
    private static final int BEGIN_REQUEST = 1;
    private static final int END_REQUEST = 3;
    private static final int PARAMS = 4;
    private static final int STDIN = 5;
    private static final int HEADER = 8;

    private IdleConnections() {}

    /** The difference that many connections make after a few: what is made once doesn't count. */
    static void measure(Jvm jvm, Path socket, Results results) throws IOException, InterruptedException {
        List<SocketChannel> connections = new ArrayList<>();
        try {
            open(socket, FEW, connections);
            Thread.sleep(LETTING_GO.toMillis());
            long bytes = jvm.liveBytes();
            int threads = jvm.threads();
            open(socket, MANY, connections);
            results.put(HEAP_AT_FIRST, (double) (jvm.liveBytes() - bytes) / MANY);
            Thread.sleep(LETTING_GO.toMillis());
            results.put(HEAP, (double) (jvm.liveBytes() - bytes) / MANY);
            results.put(THREADS, jvm.threads() - threads);
        } finally {
            for (SocketChannel connection : connections) {
                connection.close();
            }
        }
    }

    private static void open(Path socket, int count, List<SocketChannel> connections) throws IOException {
        for (int i = 0; i < count; i++) {
            SocketChannel connection = SocketChannel.open(UnixDomainSocketAddress.of(socket));
            connections.add(connection);
            connection.write(request());
            awaitEnd(connection);
        }
    }

    private static ByteBuffer request() {
        ByteBuffer buffer = ByteBuffer.allocate(4096);
        record(buffer, BEGIN_REQUEST, new byte[] {0, 1, 1, 0, 0, 0, 0, 0});
        ByteBuffer pairs = ByteBuffer.allocate(2048);
        pair(pairs, "REQUEST_METHOD", "GET");
        pair(pairs, "REQUEST_URI", "/hello");
        pair(pairs, "SERVER_PROTOCOL", "HTTP/1.1");
        pair(pairs, "REMOTE_ADDR", "127.0.0.1");
        pair(pairs, "REMOTE_PORT", "40000");
        pair(pairs, "HTTP_HOST", "www.example.org");
        for (String field : Workload.BROWSER.fields()) {
            int colon = field.indexOf(':');
            pair(
                    pairs,
                    "HTTP_" + field.substring(0, colon).toUpperCase().replace('-', '_'),
                    field.substring(colon + 2));
        }
        byte[] content = new byte[pairs.flip().remaining()];
        pairs.get(content);
        record(buffer, PARAMS, content);
        record(buffer, PARAMS, new byte[0]);
        record(buffer, STDIN, new byte[0]);
        return buffer.flip();
    }

    private static void record(ByteBuffer buffer, int type, byte[] content) {
        buffer.put((byte) 1)
                .put((byte) type)
                .putShort((short) 1)
                .putShort((short) content.length)
                .putShort((short) 0);
        buffer.put(content);
    }

    private static void pair(ByteBuffer buffer, String name, String value) {
        for (String text : List.of(name, value)) {
            if (text.length() < 128) buffer.put((byte) text.length());
            else buffer.putInt(text.length() | 1 << 31);
        }
        buffer.put(name.getBytes(StandardCharsets.US_ASCII)).put(value.getBytes(StandardCharsets.US_ASCII));
    }

    /** Reads whole records up to END_REQUEST. */
    private static void awaitEnd(SocketChannel connection) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(8192);
        int type = 0;
        int next = 0;
        while (type != END_REQUEST || buffer.position() < next) {
            if (buffer.position() >= next + HEADER) {
                type = buffer.get(next + 1);
                next += HEADER + (buffer.getShort(next + 4) & 0xFFFF) + (buffer.get(next + 6) & 0xFF);
            } else if (connection.read(buffer) < 0) {
                throw new EOFException();
            }
        }
    }
}

package io.github.jettyfastcgi.it;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A web server's end of one kept FastCGI connection, for what no web server does. */
final class FastCGIClient implements AutoCloseable {
    static final int MAX_CONTENT = 32 * 1024;

    private static final int BEGIN_REQUEST = 1;
    private static final int END_REQUEST = 3;
    private static final int PARAMS = 4;
    private static final int STDIN = 5;
    private static final int HEADER_LENGTH = 8;
    private static final int ID = 1;
    private static final byte[] RESPONDER_KEPT = {0, 1, 1, 0, 0, 0, 0, 0};

    private final SocketChannel channel;
    private final ByteArrayOutputStream unsent = new ByteArrayOutputStream();

    FastCGIClient(Path socket) throws IOException {
        channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
    }

    /** Sends a whole request without content. */
    void get(String target) throws IOException {
        begin();
        variables("REQUEST_METHOD", "GET", "REQUEST_URI", target, "HTTP_HOST", "www.example.com");
        endVariables();
        stdin(new byte[0]);
    }

    /** Sends a request up to the end of its variables. */
    void post(String target, long contentLength) throws IOException {
        begin();
        variables("REQUEST_METHOD", "POST", "REQUEST_URI", target, "HTTP_HOST", "www.example.com");
        variables("CONTENT_LENGTH", Long.toString(contentLength));
        endVariables();
        send();
    }

    void begin() {
        record(BEGIN_REQUEST, RESPONDER_KEPT);
    }

    /** Adds names and values, in turn, none of which is longer than 127 bytes. */
    void variables(String... namesAndValues) {
        ByteArrayOutputStream pairs = new ByteArrayOutputStream();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            pairs.write(namesAndValues[i].length());
            pairs.write(namesAndValues[i + 1].length());
            pairs.writeBytes((namesAndValues[i] + namesAndValues[i + 1]).getBytes(StandardCharsets.US_ASCII));
        }
        record(PARAMS, pairs.toByteArray());
    }

    private void endVariables() {
        record(PARAMS, new byte[0]);
    }

    /** Sends content, of at most {@link #MAX_CONTENT} bytes; none ends it. */
    void stdin(byte[] content) throws IOException {
        record(STDIN, content);
        send();
    }

    private void record(int type, byte[] content) {
        unsent.writeBytes(
                new byte[] {1, (byte) type, 0, ID, (byte) (content.length >> 8), (byte) content.length, 0, 0});
        unsent.writeBytes(content);
    }

    /** Sends what was begun. */
    void send() throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(unsent.toByteArray());
        unsent.reset();
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    /** The response, head and content, of which the records are read as it is; it ends with END_REQUEST. */
    InputStream response() {
        return new Response();
    }

    /** Reads and drops what comes until the other end closes. */
    void awaitClose() throws IOException {
        Channels.newInputStream(channel).transferTo(OutputStream.nullOutputStream());
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private final class Response extends InputStream {
        private int left;
        private boolean ended;

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            while (left == 0) {
                if (ended) {
                    return -1;
                }
                nextRecord();
            }
            int count = channel.read(ByteBuffer.wrap(target, offset, Math.min(length, left)));
            if (count < 0) {
                throw new EOFException("connection ended within a record");
            }
            left -= count;
            return count;
        }

        private void nextRecord() throws IOException {
            ByteBuffer header = whole(HEADER_LENGTH);
            int length = header.getShort(4) & 0xFFFF;
            if (header.get(1) == END_REQUEST) {
                whole(length);
                ended = true;
            } else {
                left = length;
            }
        }

        private ByteBuffer whole(int length) throws IOException {
            ByteBuffer bytes = ByteBuffer.allocate(length);
            while (bytes.hasRemaining()) {
                if (channel.read(bytes) < 0) {
                    throw new EOFException("connection ended without END_REQUEST");
                }
            }
            return bytes;
        }
    }

    /** Reads the head of a response, so that its content is next; returns the lines. */
    static List<String> readHead(InputStream response) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int b = response.read();
            if (b < 0) {
                throw new EOFException("response ended within its head");
            }
            head.write(b);
        }
        return head.toString(StandardCharsets.ISO_8859_1).lines().toList();
    }
}

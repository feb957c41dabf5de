package io.github.jettyfastcgi.it;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One HTTP/1.1 client connection, byte by byte: for what Java's HttpClient doesn't send, or hides. */
final class RawConnection implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 60_000;

    private final Socket socket;
    private final InputStream input;

    RawConnection(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        input = new BufferedInputStream(socket.getInputStream());
    }

    int localPort() {
        return socket.getLocalPort();
    }

    OutputStream output() throws IOException {
        return socket.getOutputStream();
    }

    /** Sends lines, each char as one byte, and the empty line that ends them. */
    void sendHead(String... lines) throws IOException {
        output().write((String.join("\r\n", lines) + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
    }

    void send(byte[] content) throws IOException {
        output().write(content);
    }

    /** Sends one chunk of a chunked body; an empty one ends the body. */
    void sendChunk(byte[] content) throws IOException {
        ByteArrayOutputStream chunk = new ByteArrayOutputStream(content.length + 16);
        chunk.writeBytes((Integer.toHexString(content.length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
        chunk.writeBytes(content);
        chunk.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
        output().write(chunk.toByteArray());
    }

    /** Reads a whole response; throws an EOFException when the connection ends within it. */
    Response read() throws IOException {
        Head head = readHead();
        return new Response(head, body(head).readAllBytes());
    }

    /** Reads the response to a HEAD request: its content doesn't come. */
    Head readHead() throws IOException {
        int status = Integer.parseInt(readLine().split(" ")[1]);
        List<Field> fields = new ArrayList<>();
        for (String line = readLine(); !line.isEmpty(); line = readLine()) {
            int colon = line.indexOf(':');
            fields.add(new Field(
                    line.substring(0, colon), line.substring(colon + 1).strip()));
        }
        return new Head(status, fields);
    }

    /**
     * The content that follows the head, with the framing taken off; its end before the promised one is an error.
     * Without framing it ends with the connection.
     */
    InputStream body(Head head) {
        if (head.status() == 204 || head.status() == 304) {
            return InputStream.nullInputStream();
        }
        if (head.field("Transfer-Encoding").filter("chunked"::equals).isPresent()) {
            return new ChunkedInput();
        }
        return head.field("Content-Length")
                .<InputStream>map(length -> new FixedInput(Long.parseLong(length)))
                .orElse(input);
    }

    private String readLine() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = readByte(); b != '\n'; b = readByte()) {
            line.append((char) b);
        }
        line.setLength(line.length() - 1);
        return line.toString();
    }

    private int readByte() throws IOException {
        int b = input.read();
        if (b < 0) {
            throw new EOFException("connection ended within a response");
        }
        return b;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    record Field(String name, String value) {}

    record Head(int status, List<Field> fields) {
        Optional<String> field(String name) {
            return fields.stream()
                    .filter(field -> field.name().equalsIgnoreCase(name))
                    .map(Field::value)
                    .findFirst();
        }
    }

    record Response(Head head, byte[] content) {
        int status() {
            return head.status();
        }

        Optional<String> field(String name) {
            return head.field(name);
        }

        String text() {
            return new String(content, StandardCharsets.UTF_8);
        }
    }

    /** Content of known length. */
    private final class FixedInput extends InputStream {
        private long left;

        FixedInput(long length) {
            left = length;
        }

        @Override
        public int read() throws IOException {
            if (left == 0) {
                return -1;
            }
            left--;
            return readByte();
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            if (left == 0) {
                return -1;
            }
            int count = input.read(target, offset, (int) Math.min(length, left));
            if (count < 0) {
                throw new EOFException(left + " bytes of the content are missing");
            }
            left -= count;
            return count;
        }
    }

    /** Content in chunks. */
    private final class ChunkedInput extends InputStream {
        private FixedInput chunk = new FixedInput(0);
        private boolean first = true;
        private boolean last;

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            if (last) {
                return -1;
            }
            int count = chunk.read(target, offset, length);
            if (count < 0) {
                nextChunk();
                return read(target, offset, length);
            }
            return count;
        }

        private void nextChunk() throws IOException {
            if (!first) {
                readLine();
            }
            first = false;
            long size = Long.parseLong(readLine(), 16);
            chunk = new FixedInput(size);
            if (size == 0) {
                readLine();
                last = true;
            }
        }
    }
}

package io.github.jettyfastcgi.protocol;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What a fuzzer makes up: first some bytes that choose among settings, then what is parsed. */
public final class FuzzInput {
    private static final int BYTE_BY_BYTE = 1;
    private static final int MAX_CHUNK = 300;

    private final ByteBuffer bytes;

    public FuzzInput(byte[] bytes) {
        this.bytes = ByteBuffer.wrap(bytes);
    }

    /** {@return the next byte, from 0 to {@code bound - 1}; 0 when there is none} */
    public int choice(int bound) {
        return bytes.hasRemaining() ? (bytes.get() & 0xFF) % bound : 0;
    }

    /** {@return the next bytes, as many as asked for, or as there are} */
    public byte[] bytes(int length) {
        byte[] next = new byte[Math.min(length, bytes.remaining())];
        bytes.get(next);
        return next;
    }

    /** {@return all bytes that are left} */
    public byte[] rest() {
        return bytes(bytes.remaining());
    }

    /** {@return bytes as they may come from a socket: at once, one by one, or in any other way that a byte chooses} */
    public static List<ByteBuffer> chunks(byte[] bytes, int way) {
        List<ByteBuffer> chunks = new ArrayList<>();
        Random random = new Random(way);
        for (int at = 0; at < bytes.length; ) {
            int length = way == 0 ? bytes.length : way == BYTE_BY_BYTE ? 1 : 1 + random.nextInt(MAX_CHUNK);
            length = Math.min(length, bytes.length - at);
            chunks.add(ByteBuffer.wrap(bytes, at, length).slice());
            at += length;
        }
        return chunks;
    }
}

package io.github.jettyfastcgi.fcgispec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

/** Name-value pairs (FastCGI 3.4); a character is a byte. */
final class Pairs {
    private static final int LONG_LENGTH = 0x8000_0000;

    private Pairs() {}

    /** {@return the pair with the shortest possible lengths} */
    static byte[] pair(String name, String value) {
        return Records.concat(length(name.length()), length(value.length()), bytes(name), bytes(value));
    }

    /** {@return the pair with lengths of four bytes} */
    static byte[] longPair(String name, String value) {
        return Records.concat(longLength(name.length()), longLength(value.length()), bytes(name), bytes(value));
    }

    static byte[] length(int length) {
        return length > 127 ? longLength(length) : new byte[] {(byte) length};
    }

    static byte[] longLength(int length) {
        return ByteBuffer.allocate(4).putInt(length | LONG_LENGTH).array();
    }

    static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }

    static Map<String, String> parse(byte[] bytes) {
        Map<String, String> pairs = new LinkedHashMap<>();
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        try {
            while (buffer.hasRemaining()) {
                int nameLength = takeLength(buffer);
                int valueLength = takeLength(buffer);
                String name = take(buffer, nameLength);
                pairs.put(name, take(buffer, valueLength));
            }
        } catch (BufferUnderflowException e) {
            throw new Unmet("name-value pairs that are cut off: " + new String(bytes, ISO_8859_1));
        }
        return pairs;
    }

    private static int takeLength(ByteBuffer buffer) {
        return buffer.get(buffer.position()) < 0 ? buffer.getInt() & ~LONG_LENGTH : buffer.get();
    }

    private static String take(ByteBuffer buffer, int length) {
        if (length > buffer.remaining()) throw new BufferUnderflowException();
        byte[] text = new byte[length];
        buffer.get(text);
        return new String(text, ISO_8859_1);
    }
}

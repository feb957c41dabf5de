package io.github.jettyfastcgi.protocol;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * What a web server sends, record by record. It writes the bytes by its own means, from the specification, so that the
 * code under test is never measured by itself.
 */
public final class RecordScript {
    private static final int VERSION = 1;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private int padding;

    /** Pads the records that follow. */
    public RecordScript padding(int length) {
        padding = length;
        return this;
    }

    public RecordScript begin(int requestId, int role, int flags) {
        return record(1, requestId, new byte[] {(byte) (role >> 8), (byte) role, (byte) flags, 0, 0, 0, 0, 0});
    }

    public RecordScript abort(int requestId) {
        return record(2, requestId, new byte[0]);
    }

    public RecordScript params(int requestId, byte[] content) {
        return record(4, requestId, content);
    }

    /** Writes the variables as one record, then the empty one that ends them. */
    public RecordScript params(int requestId, String... namesAndValues) {
        return params(requestId, pairs(namesAndValues)).params(requestId, new byte[0]);
    }

    public RecordScript stdin(int requestId, byte[] content) {
        return record(5, requestId, content);
    }

    public RecordScript stdin(int requestId, String content) {
        return stdin(requestId, content.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Asks for values, none of which has a value in the question. */
    public RecordScript getValues(String... names) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (String name : names) writePair(name, "", content);
        return record(9, 0, content.toByteArray());
    }

    public RecordScript record(int type, int requestId, byte[] content) {
        out.write(VERSION);
        out.write(type);
        writeShort(requestId);
        writeShort(content.length);
        out.write(padding);
        out.write(0);
        out.writeBytes(content);
        for (int i = 0; i < padding; i++) out.write(0xEE);
        return this;
    }

    /** Writes any bytes, also such as are no record. */
    public RecordScript raw(byte[] bytes) {
        out.writeBytes(bytes);
        return this;
    }

    public byte[] bytes() {
        return out.toByteArray();
    }

    /** Encodes names and values, in turn, in ISO-8859-1. */
    public static byte[] pairs(String... namesAndValues) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (int i = 0; i < namesAndValues.length; i += 2) writePair(namesAndValues[i], namesAndValues[i + 1], content);
        return content.toByteArray();
    }

    private static void writePair(String name, String value, ByteArrayOutputStream content) {
        writeLength(name.length(), content);
        writeLength(value.length(), content);
        content.writeBytes(name.getBytes(StandardCharsets.ISO_8859_1));
        content.writeBytes(value.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static void writeLength(int length, ByteArrayOutputStream content) {
        if (length > 127) {
            content.write(128 + length / 16_777_216);
            content.write(length / 65_536 % 256);
            content.write(length / 256 % 256);
        }
        content.write(length % 256);
    }

    private void writeShort(int value) {
        out.write(value / 256);
        out.write(value % 256);
    }
}

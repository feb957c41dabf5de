package io.github.jettyfastcgi.server;

import java.nio.charset.StandardCharsets;

/** A record as a peer reads it. */
record WireRecord(int type, int id, byte[] content, int padding) {
    static final int HEADER_LENGTH = 8;

    /** {@return how many bytes follow the header} */
    static int lengthBehind(byte[] header) {
        return unsigned(header, 4) + (header[6] & 0xFF);
    }

    static WireRecord of(byte[] header, byte[] behind) {
        if (header[0] != 1) throw new AssertionError("version " + header[0]);
        byte[] content = new byte[unsigned(header, 4)];
        System.arraycopy(behind, 0, content, 0, content.length);
        return new WireRecord(header[1], unsigned(header, 2), content, header[6] & 0xFF);
    }

    String text() {
        return new String(content, StandardCharsets.ISO_8859_1);
    }

    private static int unsigned(byte[] bytes, int at) {
        return (bytes[at] & 0xFF) << 8 | bytes[at + 1] & 0xFF;
    }

    @Override
    public String toString() {
        return "type " + type + ", id " + id + ", " + content.length + " bytes";
    }
}

package io.github.jettyfastcgi.fcgispec;

import java.nio.ByteBuffer;

/** A record as it came from the application. */
record WireRecord(int version, int type, int requestId, int paddingLength, int reserved, byte[] content) {
    static final int HEADER_LENGTH = 8;

    /** {@return the first record in the bytes, which are taken, or {@code null} if it isn't whole} */
    static WireRecord takeFrom(ByteBuffer bytes) {
        if (bytes.remaining() < HEADER_LENGTH) return null;
        int at = bytes.position();
        int contentLength = bytes.getShort(at + 4) & 0xFFFF;
        int paddingLength = bytes.get(at + 6) & 0xFF;
        if (bytes.remaining() < HEADER_LENGTH + contentLength + paddingLength) return null;
        byte[] content = new byte[contentLength];
        bytes.position(at + HEADER_LENGTH).get(content);
        bytes.position(bytes.position() + paddingLength);
        return new WireRecord(
                bytes.get(at) & 0xFF,
                bytes.get(at + 1) & 0xFF,
                bytes.getShort(at + 2) & 0xFFFF,
                paddingLength,
                bytes.get(at + 7) & 0xFF,
                content);
    }

    int length() {
        return HEADER_LENGTH + content.length + paddingLength;
    }

    @Override
    public String toString() {
        return RecordType.name(type) + " of " + content.length + " bytes for id " + requestId;
    }
}

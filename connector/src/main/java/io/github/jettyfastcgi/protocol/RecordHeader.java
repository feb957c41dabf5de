package io.github.jettyfastcgi.protocol;

import java.nio.ByteBuffer;

/**
 * The eight bytes before the content of each record (FastCGI specification 1.0, section 3.3).
 *
 * @param typeCode the type as it is on the wire, 0 to 255
 * @param requestId the request that the record belongs to, 1 to 65535; {@value #MANAGEMENT_ID} for management records
 * @param contentLength the number of content bytes, 0 to {@value #MAX_CONTENT_LENGTH}
 * @param paddingLength the number of bytes to skip after the content, 0 to 255
 */
public record RecordHeader(int typeCode, int requestId, int contentLength, int paddingLength) {
    /** The number of bytes of a header. */
    public static final int LENGTH = 8;

    /** The only version of the protocol. */
    public static final int VERSION = 1;

    /** The request id of management records. */
    public static final int MANAGEMENT_ID = 0;

    /** The most content that one record carries. */
    public static final int MAX_CONTENT_LENGTH = 65_535;

    /**
     * Reads a header and advances the buffer by {@link #LENGTH}.
     *
     * @param buffer holds at least {@link #LENGTH} bytes
     * @return the header
     * @throws FastCGIException for a version other than {@link #VERSION}
     */
    public static RecordHeader readFrom(ByteBuffer buffer) throws FastCGIException {
        int version = buffer.get() & 0xFF;
        if (version != VERSION)
            throw new FastCGIException(
                    FastCGIException.Reason.UNSUPPORTED_VERSION, "version " + version + " (expected: " + VERSION + ")");
        int typeCode = buffer.get() & 0xFF;
        int requestId = buffer.getShort() & 0xFFFF;
        int contentLength = buffer.getShort() & 0xFFFF;
        int paddingLength = buffer.get() & 0xFF;
        buffer.get(); // reserved
        return new RecordHeader(typeCode, requestId, contentLength, paddingLength);
    }

    /**
     * Writes this header and advances the buffer by {@link #LENGTH}.
     *
     * @param buffer has room for at least {@link #LENGTH} bytes
     */
    public void writeTo(ByteBuffer buffer) {
        write(buffer, typeCode, requestId, contentLength, paddingLength);
    }

    static void write(ByteBuffer buffer, int typeCode, int requestId, int contentLength, int paddingLength) {
        buffer.put((byte) VERSION);
        buffer.put((byte) typeCode);
        buffer.putShort((short) requestId);
        buffer.putShort((short) contentLength);
        buffer.put((byte) paddingLength);
        buffer.put((byte) 0);
    }

    /** {@return the type, or {@code null} when the specification defines none for the code} */
    public RecordType type() {
        return RecordType.of(typeCode);
    }

    /** {@return whether the record is about the connection rather than about a request} */
    public boolean isManagement() {
        return requestId == MANAGEMENT_ID;
    }

    /** {@return the record as one line of the debug log shows it: id, type, content length} */
    @Override
    public String toString() {
        RecordType type = type();
        return requestId + " " + (type == null ? "type " + typeCode : type.name()) + " " + contentLength;
    }
}

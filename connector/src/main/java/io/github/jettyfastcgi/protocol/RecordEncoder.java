package io.github.jettyfastcgi.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Writes the records of an application into buffers: what precedes and ends a response, and whole small answers.
 *
 * <p>No record is padded: content of a multiple of eight bytes keeps the peer's reads aligned, and no web server needs
 * more.
 */
public final class RecordEncoder {
    /** The most content put into one STDOUT record: the largest multiple of eight bytes. */
    public static final int MAX_STDOUT_CONTENT = 65_528;

    /** The number of bytes that {@link #putEnd} writes. */
    public static final int END_LENGTH = RecordHeader.LENGTH + RecordHeader.LENGTH + EndRequest.LENGTH;

    private RecordEncoder() {}

    /**
     * Writes a record's header.
     *
     * @param buffer is advanced by {@link RecordHeader#LENGTH}
     * @param type the type
     * @param requestId the request's id
     * @param contentLength the number of content bytes that follow
     */
    public static void putHeader(ByteBuffer buffer, RecordType type, int requestId, int contentLength) {
        RecordHeader.write(buffer, type.code(), requestId, contentLength, 0);
    }

    /**
     * Writes the end of a response: an empty STDOUT record, then END_REQUEST.
     *
     * @param buffer is advanced by {@link #END_LENGTH}
     * @param requestId the request's id
     * @param end how it ended
     */
    public static void putEnd(ByteBuffer buffer, int requestId, EndRequest end) {
        putHeader(buffer, RecordType.STDOUT, requestId, 0);
        putHeader(buffer, RecordType.END_REQUEST, requestId, EndRequest.LENGTH);
        end.writeTo(buffer);
    }

    /**
     * Encodes a whole small response.
     *
     * @param requestId the request's id
     * @param content the content of the one STDOUT record, at most {@value #MAX_STDOUT_CONTENT} bytes
     * @param end how the request ended
     * @return a buffer with the records
     */
    public static ByteBuffer response(int requestId, byte[] content, EndRequest end) {
        ByteBuffer buffer = ByteBuffer.allocate(RecordHeader.LENGTH + content.length + END_LENGTH);
        putHeader(buffer, RecordType.STDOUT, requestId, content.length);
        buffer.put(content);
        putEnd(buffer, requestId, end);
        return buffer.flip();
    }

    /**
     * Encodes all that a request has to say on STDERR, with the empty record that ends the stream.
     *
     * @param requestId the request's id
     * @param content at most {@value #MAX_STDOUT_CONTENT} bytes
     * @return a buffer with the records
     */
    public static ByteBuffer stderr(int requestId, byte[] content) {
        ByteBuffer buffer = ByteBuffer.allocate(2 * RecordHeader.LENGTH + content.length);
        putHeader(buffer, RecordType.STDERR, requestId, content.length);
        buffer.put(content);
        putHeader(buffer, RecordType.STDERR, requestId, 0);
        return buffer.flip();
    }

    /**
     * Encodes a bare END_REQUEST, for a request whose response nobody waits for.
     *
     * @param requestId the request's id
     * @param end how the request ended
     * @return a buffer with the record
     */
    public static ByteBuffer endRequest(int requestId, EndRequest end) {
        ByteBuffer buffer = ByteBuffer.allocate(RecordHeader.LENGTH + EndRequest.LENGTH);
        putHeader(buffer, RecordType.END_REQUEST, requestId, EndRequest.LENGTH);
        end.writeTo(buffer);
        return buffer.flip();
    }

    /**
     * Encodes the answer to GET_VALUES (section 4.1).
     *
     * @param values the values asked for and known, in ASCII, few enough for one record
     * @return a buffer with the record
     */
    public static ByteBuffer getValuesResult(Map<String, String> values) {
        int capacity = RecordHeader.LENGTH;
        for (Map.Entry<String, String> entry : values.entrySet())
            capacity += entry.getKey().length() + entry.getValue().length() + NameValuePairs.MAX_LENGTHS_SIZE;
        ByteBuffer buffer = ByteBuffer.allocate(capacity).position(RecordHeader.LENGTH);
        values.forEach((name, value) -> NameValuePairs.write(
                name.getBytes(StandardCharsets.US_ASCII), value.getBytes(StandardCharsets.US_ASCII), buffer));
        buffer.flip();
        int contentLength = buffer.remaining() - RecordHeader.LENGTH;
        putHeader(buffer, RecordType.GET_VALUES_RESULT, RecordHeader.MANAGEMENT_ID, contentLength);
        return buffer.rewind();
    }

    /**
     * Encodes the answer to a management record of a type that the specification doesn't define (section 4.2).
     *
     * @param typeCode the type's code, 0 to 255
     * @return a buffer with the record
     */
    public static ByteBuffer unknownType(int typeCode) {
        ByteBuffer buffer = ByteBuffer.allocate(2 * RecordHeader.LENGTH);
        putHeader(buffer, RecordType.UNKNOWN_TYPE, RecordHeader.MANAGEMENT_ID, RecordHeader.LENGTH);
        buffer.put((byte) typeCode);
        return buffer.position(0);
    }
}

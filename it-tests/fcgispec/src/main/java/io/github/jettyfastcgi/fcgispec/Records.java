package io.github.jettyfastcgi.fcgispec;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** The bytes of records, valid or not. */
final class Records {
    static final int RESPONDER = 1;
    static final int AUTHORIZER = 2;
    static final int FILTER = 3;

    static final int KEEP_CONN = 1;

    static final int MAX_CONTENT = 65_535;

    /** What padding is filled with: nobody may take it for anything. */
    private static final byte PADDING = 0x01;

    private Records() {}

    static byte[] record(int type, int requestId, byte[] content) {
        return padded(type, requestId, content, 0);
    }

    static byte[] padded(int type, int requestId, byte[] content, int paddingLength) {
        byte[] padding = new byte[paddingLength];
        Arrays.fill(padding, PADDING);
        return concat(header(1, type, requestId, content.length, paddingLength, 0), content, padding);
    }

    static byte[] header(int version, int type, int requestId, int contentLength, int paddingLength, int reserved) {
        return new byte[] {
            (byte) version,
            (byte) type,
            (byte) (requestId >> 8),
            (byte) requestId,
            (byte) (contentLength >> 8),
            (byte) contentLength,
            (byte) paddingLength,
            (byte) reserved
        };
    }

    static byte[] begin(int requestId, int role, int flags) {
        return record(RecordType.BEGIN_REQUEST, requestId, beginBody(role, flags, 0));
    }

    /** {@return the content of BEGIN_REQUEST, with a value for each of its reserved bytes} */
    static byte[] beginBody(int role, int flags, int reserved) {
        byte[] body = new byte[8];
        Arrays.fill(body, (byte) reserved);
        body[0] = (byte) (role >> 8);
        body[1] = (byte) role;
        body[2] = (byte) flags;
        return body;
    }

    static byte[] abort(int requestId) {
        return record(RecordType.ABORT_REQUEST, requestId, new byte[0]);
    }

    /** {@return the record that ends a stream} */
    static byte[] end(int type, int requestId) {
        return record(type, requestId, new byte[0]);
    }

    /** {@return a whole stream} */
    static byte[] stream(int type, int requestId, byte[] content) {
        return stream(type, requestId, content, MAX_CONTENT);
    }

    /** {@return a whole stream, in records of the length} */
    static byte[] stream(int type, int requestId, byte[] content, int recordLength) {
        return concat(part(type, requestId, content, recordLength), end(type, requestId));
    }

    /** {@return a stream without its end, in records of the length} */
    static byte[] part(int type, int requestId, byte[] content, int recordLength) {
        ByteArrayOutputStream records = new ByteArrayOutputStream();
        for (int at = 0; at < content.length; at += recordLength) {
            byte[] slice = Arrays.copyOfRange(content, at, Math.min(content.length, at + recordLength));
            records.writeBytes(record(type, requestId, slice));
        }
        return records.toByteArray();
    }

    static byte[] getValues(String... names) {
        byte[][] pairs = Arrays.stream(names).map(name -> Pairs.pair(name, "")).toArray(byte[][]::new);
        return record(RecordType.GET_VALUES, 0, concat(pairs));
    }

    static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        for (byte[] part : parts) whole.writeBytes(part);
        return whole.toByteArray();
    }
}

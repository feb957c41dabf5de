package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.jettyfastcgi.protocol.RecordScript;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A web server whose every byte is the test's: it writes records down until they are sent, all at once, and reads what
 * comes, waiting up to a deadline.
 */
abstract class Peer {
    private static final int MAX_CONTENT = 65_535;

    private RecordScript script = new RecordScript();

    abstract void write(byte[] bytes) throws Exception;

    /** {@return as many bytes as asked for} */
    abstract byte[] read(int length) throws Exception;

    // ---- what is sent

    Peer begin(int id, int role, int flags) {
        script.begin(id, role, flags);
        return this;
    }

    /** A PARAMS record of name, value, name, value, ... */
    Peer params(int id, String... namesAndValues) {
        return record(Wire.PARAMS, id, RecordScript.pairs(namesAndValues));
    }

    Peer endParams(int id) {
        return record(Wire.PARAMS, id, new byte[0]);
    }

    /** Content, in as few records as it takes, but not its end. */
    Peer stdin(int id, byte[] content) {
        for (int at = 0; at < content.length; at += MAX_CONTENT) {
            byte[] part = new byte[Math.min(MAX_CONTENT, content.length - at)];
            System.arraycopy(content, at, part, 0, part.length);
            script.stdin(id, part);
        }
        return this;
    }

    Peer stdin(int id, String content) {
        return stdin(id, content.getBytes(StandardCharsets.ISO_8859_1));
    }

    Peer endStdin(int id) {
        return record(Wire.STDIN, id, new byte[0]);
    }

    Peer abort(int id) {
        script.abort(id);
        return this;
    }

    Peer getValues(String... names) {
        script.getValues(names);
        return this;
    }

    Peer record(int type, int id, byte[] content) {
        script.record(type, id, content);
        return this;
    }

    Peer raw(byte[] bytes) {
        script.raw(bytes);
        return this;
    }

    /** A request up to the end of its variables: those that every web server sends, and the given ones. */
    Peer head(int id, int flags, String method, String uri, String... namesAndValues) {
        begin(id, Wire.RESPONDER, flags);
        params(id, "REQUEST_METHOD", method, "REQUEST_URI", uri, "HTTP_HOST", "www.example.com");
        params(id, "SERVER_PROTOCOL", "HTTP/1.1", "SERVER_NAME", "www.example.com", "SERVER_PORT", "80");
        if (namesAndValues.length > 0) params(id, namesAndValues);
        return endParams(id);
    }

    /** A whole GET request on a kept connection. */
    Peer get(int id, String uri, String... namesAndValues) {
        return head(id, Wire.KEEP, "GET", uri, namesAndValues).endStdin(id);
    }

    /** A POST request on a kept connection up to the end of its variables. */
    Peer postHead(int id, String uri, long contentLength) {
        return head(id, Wire.KEEP, "POST", uri, "CONTENT_LENGTH", Long.toString(contentLength));
    }

    /** A whole POST request on a kept connection, with its CONTENT_LENGTH. */
    Peer post(int id, String uri, String content) {
        return postHead(id, uri, content.length()).stdin(id, content).endStdin(id);
    }

    /** {@return what was written down, which is not going to be sent} */
    byte[] take() {
        byte[] bytes = script.bytes();
        script = new RecordScript();
        return bytes;
    }

    /** Sends what was written down. */
    Peer send() throws Exception {
        write(take());
        return this;
    }

    // ---- what is read

    WireRecord readRecord() throws Exception {
        byte[] header = read(WireRecord.HEADER_LENGTH);
        return WireRecord.of(header, read(WireRecord.lengthBehind(header)));
    }

    /** {@return the next response, whose records are the next ones} */
    Answer readAnswer(int id) throws Exception {
        List<WireRecord> records = new ArrayList<>();
        do records.add(readRecord());
        while (records.get(records.size() - 1).type() != Wire.END_REQUEST);
        return Answer.of(id, records);
    }

    /** Expects what tells a web server not to keep the connection, behind the END_REQUEST of a server that stops. */
    void readNotKept(int id) throws Exception {
        assertBytes(new RecordScript().record(Wire.STDERR, id, new byte[0]));
    }

    /** Expects an END_REQUEST without a response. */
    void readBareEnd(int id) throws Exception {
        assertBytes(new RecordScript().record(Wire.END_REQUEST, id, new byte[8]));
    }

    /** Expects exactly these bytes next. */
    void assertBytes(RecordScript expected) throws Exception {
        assertThat(text(read(expected.bytes().length))).isEqualTo(text(expected.bytes()));
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}

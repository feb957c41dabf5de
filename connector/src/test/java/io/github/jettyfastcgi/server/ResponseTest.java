package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.jettyfastcgi.protocol.RecordScript;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes of responses, and into how many writes they go. */
class ResponseTest extends ConnectionTestBase {
    private static final int LARGEST_RECORD = 65_528;

    private static final int RECORD_HEADER = 8;
    private static final int END = 24;

    /** What is copied shares a buffer of 64 KiB with the end of the response. */
    private static final int LARGEST_COPIED_RECORD = LARGEST_RECORD - END;

    @Test
    void smallResponseIsOneRecordItsEndAndOneWrite() throws Exception {
        startLocal((request, response, callback) -> answer(response, callback, "hello"));
        LocalPeer peer = connectLocal();

        peer.get(1, "/").send();

        peer.assertBytes(served(1, "Content-Length: 5\r\nStatus: 200 OK\r\n\r\nhello"));
        assertThat(peer.writes()).hasSize(1);
        peer.end();
    }

    @Test
    void responseWithoutContentIsOneWrite() throws Exception {
        startLocal((request, response, callback) -> {
            callback.succeeded();
            return true;
        });
        LocalPeer peer = connectLocal();

        peer.get(259, "/").send();

        peer.assertBytes(served(259, "Content-Length: 0\r\nStatus: 200 OK\r\n\r\n"));
        assertThat(peer.writes()).hasSize(1);
        peer.end();
    }

    @Test
    void responseInPartsHasNoLengthAndEndsWithItsLastPart() throws Exception {
        startLocal((request, response, callback) -> {
            Content.Sink.write(response, false, "one ", Callback.NOOP);
            Content.Sink.write(response, false, "two ", Callback.NOOP);
            Content.Sink.write(response, true, "three", callback);
            return true;
        });
        LocalPeer peer = connectLocal();

        peer.get(1, "/").send();

        peer.assertBytes(new RecordScript()
                .record(Wire.STDOUT, 1, ascii("Status: 200 OK\r\n\r\none "))
                .record(Wire.STDOUT, 1, ascii("two ")));
        peer.assertBytes(served(1, "three"));
        assertThat(peer.writes()).hasSize(3);
        peer.end();
    }

    @Test
    void flushSendsTheHeadAndNothingElse() throws Exception {
        startLocal((request, response, callback) -> {
            response.write(false, null, Callback.NOOP);
            response.write(false, ByteBuffer.allocate(0), Callback.NOOP);
            response.write(true, null, callback);
            return true;
        });
        LocalPeer peer = connectLocal();

        peer.get(1, "/").send();

        peer.assertBytes(new RecordScript()
                .record(Wire.STDOUT, 1, ascii("Status: 200 OK\r\n\r\n"))
                .record(Wire.STDOUT, 1, new byte[0])
                .record(Wire.END_REQUEST, 1, new byte[8]));
        assertThat(peer.writes()).hasSize(2);
        peer.end();
    }

    @ParameterizedTest
    @CsvSource({
        "100000, false",
        "1000000, false",
        "10000000, false",
        "100000, true",
        "1000000, true",
        "10000000, true",
    })
    void largeResponseIsInFullRecordsAndEndsInItsLastWrite(int size, boolean direct) throws Exception {
        byte[] content = pattern(size);
        ByteBuffer buffer = buffer(content, direct);
        startLocal((request, response, callback) -> {
            response.write(true, buffer, callback);
            return true;
        });
        LocalPeer peer = connectLocal();

        peer.get(1, "/").send();

        Answer answer = peer.readAnswer(1).assertStatus(200);
        assertThat(answer.content()).isEqualTo(content);
        assertThat(answer.field("Content-Length")).isEqualTo(Integer.toString(size));
        List<WireRecord> stdout = answer.records().subList(0, answer.records().size() - 2);
        int full = direct ? LARGEST_RECORD : LARGEST_COPIED_RECORD;
        assertThat(stdout.subList(0, stdout.size() - 1)).allMatch(record -> record.content().length == full);
        assertThat(buffer.hasRemaining()).isFalse();
        int lastWrite = peer.writes().get(peer.writes().size() - 1);
        assertThat(lastWrite).isGreaterThan(END);
        peer.end();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anySizeIsWhole(boolean direct) throws Exception {
        AtomicReference<byte[]> content = new AtomicReference<>();
        configuration.setResponseHeaderSize(256);
        startLocal((request, response, callback) -> {
            response.write(true, buffer(content.get(), direct), callback);
            return true;
        });
        LocalPeer peer = connectLocal();

        for (int around : new int[] {200, 256, 4096, LARGEST_RECORD, 2 * LARGEST_RECORD}) {
            for (int size = around - 80; size <= around + 20; size++) {
                content.set(pattern(size));
                peer.get(1, "/").send();
                Answer answer = peer.readAnswer(1).assertStatus(200);
                assertThat(answer.content()).isEqualTo(content.get());
                assertThat(answer.records()).allMatch(record -> record.content().length <= LARGEST_RECORD);
            }
        }
        peer.end();
    }

    @ParameterizedTest
    @ValueSource(ints = {64 * 1024, 128 * 1024})
    void buffersLargerThanARecordDoNotMakeItTooLong(int size) throws Exception {
        byte[] content = pattern(size - 200);
        configuration.setResponseHeaderSize(size);
        startLocal((request, response, callback) -> {
            response.write(true, ByteBuffer.wrap(content), callback);
            return true;
        });
        LocalPeer peer = connectLocal();

        peer.get(1, "/").send();

        assertThat(peer.readAnswer(1).assertStatus(200).content()).isEqualTo(content);
        peer.end();
    }

    @Test
    void contentMayBeDirectAndReadOnlyAndIsConsumed() throws Exception {
        byte[] content = pattern(200_000);
        ByteBuffer direct = ByteBuffer.allocateDirect(content.length + 10);
        direct.position(10).put(content).flip().position(10);
        startLocal((request, response, callback) -> {
            response.write(true, direct.asReadOnlyBuffer(), callback);
            return true;
        });
        LocalPeer peer = connectLocal();

        peer.get(1, "/").send();

        assertThat(peer.readAnswer(1).content()).isEqualTo(content);
        peer.end();
    }

    @ParameterizedTest
    @CsvSource({"HEAD,200", "GET,204", "GET,304", "HEAD,404"})
    void contentThatMayNotBeIsNotSent(String method, int status) throws Exception {
        startLocal((request, response, callback) -> {
            response.setStatus(status);
            Content.Sink.write(response, true, "content", callback);
            return true;
        });
        LocalPeer peer = connectLocal();

        peer.head(1, Wire.KEEP, method, "/").endStdin(1).get(3, "/").send();

        Answer answer = peer.readAnswer(1).assertStatus(status);
        assertThat(answer.content()).isEmpty();
        assertThat(answer.field("Content-Length")).isEqualTo(method.equals("HEAD") ? "7" : null);
        peer.readAnswer(3);
        assertThat(peer.hasOutput()).isFalse();
        peer.end();
    }

    @Test
    void lengthOfAHeadIsTheOneThatTheApplicationSets() throws Exception {
        startLocal((request, response, callback) -> {
            response.getHeaders().put("Content-Length", 12345);
            callback.succeeded();
            return true;
        });
        LocalPeer peer = connectLocal();

        peer.head(1, Wire.KEEP, "HEAD", "/").endStdin(1).send();

        peer.assertBytes(served(1, "Content-Length: 12345\r\nStatus: 200 OK\r\n\r\n"));
        peer.end();
    }

    @Test
    void interimResponsesAreDropped() throws Exception {
        startLocal((request, response, callback) -> {
            response.writeInterim(103, HttpFields.build().put("Link", "</style.css>"))
                    .join();
            response.writeInterim(102, HttpFields.EMPTY).join();
            return answer(response, callback, "final");
        });
        LocalPeer peer = connectLocal();

        peer.get(1, "/").send();

        peer.assertBytes(served(1, "Content-Length: 5\r\nStatus: 200 OK\r\n\r\nfinal"));
        peer.end();
    }

    @Test
    void switchingProtocolsIs500() throws Exception {
        startLocal((request, response, callback) -> {
            response.setStatus(101);
            callback.succeeded();
            return true;
        });
        LocalPeer peer = connectLocal();

        peer.get(1, "/").send();

        peer.readAnswer(1).assertStatus(500);
        assertServes(peer, 500);
    }

    @Test
    void trailersAreDropped() throws Exception {
        startLocal((request, response, callback) -> {
            response.setTrailersSupplier(() -> HttpFields.build().put("Checksum", "1"));
            return answer(response, callback, "content");
        });
        LocalPeer peer = connectLocal();

        peer.get(1, "/").send();

        peer.assertBytes(served(1, "Content-Length: 7\r\nStatus: 200 OK\r\n\r\ncontent"));
        peer.end();
    }

    @Test
    void headLargerThanABufferIsWholeInOneRecord() throws Exception {
        configuration.setResponseHeaderSize(1024);
        configuration.setMaxResponseHeaderSize(60_000);
        startLocal((request, response, callback) -> {
            response.getHeaders().put("X-Large", "x".repeat(50_000));
            return answer(response, callback, "content");
        });
        LocalPeer peer = connectLocal();

        peer.get(1, "/").send();

        Answer answer = peer.readAnswer(1);
        assertThat(answer.records()).hasSize(3);
        assertThat(answer.field("X-Large")).hasSize(50_000);
        answer.assertText("content");
        peer.end();
    }

    @Test
    void largeHeadSharesItsRecordWithTheContent() throws Exception {
        byte[] content = pattern(200_000);
        configuration.setMaxResponseHeaderSize(60_000);
        startLocal((request, response, callback) -> {
            response.getHeaders().put("X-Large", "x".repeat(50_000));
            response.write(true, ByteBuffer.wrap(content), callback);
            return true;
        });
        LocalPeer peer = connectLocal();

        peer.get(1, "/").send();

        Answer answer = peer.readAnswer(1).assertStatus(200);
        assertThat(answer.content()).isEqualTo(content);
        assertThat(answer.records().get(0).content()).hasSizeBetween(60_000, LARGEST_RECORD);
        peer.end();
    }

    @ParameterizedTest
    @CsvSource({"1024,5000", "10000,20000", "1000000,70000"})
    void headOverTheLimitIs500(int limit, int size) throws Exception {
        configuration.setResponseHeaderSize(1024);
        configuration.setMaxResponseHeaderSize(limit);
        startLocal((request, response, callback) -> {
            response.getHeaders().put("X-Large", "x".repeat(size));
            return answer(response, callback, "content");
        });
        LocalPeer peer = connectLocal();

        peer.get(1, "/").send();

        Answer answer = peer.readAnswer(1).assertStatus(500);
        assertThat(answer.field("X-Large")).isNull();
        assertServes(peer, 500);
    }

    @Test
    void onlyFieldsThatMayLeaveLeave() throws Exception {
        startLocal((request, response, callback) -> {
            HttpFields.Mutable fields = response.getHeaders();
            for (String name : List.of(
                    "Connection",
                    "Keep-Alive",
                    "Transfer-Encoding",
                    "TE",
                    "Trailer",
                    "Upgrade",
                    "Proxy-Authenticate",
                    "Proxy-Connection",
                    "Proxy-Anything",
                    "Status")) fields.put(name, "hidden");
            fields.put("Location", "/elsewhere");
            fields.put("X-Split", "a\r\nSet-Cookie: b\0c");
            fields.add("Set-Cookie", "one=1");
            fields.add("Set-Cookie", "two=2");
            response.setStatus(302);
            callback.succeeded();
            return true;
        });
        LocalPeer peer = connectLocal();

        peer.get(1, "/").send();

        Answer answer = peer.readAnswer(1).assertStatus(302);
        assertThat(answer.lines())
                .containsExactly(
                        "Location: /elsewhere",
                        "X-Split: a  Set-Cookie: b c",
                        "Set-Cookie: one=1",
                        "Set-Cookie: two=2",
                        "Content-Length: 0",
                        "Status: 302 Found");
        peer.end();
    }

    @ParameterizedTest
    @CsvSource({"200,OK", "404,Not Found", "418,I'm a Teapot", "599,599", "999,999"})
    void statusHasItsReason(int status, String reason) throws Exception {
        startLocal((request, response, callback) -> {
            response.setStatus(status);
            callback.succeeded();
            return true;
        });
        LocalPeer peer = connectLocal();

        peer.get(1, "/").send();

        peer.assertBytes(served(1, "Content-Length: 0\r\nStatus: " + status + " " + reason + "\r\n\r\n"));
        peer.end();
    }

    @Test
    void dateAndServerAreSentIfConfigured() throws Exception {
        configuration.setSendDateHeader(true);
        configuration.setSendServerVersion(true);
        startLocal(ConnectionTestBase::answerPath);
        LocalPeer peer = connectLocal();

        peer.get(1, "/").send();

        Answer answer = peer.readAnswer(1);
        assertThat(answer.field("Date")).endsWith("GMT");
        assertThat(answer.field("Server")).startsWith("Jetty(");
        peer.end();
    }

    @Test
    void requestThatNobodyHandlesIs404() throws Exception {
        startLocal((request, response, callback) -> false);
        LocalPeer peer = connectLocal();

        peer.get(1, "/missing").send();

        assertThat(peer.readAnswer(1).assertStatus(404).text()).contains("/missing");
        peer.end();
    }

    @Test
    void handlerThatThrowsIs500() throws Exception {
        expectWarning("writeError: status=500");
        startLocal((request, response, callback) -> {
            if (request.getHttpURI().getPath().equals("/fail")) throw new IllegalStateException("on purpose");
            return answerPath(request, response, callback);
        });
        LocalPeer peer = connectLocal();

        peer.get(1, "/fail").send();

        assertThat(peer.readAnswer(1).assertStatus(500).text()).contains("on purpose");
        assertServes(peer);
    }

    private static void assertServes(LocalPeer peer) throws Exception {
        assertThat(peer.hasOutput()).isFalse();
        peer.get(3, "/next").send();
        peer.readAnswer(3).assertText("/next");
        peer.end();
    }

    private static void assertServes(LocalPeer peer, int status) throws Exception {
        assertThat(peer.hasOutput()).isFalse();
        peer.get(3, "/next").send();
        peer.readAnswer(3).assertStatus(status);
        peer.end();
    }

    private static RecordScript served(int id, String stdout) {
        return new RecordScript()
                .record(Wire.STDOUT, id, ascii(stdout))
                .record(Wire.STDOUT, id, new byte[0])
                .record(Wire.END_REQUEST, id, new byte[8]);
    }

    private static ByteBuffer buffer(byte[] content, boolean direct) {
        return direct ? ByteBuffer.allocateDirect(content.length).put(content).flip() : ByteBuffer.wrap(content);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}

package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.jettyfastcgi.protocol.RecordScript;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Promise;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** STDIN as the content of a request, at the pace of the application. */
class RequestContentTest extends ConnectionTestBase {
    private final Exchanges exchanges = new Exchanges();

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8, 16_000, 16_384, 16_400, 65_535, 65_536, 2_000_000})
    void isReadBlocking(int size) throws Exception {
        start(ConnectionTestBase::echo);
        SocketPeer peer = connect();
        byte[] content = pattern(size);

        peer.postHead(1, "/", size).stdin(1, content).endStdin(1).send();

        assertThat(peer.readAnswer(1).assertStatus(200).content()).isEqualTo(content);
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void isCopiedToTheResponseAsItComes(Transport transport) throws Exception {
        start(transport, (request, response, callback) -> {
            Content.copy(request, response, callback);
            return true;
        });
        SocketPeer peer = connect();
        byte[] content = pattern(5_000_000);
        byte[] sent = peer.postHead(1, "/", content.length)
                .stdin(1, content)
                .endStdin(1)
                .take();

        peer.writeWhileReading(sent);

        assertThat(peer.readAnswer(1).assertStatus(200).content()).isEqualTo(content);
        peer.get(3, "/").send();
        assertThat(peer.readAnswer(3).content()).isEmpty();
    }

    @Test
    void isWholeByteByByte() throws Exception {
        startLocal((request, response, callback) -> {
            Content.Source.asByteBuffer(
                    request, Promise.from(content -> response.write(true, content, callback), callback::failed));
            return true;
        });
        LocalPeer peer = connectLocal();
        byte[] bytes = peer.post(1, "/", "first").post(3, "/", "second").take();

        for (byte b : bytes) peer.write(new byte[] {b});

        peer.readAnswer(1).assertText("first");
        peer.readAnswer(3).assertText("second");
        peer.end();
    }

    @Test
    void ofManySmallPaddedRecordsIsWhole() throws Exception {
        start(ConnectionTestBase::echo);
        SocketPeer peer = connect();
        byte[] content = pattern(20_000);
        peer.postHead(1, "/", content.length);

        for (int at = 0; at < content.length; at += 5) {
            byte[] part = {content[at], content[at + 1], content[at + 2], content[at + 3], content[at + 4]};
            peer.raw(new RecordScript().padding(at % 256).stdin(1, part).bytes());
        }
        peer.endStdin(1).send();

        assertThat(peer.readAnswer(1).content()).isEqualTo(content);
    }

    @ParameterizedTest
    @CsvSource(
            value = {"CONTENT_LENGTH,''", "CONTENT_LENGTH,-1", "HTTP_CONTENT_LENGTH,3", "X,y"},
            ignoreLeadingAndTrailingWhitespace = false)
    void ofUnknownLengthEndsWithTheEmptyRecord(String name, String value) throws Exception {
        start((request, response, callback) -> {
            assertThat(request.getLength()).isEqualTo(-1);
            return echo(request, response, callback);
        });
        SocketPeer peer = connect();

        peer.head(1, Wire.KEEP, "POST", "/", name, value).stdin(1, "content").endStdin(1);
        peer.get(3, "/").send();

        peer.readAnswer(1).assertText("content");
        peer.readAnswer(3).assertText("");
    }

    @Test
    void ofAGetIsRead() throws Exception {
        start(ConnectionTestBase::echo);
        SocketPeer peer = connect();

        peer.head(1, Wire.KEEP, "GET", "/", "CONTENT_LENGTH", "7")
                .stdin(1, "content")
                .endStdin(1)
                .send();

        peer.readAnswer(1).assertText("content");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shorterThanItsLengthIs400AndTheEnd(boolean blocking) throws Exception {
        start(blocking ? ConnectionTestBase::echo : RequestContentTest::echoDemanding);
        SocketPeer peer = connect();

        peer.postHead(1, "/", 10).stdin(1, "123456789").endStdin(1).send();

        peer.readAnswer(1).assertStatus(400);
        peer.assertEnd();
        assertThat(counters.contentLengthMismatches()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"0,1", "10,11", "10,100000"})
    void longerThanItsLengthIs400AndTheEnd(int length, int actualLength) throws Exception {
        start(ConnectionTestBase::echo);
        SocketPeer peer = connect();

        peer.postHead(1, "/", length)
                .stdin(1, new byte[actualLength])
                .endStdin(1)
                .send();

        peer.readAnswer(1).assertStatus(400);
        peer.assertEnd();
        assertThat(counters.contentLengthMismatches()).isEqualTo(1);
    }

    @Test
    void ofWrongLengthAfterTheResponseBeganClosesWithoutAnEnd() throws Exception {
        start(Transport.TCP, exchanges);
        SocketPeer peer = connect();
        peer.postHead(1, "/", 10).stdin(1, "1234").send();
        Exchanges.Exchange exchange = exchanges.next();
        exchange.commit("begun");
        assertThat(peer.readRecord().text()).endsWith("begun");
        assertThat(exchange.readText()).isEqualTo("1234");

        peer.endStdin(1).send();
        Await.until(
                "the end of content",
                () -> Content.Chunk.isFailure(exchange.request().read()));
        exchange.callback().failed(exchange.request().read().getFailure());

        peer.assertReset();
    }

    @Test
    void ofWrongLengthThatNobodyReadsEndsTheConnectionAfterTheResponse() throws Exception {
        start(ConnectionTestBase::answerPath);
        SocketPeer peer = connect();

        peer.postHead(1, "/x", 10).endStdin(1).send();

        peer.readAnswer(1).assertText("/x");
        peer.assertEnd();
    }

    @Test
    void readsNothingUntilSomethingComes() throws Exception {
        start(exchanges);
        SocketPeer peer = connect();
        peer.postHead(1, "/", 6).send();
        Exchanges.Exchange exchange = exchanges.next();
        assertThat(exchange.request().read()).isNull();
        BlockingQueue<String> read = new LinkedBlockingQueue<>();

        exchange.request().demand(() -> read.add(exchange.readText()));
        peer.stdin(1, "abc").send();
        assertThat(Await.next("content", read)).isEqualTo("abc");
        assertThat(exchange.request().read()).isNull();

        exchange.request().demand(() -> read.add(exchange.readText()));
        peer.stdin(1, "def").endStdin(1).send();
        assertThat(Await.next("content", read)).isEqualTo("def");
        Await.until("the end", () -> exchange.request().read() == Content.Chunk.EOF);
        exchange.answer("read");
        peer.readAnswer(1).assertText("read");
    }

    @ParameterizedTest
    @CsvSource({"0,true", "1500,true", "1500,false", "16000,false"})
    void thatTheApplicationRetainsIsNotOverwritten(int minBufferSpace, boolean direct) throws Exception {
        configuration.setMinInputBufferSpace(minBufferSpace);
        configuration.setUseInputDirectByteBuffers(direct);
        BlockingQueue<List<Content.Chunk>> retained = new LinkedBlockingQueue<>();
        start((request, response, callback) -> {
            retained.add(readAll(request));
            answer(response, callback, "retained");
            return true;
        });
        SocketPeer peer = connect();
        byte[] content = pattern(300_000);

        peer.postHead(1, "/", content.length);
        for (int at = 0; at < content.length; at += 1000) {
            byte[] part = new byte[1000];
            System.arraycopy(content, at, part, 0, part.length);
            peer.stdin(1, part).send();
        }
        peer.endStdin(1).send();
        peer.readAnswer(1).assertText("retained");
        peer.post(3, "/", "other content").send();
        peer.readAnswer(3).assertText("retained");

        assertThat(bytes(Await.next("chunks", retained))).isEqualTo(content);
        assertThat(bytes(Await.next("chunks", retained))).asString().isEqualTo("other content");
    }

    @ParameterizedTest
    @CsvSource({"1500,2", "0,50"})
    void smallPiecesThatAreRetainedShareBuffers(int minBufferSpace, int buffers) throws Exception {
        configuration.setMinInputBufferSpace(minBufferSpace);
        start(exchanges);
        SocketPeer peer = connect();
        peer.postHead(1, "/", 50_000).send();
        Exchanges.Exchange exchange = exchanges.next();
        List<Content.Chunk> chunks = new ArrayList<>();

        for (int i = 0; i < 50; i++) {
            peer.stdin(1, pattern(100)).send();
            Await.until("the next piece", () -> {
                Content.Chunk chunk = exchange.request().read();
                return chunk != null && chunks.add(chunk);
            });
        }

        assertThat(pool.getLeaks()).hasSizeLessThanOrEqualTo(buffers);
        assertThat(chunks).allMatch(chunk -> BufferUtil.toBuffer(pattern(100)).equals(chunk.getByteBuffer()));
        chunks.forEach(Content.Chunk::release);
        exchange.callback().succeeded();
        peer.readAnswer(1).assertStatus(200);
    }

    @Test
    void thatIsNotReadStaysInTheSocket() throws Exception {
        start(exchanges);
        SocketPeer peer = connect();
        byte[] content = pattern(8_000_000);
        peer.postHead(1, "/", content.length).send();
        Exchanges.Exchange exchange = exchanges.next();

        byte[] bytes = peer.stdin(1, content).endStdin(1).take();
        int taken = peer.writeUntilFull(bytes);

        assertThat(taken).isLessThan(2_000_000);
        assertThat(pool.getLeaks()).hasSizeLessThanOrEqualTo(1);
        BlockingQueue<ByteBuffer> read = new LinkedBlockingQueue<>();
        Content.Source.asByteBuffer(exchange.request(), Promise.from(read::add, exchange.callback()::failed));
        peer.write(Arrays.copyOfRange(bytes, taken, bytes.length));
        assertThat(BufferUtil.toArray(Await.next("the content", read))).isEqualTo(content);
        exchange.answer("read");
        peer.readAnswer(1).assertText("read");
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void leftByAnEarlyAnswerIsSkipped(Transport transport) throws Exception {
        start(transport, ConnectionTestBase::answerPath);
        SocketPeer peer = connect();

        peer.postHead(1, "/early", 3_000_000).send();
        peer.readAnswer(1).assertText("/early");
        peer.stdin(1, new byte[3_000_000]).endStdin(1).send();

        peer.get(3, "/next").send();
        peer.readAnswer(3).assertText("/next");
        assertThat(counters.contentLengthMismatches()).isZero();
    }

    @Test
    void leftByAnEarlyAnswerIsSkippedUpToTheNextRequest() throws Exception {
        startLocal(ConnectionTestBase::answerPath);
        LocalPeer peer = connectLocal();

        peer.postHead(1, "/early", 3_000_000).stdin(1, "some").send();
        peer.readAnswer(1).assertText("/early");
        peer.stdin(1, "more").get(3, "/next").send();

        peer.readAnswer(3).assertText("/next");
        peer.end();
    }

    @Test
    void isConsumedWhenTheApplicationWants() throws Exception {
        startLocal((request, response, callback) -> {
            assertThat(request.consumeAvailable()).isTrue();
            return answerPath(request, response, callback);
        });
        LocalPeer peer = connectLocal();

        peer.post(1, "/consumed", "content").get(3, "/next").send();

        peer.readAnswer(1).assertText("/consumed");
        peer.readAnswer(3).assertText("/next");
        peer.end();
    }

    @Test
    void nobodyAsksToContinue() throws Exception {
        start(ConnectionTestBase::echo);
        SocketPeer peer = connect();

        peer.head(1, Wire.KEEP, "POST", "/", "CONTENT_LENGTH", "7", "HTTP_EXPECT", "100-continue");
        peer.stdin(1, "content").endStdin(1).send();

        peer.readAnswer(1).assertText("content");
    }

    private static boolean echoDemanding(Request request, Response response, Callback callback) {
        Content.Source.asString(
                request,
                StandardCharsets.ISO_8859_1,
                Promise.from(text -> answer(response, callback, text), callback::failed));
        return true;
    }

    private static List<Content.Chunk> readAll(Request request) throws Exception {
        List<Content.Chunk> chunks = new ArrayList<>();
        while (true) {
            Content.Chunk chunk = request.read();
            if (chunk == null) {
                CountDownLatch available = new CountDownLatch(1);
                request.demand(available::countDown);
                Await.latch("content", available);
                continue;
            }
            if (Content.Chunk.isFailure(chunk)) throw new AssertionError(chunk.getFailure());
            chunks.add(chunk);
            if (chunk.isLast()) return chunks;
        }
    }

    private static byte[] bytes(List<Content.Chunk> chunks) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (Content.Chunk chunk : chunks) {
            bytes.writeBytes(BufferUtil.toArray(chunk.getByteBuffer()));
            chunk.release();
        }
        return bytes.toByteArray();
    }
}

package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.jettyfastcgi.protocol.FastCGIException.Reason;
import io.github.jettyfastcgi.protocol.RecordScript;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.concurrent.BlockingQueue;
import java.util.stream.Stream;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Bytes that are no FastCGI: the connection is closed, with one line in the debug log, and counted. */
class ProtocolErrorTest extends ConnectionTestBase {
    /** What a peer may send by mistake or malice. */
    record Garbage(String name, byte[] bytes, Reason reason) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Garbage> garbage() {
        return Stream.of(
                garbage(
                        "version 0",
                        hex("00 01 00 01 00 08 00 00 00 01 01 00 00 00 00 00"),
                        Reason.UNSUPPORTED_VERSION),
                garbage(
                        "version 2",
                        hex("02 01 00 01 00 08 00 00 00 01 01 00 00 00 00 00"),
                        Reason.UNSUPPORTED_VERSION),
                garbage("TLS", hex("16 03 01 02 00 01 00 01 fc 03 03"), Reason.UNSUPPORTED_VERSION),
                garbage("HTTP", new RecordScript().raw(ascii("GET / HTTP/1.1\r\n\r\n")), Reason.UNSUPPORTED_VERSION),
                garbage("PROXY", new RecordScript().raw(ascii("PROXY TCP4 127.0.")), Reason.UNSUPPORTED_VERSION),
                garbage("BEGIN of 0 bytes", begin(0), Reason.BAD_BEGIN_REQUEST),
                garbage("BEGIN of 7 bytes", begin(7), Reason.BAD_BEGIN_REQUEST),
                garbage("BEGIN of 9 bytes", begin(9), Reason.BAD_BEGIN_REQUEST),
                garbage("BEGIN of 65535 bytes", begin(65_535), Reason.BAD_BEGIN_REQUEST),
                garbage(
                        "BEGIN of the active request",
                        begun().begin(1, Wire.RESPONDER, Wire.KEEP),
                        Reason.BAD_BEGIN_REQUEST),
                garbage(
                        "BEGIN of 7 bytes within a request",
                        begun().record(Wire.BEGIN_REQUEST, 3, new byte[7]),
                        Reason.BAD_BEGIN_REQUEST),
                garbage(
                        "STDIN before the end of PARAMS",
                        begun().params(1, RecordScript.pairs("A", "B")).stdin(1, "x"),
                        Reason.UNEXPECTED_RECORD));
    }

    @AfterEach
    void logNoDebug() {
        LogCapture.debug(false);
    }

    @ParameterizedTest
    @MethodSource("garbage")
    void closesWithOneDebugLineAndCounts(Garbage garbage) throws Exception {
        startLocal(ConnectionTestBase::answerPath);
        LocalPeer peer = connectLocal();
        peer.get(1, "/before").send();
        peer.readAnswer(1).assertText("/before");
        LogCapture.debug(true);

        peer.raw(garbage.bytes()).send();

        assertThat(peer.isClosed()).isTrue();
        assertThat(peer.hasOutput()).isFalse();
        assertThat(log().lines("No FastCGI")).hasSize(1);
        assertThat(counters.protocolErrors(garbage.reason())).isEqualTo(1);
        assertThat(Stream.of(Reason.values())
                        .mapToLong(counters::protocolErrors)
                        .sum())
                .isEqualTo(1);
    }

    @Test
    void eachRecordIsOneDebugLine() throws Exception {
        startLocal(ConnectionTestBase::answerPath);
        LocalPeer peer = connectLocal();
        LogCapture.debug(true);

        peer.get(7, "/x").send();

        assertThat(log().lines("<< 7 BEGIN_REQUEST 8")).hasSize(1);
        assertThat(log().lines("<< 7 PARAMS")).hasSize(3);
        assertThat(log().lines("<< 7 STDIN 0")).hasSize(1);
        peer.readAnswer(7).assertText("/x");
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void peerSeesTheConnectionClose(Transport transport) throws Exception {
        start(transport, ConnectionTestBase::answerPath);
        SocketPeer peer = connect();

        peer.raw(ascii("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")).send();

        assertThat(peer.readToClose()).isZero();
    }

    @Test
    void runningRequestHearsOfGarbageBehindIt() throws Exception {
        Exchanges exchanges = new Exchanges();
        start(exchanges);
        SocketPeer peer = connect();
        peer.get(1, "/").send();
        Exchanges.Exchange exchange = exchanges.next();
        BlockingQueue<Throwable> failures = exchange.failures();

        peer.raw(ascii("garbage!")).send();

        Throwable failure = Await.next("a failure", failures);
        assertThat(failure).hasMessage("version 103 (expected: 1)");
        exchange.callback().failed(failure);
        assertThat(peer.readToClose()).isZero();
    }

    @Test
    void readFailsForGarbageWithinContent() throws Exception {
        Exchanges exchanges = new Exchanges();
        start(exchanges);
        SocketPeer peer = connect();
        peer.postHead(1, "/", 100).send();
        Exchanges.Exchange exchange = exchanges.next();

        peer.raw(ascii("garbage!")).send();

        Await.until("the end of content", () -> isFailure(exchange.request()));
        exchange.answer("ignored");
        assertThat(peer.readToClose()).isZero();
        assertThat(counters.protocolErrors(Reason.UNSUPPORTED_VERSION)).isEqualTo(1);
    }

    private static boolean isFailure(Request request) {
        return Content.Chunk.isFailure(request.read());
    }

    private static Garbage garbage(String name, RecordScript script, Reason reason) {
        return new Garbage(name, script.bytes(), reason);
    }

    private static RecordScript begin(int length) {
        return new RecordScript().record(Wire.BEGIN_REQUEST, 1, new byte[length]);
    }

    private static RecordScript begun() {
        return new RecordScript().begin(1, Wire.RESPONDER, Wire.KEEP);
    }

    private static RecordScript hex(String digits) {
        return new RecordScript().raw(HexFormat.ofDelimiter(" ").parseHex(digits));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}

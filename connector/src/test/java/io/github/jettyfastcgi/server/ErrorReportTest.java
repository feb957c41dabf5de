package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.jettyfastcgi.protocol.RecordScript;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.ContextHandlerCollection;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the web server is told on STDERR of requests that fail: one line, behind the response, in the write that ends it. */
class ErrorReportTest extends ConnectionTestBase {
    private static final int LARGEST_RECORD = 65_528;

    @BeforeEach
    void reportErrors() {
        factory.setStderr("errors");
    }

    /** Answers with a status and as many bytes. */
    private static Request.Handler answering(int status, ByteBuffer content) {
        return (request, response, callback) -> {
            response.setStatus(status);
            response.write(true, content.slice(), callback);
            return true;
        };
    }

    private static ByteBuffer text(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** {@return the records up to END_REQUEST} */
    private static List<WireRecord> readRecords(Peer peer) throws Exception {
        List<WireRecord> records = new ArrayList<>();
        do records.add(peer.readRecord());
        while (records.get(records.size() - 1).type() != Wire.END_REQUEST);
        return records;
    }

    /** {@return the one line on STDERR, which the empty record follows, or an empty one} */
    private static String line(List<WireRecord> records) {
        List<WireRecord> stderr =
                records.stream().filter(record -> record.type() == Wire.STDERR).toList();
        if (stderr.isEmpty()) return "";
        assertThat(stderr).hasSize(2);
        assertThat(stderr.get(1).content()).isEmpty();
        return stderr.get(0).text();
    }

    private String lineOf(Peer peer, String target) throws Exception {
        peer.get(1, target).send();
        return line(readRecords(peer));
    }

    // ---- the bytes

    @Test
    void reportIsBehindTheResponseInItsOneWrite() throws Exception {
        startLocal(answering(503, text("sorry")));
        LocalPeer peer = connectLocal();

        peer.get(259, "/a%20b;session=secret?password=secret").send();

        peer.assertBytes(new RecordScript()
                .record(Wire.STDOUT, 259, bytes("Content-Length: 5\r\nStatus: 503 Service Unavailable\r\n\r\nsorry"))
                .record(Wire.STDERR, 259, bytes("503 GET /a%20b: Service Unavailable"))
                .record(Wire.STDERR, 259, new byte[0])
                .record(Wire.STDOUT, 259, new byte[0])
                .record(Wire.END_REQUEST, 259, new byte[8]));
        assertThat(peer.writes()).hasSize(1);
        peer.end();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"HEAD", "GET"})
    void reportNeedsNoContent(String method) throws Exception {
        startLocal(answering(500, text(method.equals("HEAD") ? "content" : "")));
        LocalPeer peer = connectLocal();

        peer.head(1, Wire.KEEP, method, "/").endStdin(1).send();

        List<WireRecord> records = readRecords(peer);
        assertThat(records.stream().map(WireRecord::type))
                .containsExactly(Wire.STDOUT, Wire.STDERR, Wire.STDERR, Wire.STDOUT, Wire.END_REQUEST);
        assertThat(records.get(0).text()).endsWith("\r\n\r\n");
        assertThat(line(records)).isEqualTo("500 " + method + " /: Server Error");
        assertThat(peer.writes()).hasSize(1);
        peer.end();
    }

    @ParameterizedTest
    @CsvSource({"true, 5000", "true, 200000", "false, 65000", "false, 65500", "false, 200000"})
    void reportIsBehindLargeContentAsWell(boolean direct, int size) throws Exception {
        ByteBuffer content = direct ? BufferUtil.allocateDirect(size) : BufferUtil.allocate(size);
        content.limit(size);
        for (int i = 0; i < size; i++) content.put(i, (byte) i);
        startLocal(answering(500, content));
        LocalPeer peer = connectLocal();

        peer.get(1, "/").send();

        List<WireRecord> records = readRecords(peer);
        List<Integer> types = records.stream().map(WireRecord::type).toList();
        assertThat(types.subList(types.size() - 4, types.size()))
                .containsExactly(Wire.STDERR, Wire.STDERR, Wire.STDOUT, Wire.END_REQUEST);
        assertThat(types.subList(0, types.size() - 4)).containsOnly(Wire.STDOUT);
        assertThat(records).allMatch(record -> record.content().length <= LARGEST_RECORD);
        int received = records.stream()
                .mapToInt(record -> record.type() == Wire.STDOUT ? record.content().length : 0)
                .sum();
        int head = records.get(0).text().indexOf("\r\n\r\n") + 4;
        assertThat(received).isEqualTo(head + size);
        peer.end();
    }

    @Test
    void reportIsBehindAResponseInParts() throws Exception {
        startLocal((request, response, callback) -> {
            response.setStatus(500);
            response.write(false, text("one "), Callback.from(() -> response.write(true, text("two"), callback)));
            return true;
        });
        LocalPeer peer = connectLocal();

        assertThat(lineOf(peer, "/")).isEqualTo("500 GET /: Server Error");
        peer.get(1, "/").send();
        List<WireRecord> records = readRecords(peer);
        assertThat(records.get(0).text()).endsWith("one ");
        assertThat(records.get(1).text()).isEqualTo("two");
        assertThat(records.get(2).type()).isEqualTo(Wire.STDERR);
        peer.end();
    }

    /** The head of the response has less room beside a report, not too little. */
    @Test
    void reportLeavesRoomForALargeHead() throws Exception {
        configuration.setResponseHeaderSize(1024);
        configuration.setMaxResponseHeaderSize(8 * 1024);
        startLocal((request, response, callback) -> {
            response.getHeaders().put(new HttpField("X-Large", "x".repeat(7 * 1024)));
            return answering(500, text("content")).handle(request, response, callback);
        });
        LocalPeer peer = connectLocal();

        peer.get(1, "/").send();

        List<WireRecord> records = readRecords(peer);
        assertThat(records.get(0).text()).contains("x".repeat(7 * 1024)).endsWith("\r\n\r\ncontent");
        assertThat(line(records)).isEqualTo("500 GET /: Server Error");
        peer.end();
    }

    // ---- what is reported

    @ParameterizedTest
    @CsvSource({"200, false", "302, false", "404, false", "499, false", "500, true", "599, true"})
    void errorsOfTheServerAreReported(int status, boolean reported) throws Exception {
        startLocal(answering(status, text("")));
        LocalPeer peer = connectLocal();

        assertThat(lineOf(peer, "/")).isEqualTo(reported ? status + " GET /: " + reason(status) : "");
        peer.end();
    }

    private static String reason(int status) {
        return status == 500 ? "Server Error" : Integer.toString(status);
    }

    @Test
    void nothingIsReportedUnlessAskedFor() throws Exception {
        factory.setStderr("off");
        startLocal(answering(500, text("")));
        LocalPeer peer = connectLocal();

        peer.get(1, "/").send();

        peer.readAnswer(1).assertStatus(500);
        peer.end();
    }

    @Test
    void whatTheClientHasDoneWrongIsNotReported() throws Exception {
        startLocal(ConnectionTestBase::answerPath);
        LocalPeer peer = connectLocal();

        peer.head(1, Wire.KEEP, "BAD METHOD", "/").endStdin(1).send();

        peer.readAnswer(1).assertStatus(400);
        peer.end();
    }

    @Test
    void requestOverTheLimitIsReported() throws Exception {
        factory.setMaxRequests(1);
        Exchanges exchanges = new Exchanges();
        start(exchanges);
        connect().get(1, "/first").send();
        Exchanges.Exchange first = exchanges.next();

        assertThat(lineOf(connect(), "/second")).isEqualTo("503 GET /second: Service Unavailable");

        first.answer("");
    }

    /** What servlets of each kind fail with. */
    private static void fail(String how, Runnable sendError) {
        switch (how) {
            case "/thrown" -> throw new IllegalStateException("on purpose");
            case "/wrapped" -> throw new UncheckedIOException("outer", new IOException("inner", new Error("inmost")));
            case "/lines" -> throw new IllegalStateException("one\r\n\ttwo \u001b[31m \u009b \u00fc \\n\u2028");
            default -> sendError.run();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/ee8", "/ee10"})
    void exceptionsAndMessagesOfServletsAreTold(String context) throws Exception {
        expectWarning("/" + context);
        expectWarning(context + "/");
        ContextHandlerCollection contexts = new ContextHandlerCollection();
        contexts.addHandler(NestedApplications.failing("/ee8", ErrorReportTest::fail));
        contexts.addHandler(ee10());
        startWith(new LocalConnector(server, factory), contexts);
        LocalPeer peer = connectLocal();

        assertThat(lineOf(peer, context + "/thrown"))
                .isEqualTo("500 GET " + context + "/thrown: java.lang.IllegalStateException: on purpose");
        assertThat(lineOf(peer, context + "/wrapped"))
                .isEqualTo("500 GET " + context + "/wrapped: java.io.UncheckedIOException: outer; root cause"
                        + " java.lang.Error: inmost");
        assertThat(lineOf(peer, context + "/lines"))
                .isEqualTo("500 GET " + context + "/lines: java.lang.IllegalStateException:"
                        + " one\\r\\n\\ttwo \\u001b[31m \\u009b \\u00fc \\n\\u2028");
        assertThat(lineOf(peer, context + "/message")).isEqualTo("503 GET " + context + "/message: maintenance");
        peer.end();
    }

    private static ServletContextHandler ee10() {
        ServletContextHandler context = new ServletContextHandler("/ee10");
        context.addServlet(
                new ServletHolder(new HttpServlet() {
                    private static final long serialVersionUID = 1L;

                    @Override
                    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
                        fail(request.getPathInfo(), () -> unchecked(() -> response.sendError(503, "maintenance")));
                    }
                }),
                "/*");
        return context;
    }

    private interface IOAction {
        void run() throws IOException;
    }

    private static void unchecked(IOAction action) {
        try {
            action.run();
        } catch (IOException x) {
            throw new UncheckedIOException(x);
        }
    }

    // ---- a response that breaks off

    @ParameterizedTest
    @EnumSource(Transport.class)
    void reasonOfABrokenResponseIsTheLastThingBeforeTheConnectionCloses(Transport transport) throws Exception {
        start(transport, (request, response, callback) -> {
            response.write(
                    false,
                    text("begun"),
                    Callback.from(() -> callback.failed(new IllegalStateException("on purpose"))));
            return true;
        });
        SocketPeer peer = connect();

        peer.get(1, "/a").get(1, "/next").send();

        assertThat(peer.readRecord().text()).endsWith("\r\n\r\nbegun");
        WireRecord report = peer.readRecord();
        assertThat(report.type()).isEqualTo(Wire.STDERR);
        assertThat(report.text())
                .isEqualTo("200 GET /a: the response breaks off, java.lang.IllegalStateException: on purpose");
        assertThat(peer.readRecord().content()).isEmpty();
        if (transport == Transport.TCP) peer.assertReset();
        else assertThat(peer.readToClose()).isZero();
        Await.until("the connection is closed", () -> connectedEndPoints() == 0);
    }

    @Test
    void responseThatHasNotBegunBreaksOffWithoutAWord() throws Exception {
        start((request, response, callback) -> {
            callback.failed(new Request.Handler.AbortException());
            return true;
        });
        SocketPeer peer = connect();

        peer.get(1, "/").send();

        assertThat(peer.readToClose()).isZero();
    }

    @Test
    void responseThatNobodyWaitsForBreaksOffWithoutAWord() throws Exception {
        start((request, response, callback) -> {
            response.write(
                    false, text("begun"), Callback.from(() -> callback.failed(new EofException("the client is gone"))));
            return true;
        });
        SocketPeer peer = connect();

        peer.get(1, "/").send();

        assertThat(peer.readRecord().text()).endsWith("begun");
        assertThat(peer.readToClose()).isZero();
    }

    // ---- the line

    @ParameterizedTest
    @CsvSource({"1023, 1023", "1024, 1024", "1025, 1024", "100000, 1024"})
    void lineIsNotLongerThanItMay(int length, int expected) {
        String line = ErrorReport.printable("x".repeat(length));

        assertThat(line).hasSize(expected).startsWith("x".repeat(1021));
        assertThat(line.endsWith("...")).isEqualTo(length > expected);
    }

    @Test
    void everyCharacterButPrintableASCIIIsEscaped() {
        for (int c = 0; c <= Character.MAX_VALUE; c++) {
            String line = ErrorReport.printable(Character.toString((char) c));

            assertThat(line.chars()).as("U+%04X", c).allMatch(b -> b >= ' ' && b <= '~');
            if (c >= ' ' && c <= '~') assertThat(line).isEqualTo(Character.toString((char) c));
        }
    }
}

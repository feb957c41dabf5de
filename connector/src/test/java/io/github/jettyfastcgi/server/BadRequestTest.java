package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.jettyfastcgi.protocol.RecordScript;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.eclipse.jetty.server.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that are answered with an error before any handler sees them, on a connection that lives on. */
class BadRequestTest extends ConnectionTestBase {
    private final Exchanges exchanges = new Exchanges();

    @Test
    void variablesOverTheLimitAsReceivedAre431() throws Exception {
        configuration.setRequestHeaderSize(1024);
        startLocal(exchanges);
        LocalPeer peer = connectLocal();

        peer.begin(1, Wire.RESPONDER, Wire.KEEP);
        for (int i = 0; i < 100; i++) peer.params(1, "REQUEST_METHOD", "GET", "HTTP_X_" + i, "x".repeat(100));
        peer.endParams(1).endStdin(1).send();

        assertRefused(peer, 431);
    }

    @Test
    void variablesOverTheLimitAsDeclaredAre431() throws Exception {
        startLocal(exchanges);
        LocalPeer peer = connectLocal();
        byte[] declaresTwoGigabytes = {4, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 'N', 'A', 'M', 'E', 'v'};

        peer.begin(1, Wire.RESPONDER, Wire.KEEP).params(1, "REQUEST_METHOD", "GET");
        peer.record(Wire.PARAMS, 1, declaresTwoGigabytes);
        for (int i = 0; i < 10; i++) peer.record(Wire.PARAMS, 1, new byte[65_535]);
        peer.endParams(1).endStdin(1).send();

        assertRefused(peer, 431);
    }

    @Test
    void nothingOfVariablesOverTheLimitIsKept() throws Exception {
        configuration.setRequestHeaderSize(1024);
        start(exchanges);
        SocketPeer peer = connect();
        peer.begin(1, Wire.RESPONDER, Wire.KEEP)
                .params(1, "X", "x".repeat(2000))
                .send();

        peer.record(Wire.PARAMS, 1, new byte[65_535]);
        byte[] record = peer.take();
        for (int i = 0; i < 400; i++) peer.raw(record).send();
        peer.endParams(1).endStdin(1).send();

        assertThat(peer.readAnswer(1).assertStatus(431).field("Content-Type")).startsWith("text/html");
        peer.get(3, "/next").send();
        exchanges.next().answer("served");
        peer.readAnswer(3).assertText("served");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void limitIsExact(int excess) throws Exception {
        String[] variables = {"REQUEST_METHOD", "GET", "REQUEST_URI", "/", "HTTP_X", "x".repeat(500)};
        configuration.setRequestHeaderSize(RecordScript.pairs(variables).length - excess);
        startLocal(exchanges);
        LocalPeer peer = connectLocal();

        peer.begin(1, Wire.RESPONDER, Wire.KEEP)
                .params(1, variables)
                .endParams(1)
                .endStdin(1)
                .send();

        if (excess == 0) exchanges.next().answer("served");
        peer.readAnswer(1).assertStatus(excess == 0 ? 200 : 431);
        peer.end();
    }

    @Test
    void variableOfOneMegabyteSplitOverRecordsIsWhole() throws Exception {
        configuration.setRequestHeaderSize(1100 * 1024);
        start(exchanges);
        SocketPeer peer = connect();
        String value = "0123456789abcdef".repeat(65_536);
        byte[] pairs = RecordScript.pairs("REQUEST_METHOD", "GET", "REQUEST_URI", "/", "HTTP_X_BIG", value);

        peer.begin(1, Wire.RESPONDER, Wire.KEEP);
        int cutInsideLength = RecordScript.pairs("REQUEST_METHOD", "GET", "REQUEST_URI", "/").length + 3;
        peer.record(Wire.PARAMS, 1, Arrays.copyOf(pairs, cutInsideLength));
        for (int at = cutInsideLength; at < pairs.length; at += 65_535)
            peer.record(Wire.PARAMS, 1, Arrays.copyOfRange(pairs, at, Math.min(pairs.length, at + 65_535)));
        peer.endParams(1).endStdin(1).send();

        Exchanges.Exchange exchange = exchanges.next();
        assertThat(exchange.request().getHeaders().get("X-Big")).isEqualTo(value);
        exchange.answer("served");
        peer.readAnswer(1).assertText("served");
    }

    @Test
    void pairCutOffByTheEndOfVariablesIs400() throws Exception {
        startLocal(exchanges);
        LocalPeer peer = connectLocal();
        byte[] pairs = RecordScript.pairs("REQUEST_METHOD", "GET", "REQUEST_URI", "/", "HTTP_X", "1234567890");

        peer.begin(1, Wire.RESPONDER, Wire.KEEP);
        peer.record(Wire.PARAMS, 1, Arrays.copyOf(pairs, pairs.length - 1));
        peer.endParams(1).endStdin(1).send();

        assertRefused(peer, 400);
    }

    static Stream<List<String>> badVariables() {
        return Stream.of(
                List.of(),
                variables("REQUEST_METHOD", ""),
                variables("REQUEST_METHOD", "G T"),
                variables("REQUEST_METHOD", "GET\r\n"),
                variables("REQUEST_METHOD", "G\u00c4T"),
                variables("REQUEST_URI", ""),
                variables("REQUEST_URI", "/a b"),
                variables("REQUEST_URI", "/a\r\nX: y"),
                variables("REQUEST_URI", "/a\0b"),
                variables("REQUEST_URI", "/%zz"),
                variables("HTTP_HOST", "bad host:port"),
                variables("CONTENT_LENGTH", "abc"),
                variables("CONTENT_LENGTH", "-2"),
                variables("CONTENT_LENGTH", "1 1"),
                variables("CONTENT_LENGTH", "9999999999999999999"),
                variables("CONTENT_TYPE", "text/plain\nX: y"),
                variables("HTTP_X", "a\rb"),
                variables("HTTP_X", "a\nb"),
                variables("HTTP_X", "a\0b"),
                variables("HTTP_X Y", "z"),
                variables("HTTP_X\n", "z"),
                variables("HTTP_X:", "z"));
    }

    @ParameterizedTest
    @MethodSource("badVariables")
    void badVariablesAre400(List<String> variables) throws Exception {
        expectWarning("HostPort:main: Bad Authority"); // Jetty's own, for HTTP too
        startLocal(exchanges);
        LocalPeer peer = connectLocal();

        peer.begin(1, Wire.RESPONDER, Wire.KEEP).params(1, variables.toArray(String[]::new));
        peer.endParams(1).endStdin(1).send();

        assertRefused(peer, 400);
    }

    @Test
    void contentOfABadRequestIsIgnored() throws Exception {
        start(exchanges);
        SocketPeer peer = connect();

        peer.head(1, Wire.KEEP, "POST", "/%zz", "CONTENT_LENGTH", "400000").send();
        peer.readAnswer(1).assertStatus(400);
        peer.stdin(1, new byte[400_000]).endStdin(1).get(3, "/next").send();

        exchanges.next().answer("served");
        peer.readAnswer(3).assertText("served");
    }

    @Test
    void badRequestOnAConnectionThatIsNotKeptEndsIt() throws Exception {
        start(exchanges);
        SocketPeer peer = connect();

        peer.head(1, Wire.CLOSE, "GET", "/%zz").endStdin(1).send();

        peer.readAnswer(1).assertStatus(400);
        peer.assertEnd();
    }

    @Test
    void badRequestIsLoggedWithItsClient() throws Exception {
        BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        server.setRequestLog((request, response) ->
                lines.add(Request.getRemoteAddr(request) + " " + response.getStatus() + " " + request.getMethod()));
        startLocal(exchanges);
        LocalPeer peer = connectLocal();

        peer.get(1, "/a b", "REMOTE_ADDR", "192.0.2.1")
                .get(3, "/", "REMOTE_ADDR", "192.0.2.2")
                .send();

        peer.readAnswer(1).assertStatus(400);
        assertThat(Await.next("a line", lines)).isEqualTo("192.0.2.1 400 GET");
        exchanges.next().answer("served");
        assertThat(Await.next("a line", lines)).isEqualTo("192.0.2.2 200 GET");
        peer.readAnswer(3).assertText("served");
        peer.end();
    }

    @Test
    void moreVariablesThanAllowedAre431() throws Exception {
        factory.setMaxVariables(10);
        startLocal(exchanges);
        LocalPeer peer = connectLocal();
        peer.begin(1, Wire.RESPONDER, Wire.KEEP);
        for (int i = 0; i < 11; i++) peer.params(1, "N" + i, "");

        peer.endParams(1).endStdin(1).send();

        assertRefused(peer, 431);
    }

    @Test
    void asManyVariablesAsAllowedAreServed() throws Exception {
        factory.setMaxVariables(10);
        startLocal(exchanges);
        LocalPeer peer = connectLocal();

        peer.get(1, "/", "A", "1", "B", "2", "C", "3", "D", "4").send();

        exchanges.next().answer("served");
        peer.readAnswer(1).assertText("served");
        peer.end();
    }

    @Test
    void contentLengthOverTheLimitIs413AndNothingIsRead() throws Exception {
        factory.setMaxContentLength(5);
        startLocal(exchanges);
        LocalPeer peer = connectLocal();

        peer.post(1, "/", "123456").send();

        assertRefused(peer, 413);
    }

    @Test
    void contentLengthAtTheLimitIsServed() throws Exception {
        factory.setMaxContentLength(5);
        startLocal(ConnectionTestBase::echo);
        LocalPeer peer = connectLocal();

        peer.post(1, "/", "12345").send();

        peer.readAnswer(1).assertText("12345");
        peer.end();
    }

    @Test
    void contentOfUnknownLengthOverTheLimitIs413() throws Exception {
        factory.setMaxContentLength(5);
        start(ConnectionTestBase::echo);
        SocketPeer peer = connect();

        peer.head(1, Wire.KEEP, "POST", "/")
                .stdin(1, "1234")
                .stdin(1, "56")
                .stdin(1, "more")
                .endStdin(1)
                .send();

        peer.readAnswer(1).assertStatus(413);
        peer.head(3, Wire.KEEP, "POST", "/").stdin(3, "12345").endStdin(3).send();
        peer.readAnswer(3).assertText("12345");
    }

    private void assertRefused(LocalPeer peer, int status) throws Exception {
        peer.readAnswer(1).assertStatus(status);
        assertThat(counters.refusedRequests()).isEqualTo(1);
        assertThat(exchanges.isEmpty()).isTrue();

        peer.get(3, "/next").send();
        exchanges.next().answer("served");
        peer.readAnswer(3).assertText("served");
        peer.end();
        assertThat(peer.isClosed()).isTrue();
    }

    /** A request that is bad for one reason. */
    private static List<String> variables(String name, String value) {
        String[] variables = {"REQUEST_METHOD", "GET", "REQUEST_URI", "/", "HTTP_HOST", "a.example", name, value};
        for (int i = 0; i < 6; i += 2) if (variables[i].equals(name)) variables[i] = "X_" + name;
        return List.of(variables);
    }
}

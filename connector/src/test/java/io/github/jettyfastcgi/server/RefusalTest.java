package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.jettyfastcgi.protocol.RecordScript;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.io.Content;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** BEGIN_REQUEST records that are refused: with a whole response, so that every web server tells its client. */
class RefusalTest extends ConnectionTestBase {
    private static final String NOT_IMPLEMENTED = "Content-Type: text/plain;charset=utf-8\r\n"
            + "Content-Length: 51\r\n"
            + "Status: 501 Not Implemented\r\n"
            + "\r\n"
            + "This FastCGI application does not serve this role.\n";

    private static final String UNAVAILABLE = "Retry-After: 1\r\n"
            + "Content-Type: text/plain;charset=utf-8\r\n"
            + "Content-Length: 71\r\n"
            + "Status: 503 Service Unavailable\r\n"
            + "\r\n"
            + "This FastCGI application serves one request at a time on a connection.\n";

    @ParameterizedTest
    @ValueSource(ints = {0, Wire.AUTHORIZER, Wire.FILTER, 4, 99, 257, 65_535})
    void unknownRoleOnAKeptConnectionIs501(int role) throws Exception {
        startLocal(ConnectionTestBase::answerPath);
        LocalPeer peer = connectLocal();

        peer.begin(5, role, Wire.KEEP)
                .params(5, "REQUEST_METHOD", "GET")
                .endParams(5)
                .send();
        peer.assertBytes(refusal(5, NOT_IMPLEMENTED, Wire.UNKNOWN_ROLE));
        peer.stdin(5, "content").endStdin(5).get(7, "/next").send();

        peer.readAnswer(7).assertText("/next");
        assertThat(counters.refusedRequests()).isEqualTo(1);
        peer.end();
    }

    @ParameterizedTest
    @ValueSource(ints = {Wire.AUTHORIZER, Wire.FILTER, 99})
    void unknownRoleOnAConnectionThatIsNotKeptIs501AndTheEnd(int role) throws Exception {
        start(ConnectionTestBase::answerPath);
        SocketPeer peer = connect();

        peer.begin(1, role, Wire.CLOSE).send();

        peer.assertBytes(refusal(1, NOT_IMPLEMENTED, Wire.UNKNOWN_ROLE));
        peer.assertEnd();
    }

    @Test
    void whatFollowsARefusedBeginIsReadToItsEnd() throws Exception {
        start(Transport.TCP, ConnectionTestBase::answerPath);
        SocketPeer peer = connect();
        peer.begin(1, Wire.AUTHORIZER, Wire.CLOSE).send();
        peer.assertBytes(refusal(1, NOT_IMPLEMENTED, Wire.UNKNOWN_ROLE));

        peer.params(1, "REQUEST_METHOD", "POST").endParams(1).send();
        byte[] content = peer.stdin(1, new byte[50_000]).take();
        for (int i = 0; i < 1000; i++) peer.write(content);
        peer.endStdin(1).send();

        peer.assertEnd();
    }

    @Test
    void beginWithinVariablesIs503AndTheActiveRequestGoesOn() throws Exception {
        startLocal(ConnectionTestBase::answerPath);
        LocalPeer peer = connectLocal();

        peer.begin(1, Wire.RESPONDER, Wire.KEEP)
                .params(1, "REQUEST_METHOD", "GET")
                .send();
        peer.get(3, "/refused").send();
        peer.assertBytes(refusal(3, UNAVAILABLE, Wire.CANT_MPX_CONN));
        peer.params(1, "REQUEST_URI", "/active").endParams(1).endStdin(1).send();

        peer.readAnswer(1).assertText("/active");
        assertThat(counters.refusedRequests()).isEqualTo(1);
        peer.end();
    }

    @Test
    void beginWithinContentIs503AndTheActiveRequestGoesOn() throws Exception {
        start(ConnectionTestBase::echo);
        SocketPeer peer = connect();

        peer.postHead(1, "/active", 10).stdin(1, "12345").send();
        peer.head(3, Wire.KEEP, "POST", "/refused")
                .stdin(3, "other")
                .endStdin(3)
                .send();
        peer.assertBytes(refusal(3, UNAVAILABLE, Wire.CANT_MPX_CONN));
        peer.stdin(1, "67890").endStdin(1).send();

        peer.readAnswer(1).assertText("1234567890");
        peer.get(5, "/next").send();
        peer.readAnswer(5).assertText("");
    }

    @Test
    void refusalComesBetweenTheWritesOfTheActiveRequest() throws Exception {
        Exchanges exchanges = new Exchanges();
        start(exchanges);
        SocketPeer peer = connect();
        peer.postHead(1, "/active", 10).stdin(1, "12345").send();
        Exchanges.Exchange active = exchanges.next();
        active.commit("begun");
        assertThat(peer.readRecord().text()).endsWith("begun");

        peer.begin(3, Wire.RESPONDER, Wire.CLOSE).send();
        Await.until("content is read to the refused BEGIN", () -> {
            Content.Chunk chunk = active.request().read();
            if (chunk != null) chunk.release();
            return counters.refusedRequests() == 1;
        });
        peer.assertBytes(refusal(3, UNAVAILABLE, Wire.CANT_MPX_CONN));

        active.answer("ended");
        peer.assertBytes(new RecordScript()
                .record(Wire.STDOUT, 1, ascii("ended"))
                .record(Wire.STDOUT, 1, new byte[0])
                .record(Wire.END_REQUEST, 1, new byte[8]));
    }

    private static RecordScript refusal(int id, String response, int protocolStatus) {
        return new RecordScript()
                .record(Wire.STDOUT, id, ascii(response))
                .record(Wire.STDOUT, id, new byte[0])
                .record(Wire.END_REQUEST, id, new byte[] {0, 0, 0, 0, (byte) protocolStatus, 0, 0, 0});
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}

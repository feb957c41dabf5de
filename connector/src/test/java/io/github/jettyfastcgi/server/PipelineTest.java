package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One request after another on a kept connection, also where the next one is sent before the answer. */
class PipelineTest extends ConnectionTestBase {
    @ParameterizedTest
    @EnumSource(Transport.class)
    void thousandRequestsOnOneConnection(Transport transport) throws Exception {
        start(transport, ConnectionTestBase::echo);
        SocketPeer peer = connect();

        for (int i = 1; i <= 1000; i++) {
            String content = "content ".repeat(i % 50) + i;
            peer.post(i, "/" + i, content).send();
            peer.readAnswer(i).assertText(content);
        }
    }

    @Test
    void requestsSentAtOnceAreServedInTurn() throws Exception {
        startLocal(ConnectionTestBase::answerPath);
        LocalPeer peer = connectLocal();

        for (int id = 1; id <= 7; id += 2) peer.get(id, "/" + id);
        peer.send();

        for (int id = 1; id <= 7; id += 2) peer.readAnswer(id).assertText("/" + id);
        assertThat(counters.refusedRequests()).isZero();
        peer.end();
    }

    @Test
    void requestsWithContentSentAtOnceAreServedInTurn() throws Exception {
        start(ConnectionTestBase::echo);
        SocketPeer peer = connect();

        for (int id = 1; id <= 59; id += 2) peer.post(id, "/", "x".repeat(100 * id));
        peer.send();

        for (int id = 1; id <= 59; id += 2) peer.readAnswer(id).assertText("x".repeat(100 * id));
    }

    @Test
    void nextRequestWaitsForTheEndOfAnAsynchronousOne() throws Exception {
        Exchanges exchanges = new Exchanges();
        start(exchanges);
        SocketPeer peer = connect();
        for (int id = 1; id <= 7; id += 2) peer.get(id, "/" + id);
        peer.send();

        for (int id = 1; id <= 7; id += 2) {
            Exchanges.Exchange exchange = exchanges.next();
            assertThat(exchange.request().getHttpURI().getPath()).isEqualTo("/" + id);
            assertThat(exchanges.isEmpty()).isTrue();
            assertThat(factory.getRunningRequests()).isEqualTo(1);
            exchange.answer("answer " + id);
            peer.readAnswer(id).assertText("answer " + id);
        }
    }

    @Test
    void requestSentWhileAnAsynchronousOneWaitsIsServedAfterIt() throws Exception {
        Exchanges exchanges = new Exchanges();
        start(exchanges);
        SocketPeer peer = connect();
        peer.get(1, "/1").send();
        Exchanges.Exchange first = exchanges.next();

        peer.getValues("FCGI_MPXS_CONNS").get(3, "/3").send();
        assertThat(peer.readRecord().type()).isEqualTo(Wire.GET_VALUES_RESULT); // so it has read to the second
        assertThat(exchanges.isEmpty()).isTrue();
        first.answer("first");

        peer.readAnswer(1).assertText("first");
        exchanges.next().answer("second");
        peer.readAnswer(3).assertText("second");
    }

    @Test
    void handlerThatNeverBlocksIsServed() throws Exception {
        FastCGITCPConnector tcp = new FastCGITCPConnector(server, 1, 1, factory);
        tcp.setPort(0);
        startWith(tcp, new Handler.Abstract.NonBlocking() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                Content.copy(request, response, callback);
                return true;
            }
        });
        SocketPeer peer = connect();

        for (int id = 1; id <= 100; id++) {
            peer.postHead(id, "/", 6).send();
            peer.stdin(id, "abc").send();
            peer.stdin(id, "def").endStdin(id).send();
            peer.readAnswer(id).assertText("abcdef");
        }
    }

    @Test
    void idMayRepeat() throws Exception {
        startLocal(ConnectionTestBase::echo);
        LocalPeer peer = connectLocal();

        peer.post(1, "/", "one").post(1, "/", "two").send();

        peer.readAnswer(1).assertText("one");
        peer.readAnswer(1).assertText("two");
        peer.end();
    }

    @Test
    void highestIdIsServed() throws Exception {
        startLocal(ConnectionTestBase::answerPath);
        LocalPeer peer = connectLocal();

        peer.get(65_535, "/x").send();

        peer.readAnswer(65_535).assertText("/x");
        peer.end();
    }

    @Test
    void manyConnectionsAreServedAtOnce() throws Exception {
        Exchanges exchanges = new Exchanges();
        start(exchanges);
        SocketPeer[] peers = new SocketPeer[50];
        for (int i = 0; i < peers.length; i++) {
            peers[i] = connect();
            peers[i].get(1, "/" + i).send();
        }

        for (int i = 0; i < peers.length; i++) {
            Exchanges.Exchange exchange = exchanges.next();
            exchange.answer(exchange.request().getHttpURI().getPath());
        }

        for (int i = 0; i < peers.length; i++) peers[i].readAnswer(1).assertText("/" + i);
    }
}

package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A response that fails when it has begun: the web server can tell it from a whole one, since no END_REQUEST comes. */
class ResponseFailureTest extends ConnectionTestBase {
    /** The ways to fail. */
    enum Failure implements Request.Handler {
        THROWN,
        CALLBACK_FAILED,
        LATER,
        TOO_SHORT,
        TOO_LONG;

        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            if (this == TOO_SHORT || this == TOO_LONG) response.getHeaders().put("Content-Length", 10);
            Content.Sink.write(response, false, ByteBuffer.wrap(new byte[5]));
            switch (this) {
                case THROWN -> throw new IllegalStateException("on purpose");
                case CALLBACK_FAILED -> callback.failed(new IllegalStateException("on purpose"));
                case LATER ->
                    request.getContext().execute(() -> callback.failed(new IllegalStateException("on purpose")));
                case TOO_SHORT -> callback.succeeded();
                case TOO_LONG -> response.write(true, ByteBuffer.wrap(new byte[6]), callback);
            }
            return true;
        }
    }

    @ParameterizedTest
    @EnumSource(Failure.class)
    void resetsATCPConnection(Failure failure) throws Exception {
        start(Transport.TCP, failure);
        SocketPeer peer = connect();

        peer.get(1, "/").send();

        peer.assertReset();
        Await.until("the connection is closed", () -> connectedEndPoints() == 0);
    }

    @ParameterizedTest
    @EnumSource(Failure.class)
    void closesAUnixConnectionBehindWhatWasSent(Failure failure) throws Exception {
        start(Transport.UNIX, failure);
        SocketPeer peer = connect();

        peer.get(1, "/").send();

        WireRecord record = peer.readRecord();
        assertThat(record.type()).isEqualTo(Wire.STDOUT);
        assertThat(record.text()).endsWith("Status: 200 OK\r\n\r\n\0\0\0\0\0");
        assertThat(peer.readToClose()).isZero();
        Await.until("the connection is closed", () -> connectedEndPoints() == 0);
    }

    @Test
    void nextRequestIsNotServed() throws Exception {
        Exchanges exchanges = new Exchanges();
        start(exchanges);
        SocketPeer peer = connect();
        peer.get(1, "/").get(3, "/next").send();
        Exchanges.Exchange exchange = exchanges.next();
        exchange.commit("begun");

        exchange.callback().failed(new IllegalStateException("on purpose"));

        assertThat(peer.readRecord().text()).endsWith("begun");
        assertThat(peer.readToClose()).isZero();
        awaitIdleThreads();
        assertThat(exchanges.isEmpty()).isTrue();
    }

    @Test
    void applicationMayAbortBeforeTheResponseBegins() throws Exception {
        start((request, response, callback) -> {
            callback.failed(new Request.Handler.AbortException());
            return true;
        });
        SocketPeer peer = connect();

        peer.get(1, "/").send();

        assertThat(peer.readToClose()).isZero();
    }

    /** As Jetty does after a bad form: it throws once more what the parts of the form have failed with. */
    @Test
    void channelThatThrowsAfterCompletionCostsNoConnection() throws Exception {
        server.setRequestLog((request, response) -> {
            throw new IllegalStateException("after completion");
        });
        start(ConnectionTestBase::answerPath);
        SocketPeer peer = connect();

        for (int i = 0; i < 2; i++) {
            peer.get(1, "/answered").send();

            peer.readAnswer(1).assertText("/answered");
        }
    }
}

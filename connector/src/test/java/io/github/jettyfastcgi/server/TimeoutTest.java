package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.jettyfastcgi.protocol.RecordScript;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Blocker;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What stalls is ended by the idle timeout: quietly between requests, with 408 where the web server waits for one. */
class TimeoutTest extends ConnectionTestBase {
    private static final String TIMEOUT = "Content-Type: text/plain;charset=utf-8\r\n"
            + "Content-Length: 55\r\n"
            + "Status: 408 Request Timeout\r\n"
            + "\r\n"
            + "The web server did not send the whole request in time.\n";

    private final Exchanges exchanges = new Exchanges();

    /** The first request of all takes its time, which would count as the web server's. */
    @BeforeAll
    static void loadClasses() throws Exception {
        Server server = new Server();
        LocalConnector connector = new LocalConnector(server, new FastCGIConnectionFactory());
        server.addConnector(connector);
        server.start();
        LocalPeer peer = new LocalPeer(connector, new byte[0]);
        peer.get(1, "/").send();
        peer.readAnswer(1).assertStatus(404);
        server.stop();
    }

    /** A timeout that begins with the request, so that a slow test doesn't meet it earlier. */
    @BeforeEach
    void setTimeoutOfRequests() {
        configuration.setIdleTimeout(400);
    }

    /** A timeout that begins with the connection, which is longer than a slow test takes to say something. */
    private void setTimeoutOfConnections() {
        idleTimeout = 400;
        configuration.setIdleTimeout(-1);
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void idleConnectionIsClosedQuietly(Transport transport) throws Exception {
        setTimeoutOfConnections();
        start(transport, ConnectionTestBase::answerPath);
        SocketPeer peer = connect();
        peer.get(1, "/x").send();
        peer.readAnswer(1).assertText("/x");

        peer.assertEnd();
    }

    @Test
    void connectionThatNeverSaysAnythingIsClosedQuietly() throws Exception {
        setTimeoutOfConnections();
        start(exchanges);

        connect().assertEnd();
    }

    @Test
    void connectionThatStallsWithinItsFirstHeaderIsClosedQuietly() throws Exception {
        setTimeoutOfConnections();
        start(exchanges);
        SocketPeer peer = connect();

        peer.raw(new byte[] {1, 1, 0}).send();

        peer.assertEnd();
    }

    @ParameterizedTest
    @ValueSource(ints = {Wire.KEEP, Wire.CLOSE})
    void variablesThatStallAre408AndTheEnd(int flags) throws Exception {
        setTimeoutOfConnections();
        start(exchanges);
        SocketPeer peer = connect();

        peer.begin(9, Wire.RESPONDER, flags).params(9, "REQUEST_METHOD", "GET").send();

        peer.assertBytes(new RecordScript()
                .record(Wire.STDOUT, 9, TIMEOUT.getBytes(StandardCharsets.US_ASCII))
                .record(Wire.STDOUT, 9, new byte[0])
                .record(Wire.END_REQUEST, 9, new byte[8]));
        peer.assertEnd();
        assertThat(exchanges.isEmpty()).isTrue();
    }

    /** Bytes that come now and then, or without end, extend a timeout of silence, but not the one of a request. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void variablesThatDoNotEndAre408AndTheEnd(boolean withoutPause) throws Exception {
        factory.setRequestTimeout(300);
        factory.setDrainTimeout(100);
        start(exchanges);
        SocketPeer peer = connect();
        peer.begin(9, Wire.RESPONDER, Wire.KEEP).send();
        byte[] more = peer.params(9, "X", "y".repeat(100)).take();

        assertThatThrownBy(() -> {
                    while (true) {
                        peer.write(more);
                        if (!withoutPause) Thread.sleep(20);
                    }
                })
                .isInstanceOf(IOException.class);

        peer.readAnswer(9).assertStatus(408);
        assertThat(exchanges.isEmpty()).isTrue();
        assertThat(counters.refusedRequests(RequestRefusal.TIMEOUT)).isEqualTo(1);
    }

    @Test
    void variablesMayTakeAsLongAsTheIdleTimeoutIfSo() throws Exception {
        setTimeoutOfConnections();
        factory.setRequestTimeout(0);
        start(exchanges);
        SocketPeer peer = connect();

        peer.begin(9, Wire.RESPONDER, Wire.KEEP).send();

        peer.readAnswer(9).assertStatus(408);
        peer.assertEnd();
    }

    @Test
    void contentHasATimeoutOfItsOwn() throws Exception {
        configuration.setIdleTimeout(-1);
        factory.setContentTimeout(200);
        start(ConnectionTestBase::echo);
        SocketPeer peer = connect();
        peer.post(1, "/", "abc").send();
        peer.readAnswer(1).assertText("abc");

        peer.postHead(3, "/", 10).stdin(3, "abc").send();

        peer.readAnswer(3).assertStatus(408);
        peer.assertEnd();
    }

    @Test
    void timeoutOfContentEndsWithTheRequest() throws Exception {
        configuration.setIdleTimeout(-1);
        factory.setContentTimeout(70_000);
        start(exchanges);
        SocketPeer peer = connect();
        peer.get(1, "/").send();
        Exchanges.Exchange exchange = exchanges.next();
        EndPoint endPoint =
                exchange.request().getConnectionMetaData().getConnection().getEndPoint();
        assertThat(endPoint.getIdleTimeout()).isEqualTo(70_000);

        exchange.answer("served");

        peer.readAnswer(1).assertText("served");
        Await.until("the connection's own timeout", () -> endPoint.getIdleTimeout() == idleTimeout);
    }

    @Test
    void contentThatStallsABlockedReadIs408AndTheEnd() throws Exception {
        start(ConnectionTestBase::echo);
        SocketPeer peer = connect();

        peer.postHead(1, "/", 10).stdin(1, "abc").send();

        peer.readAnswer(1).assertStatus(408);
        peer.assertEnd();
    }

    @Test
    void contentThatStallsADemandIs408AndTheEnd() throws Exception {
        start(exchanges);
        SocketPeer peer = connect();
        peer.postHead(1, "/", 10).send();
        Exchanges.Exchange exchange = exchanges.next();
        BlockingQueue<Content.Chunk> chunks = new LinkedBlockingQueue<>();

        exchange.request().demand(() -> chunks.add(exchange.request().read()));

        Throwable failure = Await.next("a failure", chunks).getFailure();
        assertThat(failure).isInstanceOf(IOException.class).hasMessageContaining("Idle timeout");
        exchange.callback().failed(failure);
        peer.readAnswer(1).assertStatus(408);
        peer.assertEnd();
    }

    @Test
    void contentThatStallsWhileNobodyReadsIs408AndTheEnd() throws Exception {
        AtomicInteger timeouts = new AtomicInteger();
        start((request, response, callback) -> {
            request.addIdleTimeoutListener(timeout -> timeouts.incrementAndGet() > 1);
            request.addFailureListener(callback::failed);
            return true;
        });
        SocketPeer peer = connect();

        peer.postHead(1, "/", 10).stdin(1, "abc").send();

        peer.readAnswer(1).assertStatus(408);
        peer.assertEnd();
        assertThat(timeouts).hasValueGreaterThanOrEqualTo(2);
    }

    @Test
    void contentThatStallsAfterTheResponseBeganClosesWithoutAnEnd() throws Exception {
        configuration.setIdleTimeout(-1);
        start(Transport.TCP, (request, response, callback) -> {
            Content.Sink.write(response, false, "begun", Callback.NOOP);
            Content.Source.asByteBuffer(request);
            callback.succeeded();
            return true;
        });
        SocketPeer peer = connect();

        peer.postHead(1, "/", 10).stdin(1, "abc").send();
        assertThat(peer.readRecord().text()).endsWith("begun");
        shortenIdleTimeouts(400);

        peer.assertReset();
    }

    @Test
    void requestThatWaitsLongerThanTheTimeoutIsServedIfItWants() throws Exception {
        AtomicInteger timeouts = new AtomicInteger();
        BlockingQueue<Callback> callbacks = new LinkedBlockingQueue<>();
        start((request, response, callback) -> {
            request.addIdleTimeoutListener(timeout -> {
                timeouts.incrementAndGet();
                return false;
            });
            callbacks.add(Callback.from(() -> answer(response, callback, "late"), callback::failed));
            return true;
        });
        SocketPeer peer = connect();
        peer.get(1, "/").send();
        Callback callback = Await.next("a request", callbacks);

        Await.until("two timeouts", () -> timeouts.get() >= 2);
        callback.succeeded();

        peer.readAnswer(1).assertText("late");
    }

    @Test
    void requestThatWaitsLongerThanTheTimeoutFailsOtherwise() throws Exception {
        start((request, response, callback) -> {
            request.addFailureListener(callback::failed);
            return true;
        });
        SocketPeer peer = connect();
        expectWarning("writeError: status=500");

        peer.get(1, "/").send();

        peer.readAnswer(1).assertStatus(500);
        peer.get(3, "/").send(); // the web server isn't to blame, so the connection lives
        peer.readAnswer(3).assertStatus(500);
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void responseThatNobodyReadsFailsAndCloses(Transport transport) throws Exception {
        BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
        start(transport, (request, response, callback) -> {
            try (Blocker.Callback blocker = Blocker.callback()) {
                response.write(true, ByteBuffer.allocate(20_000_000), blocker);
                blocker.block();
            } catch (Throwable x) {
                failures.add(x);
                callback.failed(x);
            }
            return true;
        });
        SocketPeer peer = connect();

        peer.get(1, "/").send();

        assertThat(Await.next("a failure", failures)).hasRootCauseInstanceOf(TimeoutException.class);
        Await.until("the connection is closed", () -> connectedEndPoints() == 0);
        assertThat(peer.readToClose()).isLessThan(20_000_000);
    }

    @Test
    void asynchronousResponseThatNobodyReadsFailsAndCloses() throws Exception {
        start(exchanges);
        SocketPeer peer = connect();
        peer.get(1, "/").send();
        Exchanges.Exchange exchange = exchanges.next();

        exchange.response().write(true, ByteBuffer.allocate(20_000_000), exchange.callback());

        Await.until("the connection is closed", () -> connectedEndPoints() == 0);
        assertThat(peer.readToClose()).isLessThan(20_000_000);
    }

    @Test
    void timeoutOfARequestEndsWithIt() throws Exception {
        start(exchanges);
        SocketPeer peer = connect();
        peer.get(1, "/").send();
        Exchanges.Exchange exchange = exchanges.next();
        EndPoint endPoint =
                exchange.request().getConnectionMetaData().getConnection().getEndPoint();
        assertThat(endPoint.getIdleTimeout()).isEqualTo(400);

        exchange.answer("served");

        peer.readAnswer(1).assertText("served");
        Await.until("the connection's own timeout", () -> endPoint.getIdleTimeout() == idleTimeout);
    }

    /** No application waits for the write, to be told of the timeout. */
    @ParameterizedTest
    @ValueSource(strings = {"BAD METHOD", "GET"})
    void errorThatNobodyReadsEndsTheConnection(String method) throws Exception {
        expectWarning("writeError: status=500");
        configuration.setIdleTimeout(-1);
        startLocal((request, response, callback) -> {
            callback.failed(new IllegalStateException("a failure of the application"));
            return true;
        });
        LocalPeer peer = connectLocal();
        peer.takeOnly(0);
        peer.head(1, Wire.KEEP, method, "/").endStdin(1).send();
        assertThat(peer.isFull()).isTrue();

        peer.connection().getEndPoint().setIdleTimeout(1);

        Await.until("the connection is closed", peer::isClosed);
    }
}

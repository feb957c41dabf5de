package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Blocker;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A web server that goes away: quietly where nothing runs, as a failure of the request where one does. */
class PeerCloseTest extends ConnectionTestBase {
    private final Exchanges exchanges = new Exchanges();

    @ParameterizedTest
    @EnumSource
    void whenIdleIsNoNews(End end) throws Exception {
        LogCapture.debug(true);
        try {
            start(end.transport(), ConnectionTestBase::answerPath);
            SocketPeer peer = connect();
            peer.get(1, "/x").send();
            peer.readAnswer(1).assertText("/x");

            end.of(peer);

            Await.until("the connection is closed", () -> connectedEndPoints() == 0);
            assertThat(log().lines("xception")).isEmpty();
            assertThat(counters.abortedRequests()).isZero();
        } finally {
            LogCapture.debug(false);
        }
    }

    @ParameterizedTest
    @EnumSource
    void beforeAnythingIsNoNews(End end) throws Exception {
        start(end.transport(), exchanges);
        SocketPeer peer = connect();
        Await.until("the connection is open", () -> connectedEndPoints() == 1);

        end.of(peer);

        Await.until("the connection is closed", () -> connectedEndPoints() == 0);
    }

    @ParameterizedTest
    @EnumSource
    void withinARecordHeaderDropsTheRequest(End end) throws Exception {
        start(end.transport(), exchanges);
        SocketPeer peer = connect();
        peer.getValues().raw(new byte[] {1, 1, 0, 1}).send();
        assertThat(peer.readRecord().type()).isEqualTo(Wire.GET_VALUES_RESULT);

        end.of(peer);

        Await.until("the connection is closed", () -> connectedEndPoints() == 0);
        assertThat(exchanges.isEmpty()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void withinVariablesDropsTheRequest(End end) throws Exception {
        start(end.transport(), exchanges);
        SocketPeer peer = connect();
        peer.begin(1, Wire.RESPONDER, Wire.KEEP).params(1, "REQUEST_METHOD", "GET", "REQUEST_URI", "/");
        peer.getValues().send();
        assertThat(peer.readRecord().type()).isEqualTo(Wire.GET_VALUES_RESULT);

        end.of(peer);

        Await.until("the connection is closed", () -> connectedEndPoints() == 0);
        assertThat(exchanges.isEmpty()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void failsABlockedRead(End end) throws Exception {
        BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
        CountDownLatch reading = new CountDownLatch(1);
        start(end.transport(), (request, response, callback) -> {
            try {
                reading.countDown();
                Content.Source.asByteBuffer(request);
            } catch (Throwable x) {
                failures.add(x);
                callback.failed(x);
            }
            return true;
        });
        SocketPeer peer = connect();
        peer.postHead(1, "/", 10).stdin(1, "abc").send();
        Await.latch("the handler is called", reading);

        end.of(peer);

        assertThat(Await.next("a failure", failures))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("closed the connection");
        assertClosedAndCounted();
    }

    @ParameterizedTest
    @EnumSource
    void failsADemand(End end) throws Exception {
        start(end.transport(), exchanges);
        SocketPeer peer = connect();
        peer.postHead(1, "/", 10).stdin(1, "abc").send();
        Exchanges.Exchange exchange = exchanges.next();
        assertThat(exchange.readText()).isEqualTo("abc");
        BlockingQueue<Content.Chunk> chunks = new LinkedBlockingQueue<>();
        demandUntilRead(exchange.request(), chunks);

        end.of(peer);

        Content.Chunk chunk = Await.next("a chunk", chunks);
        assertThat(Content.Chunk.isFailure(chunk, true)).isTrue();
        assertThat(chunk.getFailure()).isInstanceOf(EofException.class);
        exchange.callback().failed(chunk.getFailure());
        assertClosedAndCounted();
    }

    @ParameterizedTest
    @EnumSource
    void reachesTheListenersOfAWaitingRequest(End end) throws Exception {
        start(end.transport(), exchanges);
        SocketPeer peer = connect();
        peer.get(1, "/").send();
        Exchanges.Exchange exchange = exchanges.next();
        BlockingQueue<Throwable> failures = exchange.failures();

        end.of(peer);

        Throwable failure = Await.next("a failure", failures);
        assertThat(failure).isInstanceOf(EofException.class);
        exchange.callback().failed(failure);
        assertClosedAndCounted();
    }

    @ParameterizedTest
    @EnumSource
    void reachesTheListenersOfARequestThatHasReadItsContent(End end) throws Exception {
        start(end.transport(), exchanges);
        SocketPeer peer = connect();
        peer.postHead(1, "/", 6).send();
        Exchanges.Exchange exchange = exchanges.next();
        peer.stdin(1, "abcdef").endStdin(1).send();
        assertThat(exchange.readAll()).isEqualTo("abcdef");
        BlockingQueue<Throwable> failures = exchange.failures();

        end.of(peer);

        exchange.callback().failed(Await.next("a failure", failures));
        assertClosedAndCounted();
    }

    static Stream<Arguments> endsAndWaitingContent() {
        return Stream.of(End.values())
                .flatMap(end -> Stream.of(0, 3, 10_000).map(waiting -> Arguments.of(end, waiting)));
    }

    @ParameterizedTest
    @MethodSource("endsAndWaitingContent")
    void reachesTheListenersOfARequestThatReadsNothing(End end, int waiting) throws Exception {
        start(end.transport(), exchanges);
        SocketPeer peer = connect();
        peer.postHead(1, "/", 100_000).stdin(1, pattern(waiting)).send();
        Exchanges.Exchange exchange = exchanges.next();
        BlockingQueue<Throwable> failures = exchange.failures();

        end.of(peer);

        assertHeardWithinASecond(exchange, failures);
    }

    @ParameterizedTest
    @EnumSource
    void reachesTheListenersOfARequestThatHasReadAPart(End end) throws Exception {
        start(end.transport(), exchanges);
        SocketPeer peer = connect();
        peer.postHead(1, "/", 100_000).stdin(1, "part").stdin(1, "unread").send();
        Exchanges.Exchange exchange = exchanges.next();
        assertThat(exchange.readText()).isEqualTo("part");
        BlockingQueue<Throwable> failures = exchange.failures();

        end.of(peer);

        assertHeardWithinASecond(exchange, failures);
    }

    private void assertHeardWithinASecond(Exchanges.Exchange exchange, BlockingQueue<Throwable> failures)
            throws Exception {
        assertThat(Connections.REQUEST_CHECK_INTERVAL).isLessThan(1000);
        Throwable failure = Await.next("a failure", failures);
        assertThat(failure).isInstanceOf(EofException.class);
        assertThat(Content.Chunk.isFailure(exchange.request().read(), true)).isTrue();
        exchange.callback().failed(failure);
        assertClosedAndCounted();
    }

    @ParameterizedTest
    @EnumSource
    void failsAPendingWriteOfARequestThatReadsNothing(End end) throws Exception {
        start(end.transport(), exchanges);
        SocketPeer peer = connect();
        peer.postHead(1, "/", 100_000).stdin(1, "unread").send();
        Exchanges.Exchange exchange = exchanges.next();
        BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
        exchange.response().write(false, ByteBuffer.allocate(10_000_000), Callback.from(() -> {}, failures::add));
        peer.read(100_000);

        end.of(peer);

        exchange.callback().failed(Await.next("a failure", failures));
        Await.until("the connection is closed", () -> connectedEndPoints() == 0);
    }

    @ParameterizedTest
    @EnumSource
    void isFoundByTheNextReadOfARequestThatReadsNothing(End end) throws Exception {
        start(end.transport(), exchanges);
        SocketPeer peer = connect();
        peer.postHead(1, "/", 10).send();
        Exchanges.Exchange exchange = exchanges.next();

        end.of(peer);

        Await.until(
                "a failure", () -> Content.Chunk.isFailure(exchange.request().read()));
        exchange.answer("nobody reads it");
        assertClosedAndCounted();
    }

    @ParameterizedTest
    @EnumSource
    void failsABlockedWrite(End end) throws Exception {
        BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
        CountDownLatch writing = new CountDownLatch(1);
        start(end.transport(), (request, response, callback) -> {
            try (Blocker.Callback blocker = Blocker.callback()) {
                response.write(false, ByteBuffer.allocate(10_000_000), blocker);
                writing.countDown();
                blocker.block();
            } catch (Throwable x) {
                failures.add(x);
                callback.failed(x);
            }
            return true;
        });
        SocketPeer peer = connect();
        peer.get(1, "/").send();
        Await.latch("the handler writes", writing);

        end.of(peer);

        assertThat(Await.next("a failure", failures)).isInstanceOf(IOException.class);
        Await.until("the connection is closed", () -> connectedEndPoints() == 0);
    }

    @ParameterizedTest
    @EnumSource
    void failsAPendingWrite(End end) throws Exception {
        start(end.transport(), exchanges);
        SocketPeer peer = connect();
        peer.get(1, "/").send();
        Exchanges.Exchange exchange = exchanges.next();
        BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
        exchange.response().write(false, ByteBuffer.allocate(10_000_000), Callback.from(() -> {}, failures::add));
        peer.read(100_000);

        end.of(peer);

        Throwable failure = Await.next("a failure", failures);
        exchange.callback().failed(failure);
        Await.until("the connection is closed", () -> connectedEndPoints() == 0);
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void halfCloseBehindARequestLeavesABlockingResponseWhole(Transport transport) throws Exception {
        byte[] content = pattern(3_000_000);
        start(transport, (request, response, callback) -> {
            Content.Sink.write(response, true, ByteBuffer.wrap(content));
            callback.succeeded();
            return true;
        });
        SocketPeer peer = connect();

        peer.get(1, "/").send();
        peer.shutdownOutput();

        assertThat(peer.readAnswer(1).content()).isEqualTo(content);
        peer.assertEnd();
    }

    /** An end of file tells nothing else than that of a peer that has gone, and an application has to hear of it. */
    @ParameterizedTest
    @EnumSource(Transport.class)
    void halfCloseFailsAPendingWrite(Transport transport) throws Exception {
        start(transport, exchanges);
        SocketPeer peer = connect();
        peer.get(1, "/").send();
        Exchanges.Exchange exchange = exchanges.next();
        BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
        exchange.response().write(true, ByteBuffer.allocate(10_000_000), Callback.from(() -> {}, failures::add));
        peer.read(100_000);

        peer.shutdownOutput();

        exchange.callback().failed(Await.next("a failure", failures));
        assertThat(peer.readToClose()).isLessThan(10_000_000);
        Await.until("the connection is closed", () -> connectedEndPoints() == 0);
    }

    @Test
    void halfCloseFailsAWaitingRequest() throws Exception {
        start(exchanges);
        SocketPeer peer = connect();
        peer.get(1, "/").send();
        Exchanges.Exchange exchange = exchanges.next();
        BlockingQueue<Throwable> failures = exchange.failures();

        peer.shutdownOutput();
        Await.next("a failure", failures);
        exchange.answer("all the same");

        peer.readAnswer(1).assertText("all the same");
        peer.assertEnd();
    }

    @Test
    void stoppingTheServerFailsARunningRequest() throws Exception {
        start(exchanges);
        SocketPeer peer = connect();
        peer.get(1, "/").send();
        Exchanges.Exchange exchange = exchanges.next();
        BlockingQueue<Throwable> failures = exchange.failures();

        server.stop();

        Throwable failure = Await.next("a failure", failures);
        assertThat(failure).isInstanceOf(EofException.class);
        exchange.callback().failed(failure);
        assertThat(peer.readToClose()).isZero();
    }

    private void assertClosedAndCounted() {
        Await.until("the connection is closed", () -> connectedEndPoints() == 0);
        Await.until("the request ends", () -> factory.getRunningRequests() == 0);
        assertThat(counters.abortedRequests()).isEqualTo(1);
    }

    private static void demandUntilRead(Request request, BlockingQueue<Content.Chunk> chunks) {
        request.demand(() -> {
            Content.Chunk chunk = request.read();
            if (chunk == null) demandUntilRead(request, chunks);
            else chunks.add(chunk);
        });
    }
}

package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.jettyfastcgi.protocol.RecordScript;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.LocalConnector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** ABORT_REQUEST, wherever it comes: the request fails, one END_REQUEST, and the connection lives. */
class AbortTest extends ConnectionTestBase {
    private final Exchanges exchanges = new Exchanges();

    @Test
    void beforeVariables() throws Exception {
        startLocal(exchanges);
        LocalPeer peer = connectLocal();

        peer.begin(1, Wire.RESPONDER, Wire.KEEP).abort(1).send();

        peer.readBareEnd(1);
        assertNotStartedAndServes(peer);
    }

    @Test
    void withinVariables() throws Exception {
        startLocal(exchanges);
        LocalPeer peer = connectLocal();

        peer.begin(1, Wire.RESPONDER, Wire.KEEP)
                .params(1, "REQUEST_METHOD", "POST", "X", "left over")
                .send();
        peer.abort(1).send();

        peer.readBareEnd(1);
        assertNotStartedAndServes(peer);
    }

    @Test
    void togetherWithTheEndOfVariables() throws Exception {
        startLocal(exchanges);
        LocalPeer peer = connectLocal();

        peer.head(1, Wire.KEEP, "POST", "/").abort(1).send();

        peer.readBareEnd(1);
        assertNotStartedAndServes(peer);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void endsAConnectionThatIsNotKept(boolean withVariables) throws Exception {
        start(exchanges);
        SocketPeer peer = connect();

        if (withVariables) peer.head(1, Wire.CLOSE, "GET", "/");
        else peer.begin(1, Wire.RESPONDER, Wire.CLOSE);
        peer.abort(1).send();

        peer.readBareEnd(1);
        peer.assertEnd();
        assertThat(counters.abortedRequests()).isEqualTo(1);
    }

    @Test
    void ofAnInactiveIdIsIgnored() throws Exception {
        startLocal(exchanges);
        LocalPeer peer = connectLocal();

        peer.abort(1).begin(1, Wire.RESPONDER, Wire.KEEP).abort(2);
        peer.params(1, "REQUEST_METHOD", "GET", "REQUEST_URI", "/")
                .abort(2)
                .endParams(1)
                .abort(2)
                .endStdin(1);
        peer.abort(2).send();

        exchanges.next().answer("served");
        peer.readAnswer(1).assertText("served");
        assertThat(counters.abortedRequests()).isZero();
        peer.end();
    }

    @Test
    void afterTheResponseIsIgnored() throws Exception {
        start(ConnectionTestBase::answerPath);
        SocketPeer peer = connect();
        peer.get(1, "/one").send();
        peer.readAnswer(1).assertText("/one");

        peer.abort(1).get(3, "/two").send();

        peer.readAnswer(3).assertText("/two");
        assertThat(counters.abortedRequests()).isZero();
    }

    @Test
    void failsABlockedRead() throws Exception {
        BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
        CountDownLatch reading = new CountDownLatch(1);
        start((request, response, callback) -> {
            try {
                reading.countDown();
                Content.Source.asByteBuffer(request);
            } catch (Throwable x) {
                failures.add(x);
                throw x;
            }
            return false;
        });
        SocketPeer peer = connect();
        peer.postHead(1, "/", 10).stdin(1, "abc").send();
        Await.latch("the handler is called", reading);

        peer.abort(1).send();

        assertThat(Await.next("a failure", failures)).hasMessageContaining("aborted");
        assertThat(peer.readAnswer(1).status()).isEqualTo(400);
        assertAbortedAndServes(peer, 404);
    }

    @Test
    void failsARead() throws Exception {
        start(exchanges);
        SocketPeer peer = connect();
        peer.postHead(1, "/", 10).stdin(1, "abc").send();
        Exchanges.Exchange exchange = exchanges.next();
        assertThat(exchange.readText()).isEqualTo("abc");

        peer.abort(1).send();

        Await.until(
                "a failure", () -> Content.Chunk.isFailure(exchange.request().read()));
        Content.Chunk failed = exchange.request().read();
        assertThat(failed.getFailure()).isInstanceOf(EofException.class).hasMessageContaining("aborted");
        exchange.callback().failed(failed.getFailure());
        peer.readAnswer(1).assertStatus(400);
        assertAbortedAndServes(peer);
    }

    @Test
    void isReadAfterTheContentBeforeIt() throws Exception {
        startLocal(exchanges);
        LocalPeer peer = connectLocal();

        peer.postHead(1, "/", 10).stdin(1, "abc").abort(1).send();

        Exchanges.Exchange exchange = exchanges.next();
        assertThat(exchange.readText()).isEqualTo("abc");
        assertThat(Content.Chunk.isFailure(exchange.request().read(), true)).isTrue();
        exchange.answer("whatever");
        peer.readAnswer(1).assertText("whatever");
        peer.end();
    }

    @Test
    void failsADemand() throws Exception {
        start(exchanges);
        SocketPeer peer = connect();
        peer.postHead(1, "/", 10).send();
        Exchanges.Exchange exchange = exchanges.next();
        BlockingQueue<Content.Chunk> chunks = new LinkedBlockingQueue<>();
        exchange.request().demand(() -> chunks.add(exchange.request().read()));

        peer.abort(1).send();

        Throwable failure = Await.next("a chunk", chunks).getFailure();
        assertThat(failure).isInstanceOf(EofException.class).hasMessageContaining("aborted");
        exchange.callback().failed(failure);
        peer.readAnswer(1).assertStatus(400);
        assertAbortedAndServes(peer);
    }

    @Test
    void afterContentReachesTheListenersOfAWaitingRequest() throws Exception {
        start(exchanges);
        SocketPeer peer = connect();
        peer.get(1, "/").send();
        Exchanges.Exchange exchange = exchanges.next();
        BlockingQueue<Throwable> failures = exchange.failures();

        peer.abort(1).send();

        Throwable failure = Await.next("a failure", failures);
        assertThat(failure).isInstanceOf(EofException.class).hasMessageContaining("aborted");
        exchange.callback().failed(failure);
        peer.readAnswer(1).assertStatus(400);
        assertAbortedAndServes(peer);
    }

    @Test
    void afterContentThatWasReadReachesTheListenersOfAWaitingRequest() throws Exception {
        start(exchanges);
        SocketPeer peer = connect();
        peer.postHead(1, "/", 6).send();
        Exchanges.Exchange exchange = exchanges.next();
        peer.stdin(1, "abcdef").endStdin(1).send();
        assertThat(exchange.readAll()).isEqualTo("abcdef");
        BlockingQueue<Throwable> failures = exchange.failures();

        peer.abort(1).send();

        exchange.callback().failed(Await.next("a failure", failures));
        peer.readAnswer(1).assertStatus(400);
        assertAbortedAndServes(peer);
    }

    static Stream<Arguments> contentBeforeIt() {
        return Stream.of(
                Arguments.of(List.of()),
                Arguments.of(List.of("abc")),
                Arguments.of(List.of("abc", "def", "g".repeat(5_000))));
    }

    @ParameterizedTest
    @MethodSource("contentBeforeIt")
    void behindContentThatNobodyReadsReachesTheListeners(List<String> content) throws Exception {
        start(exchanges);
        SocketPeer peer = connect();
        peer.postHead(1, "/", 100_000).send();
        Exchanges.Exchange exchange = exchanges.next();
        BlockingQueue<Throwable> failures = exchange.failures();

        for (String part : content) peer.stdin(1, part);
        peer.abort(1).send();

        Throwable failure = Await.next("a failure", failures);
        assertThat(failure).isInstanceOf(EofException.class).hasMessageContaining("aborted");
        exchange.callback().failed(failure);
        peer.readAnswer(1).assertStatus(400);
        assertAbortedAndServes(peer);
    }

    /** Nobody reads the end of content whose length is known, but who looks whether the peer is there. */
    @Test
    void afterContentWhoseEndNobodyReadsReachesTheListeners() throws Exception {
        KeepingScheduler scheduler = new KeepingScheduler();
        BlockingQueue<Runnable> checks = scheduler.keep(Connections.REQUEST_CHECK_INTERVAL);
        start(new LocalConnector(server, null, scheduler, null, 1, factory), exchanges::handle);
        LocalPeer peer = connectLocal();
        peer.postHead(1, "/", 6).stdin(1, "abcdef").send();
        Exchanges.Exchange exchange = exchanges.next();
        assertThat(exchange.readText()).isEqualTo("abcdef");
        BlockingQueue<Throwable> failures = exchange.failures();
        peer.endStdin(1).send();
        Await.next("a check", checks).run();

        peer.abort(1).send();

        exchange.callback().failed(Await.next("a failure", failures));
        peer.readAnswer(1).assertStatus(400);
        assertThat(counters.abortedRequests()).isEqualTo(1);
        peer.end();
    }

    @Test
    void ofAnotherRequestBehindContentThatNobodyReadsIsNoNews() throws Exception {
        KeepingScheduler scheduler = new KeepingScheduler();
        BlockingQueue<Runnable> checks = scheduler.keep(Connections.REQUEST_CHECK_INTERVAL);
        start(new LocalConnector(server, null, scheduler, null, 1, factory), exchanges::handle);
        LocalPeer peer = connectLocal();
        peer.postHead(1, "/", 6).stdin(1, "abc").abort(2).stdin(1, "def").send();
        Exchanges.Exchange exchange = exchanges.next();

        for (int i = 0; i < 3; i++) Await.next("a check", checks).run();

        assertThat(exchange.readText()).isEqualTo("abc");
        assertThat(exchange.readText()).isEqualTo("def");
        peer.endStdin(1).send();
        assertThat(counters.abortedRequests()).isZero();
        exchange.answer("served");
        peer.readAnswer(1).assertText("served");
        peer.end();
    }

    @Test
    void responseOfARequestThatDoesNotCareIsSent() throws Exception {
        start(exchanges);
        SocketPeer peer = connect();
        peer.get(1, "/").send();
        Exchanges.Exchange exchange = exchanges.next();
        BlockingQueue<Throwable> failures = exchange.failures();
        peer.abort(1).send();
        Await.next("a failure", failures);

        exchange.answer("all the same");

        peer.readAnswer(1).assertText("all the same");
        assertAbortedAndServes(peer);
    }

    @Test
    void committedResponseEndsWithABareEndRequest() throws Exception {
        start(exchanges);
        SocketPeer peer = connect();
        peer.get(1, "/").send();
        Exchanges.Exchange exchange = exchanges.next();
        BlockingQueue<Throwable> failures = exchange.failures();
        exchange.commit("begun");
        peer.abort(1).send();

        exchange.callback().failed(Await.next("a failure", failures));

        peer.assertBytes(new RecordScript()
                .record(Wire.STDOUT, 1, "Status: 200 OK\r\n\r\nbegun".getBytes(StandardCharsets.US_ASCII)));
        peer.readBareEnd(1);
        assertAbortedAndServes(peer);
    }

    @Test
    void repeatedCountsOnce() throws Exception {
        start(exchanges);
        SocketPeer peer = connect();
        peer.get(1, "/").send();
        Exchanges.Exchange exchange = exchanges.next();

        peer.abort(1).abort(1).abort(1).getValues().send();

        assertThat(peer.readRecord().type()).isEqualTo(Wire.GET_VALUES_RESULT);
        exchange.answer("served");
        peer.readAnswer(1).assertText("served");
        assertAbortedAndServes(peer);
    }

    @Test
    void andCloseCountOnce() throws Exception {
        start(exchanges);
        SocketPeer peer = connect();
        peer.get(1, "/").send();
        Exchanges.Exchange exchange = exchanges.next();
        BlockingQueue<Throwable> failures = exchange.failures();

        peer.abort(1).send();
        Await.next("a failure", failures);
        peer.close();

        exchange.answer("nobody reads");
        Await.until("the request ends", () -> factory.getRunningRequests() == 0);
        assertThat(counters.abortedRequests()).isEqualTo(1);
    }

    /** What is at the peer when it aborts depends on who is first, but never is it more than one END_REQUEST. */
    @Test
    void racingTheResponseLeavesOneEndRequest() throws Exception {
        start(exchanges);
        SocketPeer peer = connect();
        for (int id = 1; id <= 500; id++) {
            peer.get(id, "/").send();
            Exchanges.Exchange exchange = exchanges.next();
            Thread answering = new Thread(() -> exchange.answer("raced"));
            answering.start();
            try {
                peer.abort(id).send();
                while (peer.readRecord().type() != Wire.END_REQUEST) {}
                peer.getValues().send();
                assertThat(peer.readRecord().type()).isEqualTo(Wire.GET_VALUES_RESULT);
            } catch (IOException x) {
                peer = connect(); // a write was under way, and its record cut in two
            }
            answering.join();
        }
    }

    private void assertNotStartedAndServes(LocalPeer peer) throws Exception {
        assertThat(exchanges.isEmpty()).isTrue();
        assertThat(peer.hasOutput()).isFalse();
        assertThat(counters.abortedRequests()).isEqualTo(1);
        peer.get(3, "/next").send();
        Exchanges.Exchange next = exchanges.next();
        assertThat(next.request().getMethod()).isEqualTo("GET");
        next.answer("served");
        peer.readAnswer(3).assertText("served");
        peer.end();
        assertThat(peer.isClosed()).isTrue();
    }

    private void assertAbortedAndServes(SocketPeer peer) throws Exception {
        assertThat(counters.abortedRequests()).isEqualTo(1);
        peer.get(3, "/next").send();
        exchanges.next().answer("served");
        peer.readAnswer(3).assertText("served");
    }

    private void assertAbortedAndServes(SocketPeer peer, int status) throws Exception {
        assertThat(counters.abortedRequests()).isEqualTo(1);
        peer.get(3, "/next").send();
        peer.readAnswer(3).assertStatus(status);
    }
}

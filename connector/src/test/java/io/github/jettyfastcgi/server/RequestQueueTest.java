package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that wait while as many as allowed run: without a thread, in their order, and no longer than their peer. */
class RequestQueueTest extends ConnectionTestBase {
    private final Exchanges exchanges = new Exchanges();
    private Exchanges.Exchange running;

    private void startFull() throws Exception {
        startFull(Transport.UNIX);
    }

    /** Starts a server that runs one request at a time, and runs one. */
    private void startFull(Transport transport) throws Exception {
        factory.setMaxRequests(1);
        start(transport, exchanges);
        SocketPeer peer = connect();
        peer.get(1, "/running").send();
        running = exchanges.next();
    }

    private void awaitQueued(int requests) {
        Await.until(requests + " requests wait", () -> factory.getQueuedRequests() == requests);
    }

    @Test
    void requestsWaitWithoutAThreadAndRunInTheirOrder() throws Exception {
        startFull();
        List<SocketPeer> peers = new ArrayList<>();
        for (int i = 0; i < 40; i++) { // more than there are threads
            SocketPeer peer = connect();
            peer.get(1, "/" + i).send();
            peers.add(peer);
            awaitQueued(i + 1);
        }
        awaitIdleThreads();

        running.answer("first");

        for (int i = 0; i < 40; i++) {
            Exchanges.Exchange next = exchanges.next();
            assertThat(next.request().getHttpURI().getPath()).isEqualTo("/" + i);
            assertThat(factory.getRunningRequests()).isEqualTo(1);
            next.answer("answer " + i);
            peers.get(i).readAnswer(1).assertText("answer " + i);
        }
        assertThat(exchanges.isEmpty()).isTrue();
        assertThat(counters.refusedRequests(RequestRefusal.OVERLOAD)).isZero();
    }

    @Test
    void contentThatComesMeanwhileIsRead() throws Exception {
        startFull();
        SocketPeer peer = connect();
        peer.postHead(1, "/", 100_006).stdin(1, "begin ").send();
        awaitQueued(1);
        peer.writeWhileReading(peer.stdin(1, "x".repeat(100_000)).endStdin(1).take());

        running.answer("first");

        Exchanges.Exchange next = exchanges.next();
        Thread reading = new Thread(() -> {
            try {
                next.answer(Integer.toString(next.readAll().length()));
            } catch (Exception x) {
                next.callback().failed(x);
            }
        });
        reading.start();
        peer.readAnswer(1).assertText("100006");
        reading.join();
    }

    @Test
    void nextRequestOfTheConnectionIsServedBehind() throws Exception {
        startFull();
        SocketPeer peer = connect();
        peer.get(1, "/one").get(3, "/two").send();
        awaitQueued(1);

        running.answer("first");

        exchanges.next().answer("one");
        peer.readAnswer(1).assertText("one");
        exchanges.next().answer("two");
        peer.readAnswer(3).assertText("two");
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void peerThatGoesLeavesTheQueue(Transport transport) throws Exception {
        startFull(transport);
        SocketPeer gone = connect();
        gone.get(1, "/gone").send();
        awaitQueued(1);
        SocketPeer patient = connect();
        patient.get(1, "/patient").send();
        awaitQueued(2);

        gone.close();

        awaitQueued(1);
        running.answer("first");
        exchanges.next().answer("served");
        patient.readAnswer(1).assertText("served");
        assertThat(exchanges.isEmpty()).isTrue();
        assertThat(counters.abortedRequests()).isEqualTo(1);
    }

    @Test
    void peerThatAbortsLeavesTheQueueAndIsServedNext() throws Exception {
        startFull();
        SocketPeer peer = connect();
        peer.get(1, "/aborted").send();
        awaitQueued(1);

        peer.abort(1).send();

        assertThat(peer.readAnswer(1).status()).isGreaterThanOrEqualTo(400);
        awaitQueued(0);
        peer.get(3, "/next").send();
        awaitQueued(1);
        running.answer("first");
        exchanges.next().answer("served");
        peer.readAnswer(3).assertText("served");
        assertThat(counters.abortedRequests()).isEqualTo(1);
    }

    @Test
    void whoeverFindsTheQueueFullIs503WithRetryAfter() throws Exception {
        factory.setMaxQueuedRequests(1);
        startFull();
        SocketPeer waiting = connect();
        waiting.get(1, "/waiting").send();
        awaitQueued(1);
        SocketPeer refused = connect();

        refused.get(1, "/refused").send();

        assertThat(refused.readAnswer(1).assertStatus(503).field("Retry-After")).isEqualTo("1");
        assertThat(counters.refusedRequests(RequestRefusal.OVERLOAD)).isEqualTo(1);
        running.answer("first");
        exchanges.next().answer("served");
        waiting.readAnswer(1).assertText("served");
        refused.get(3, "/again").send();
        exchanges.next().answer("served");
        refused.readAnswer(3).assertText("served");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoeverWaitsTooLongIs503WithRetryAfter(boolean hasContent) throws Exception {
        factory.setQueueTimeout(1);
        startFull();
        SocketPeer peer = connect();

        if (hasContent) peer.post(1, "/late", "content").send();
        else peer.get(1, "/late").send();

        assertThat(peer.readAnswer(1).assertStatus(503).field("Retry-After")).isEqualTo("1");
        assertThat(counters.refusedRequests(RequestRefusal.OVERLOAD)).isEqualTo(1);
        running.answer("first");
        peer.get(3, "/next").send();
        exchanges.next().answer("served");
        peer.readAnswer(3).assertText("served");
        assertThat(exchanges.isEmpty()).isTrue();
    }

    @Test
    void refusalThatNobodyReadsEndsWithTheIdleTimeout() throws Exception {
        factory.setMaxRequests(1);
        factory.setQueueTimeout(1);
        startLocal(exchanges);
        connectLocal().get(1, "/running").send();
        running = exchanges.next();
        LocalPeer peer = connectLocal();
        peer.takeOnly(0);
        peer.get(1, "/late").send();
        awaitQueued(1);
        Await.until("it waits no more", () -> {
            peer.connection().checkRequest();
            return factory.getQueuedRequests() == 0;
        });
        assertThat(peer.isFull()).isTrue();

        peer.connection().getEndPoint().setIdleTimeout(1);

        Await.until("the connection is closed", peer::isClosed);
        running.answer("first");
    }

    @Test
    void urgentRequestsDoNotWait() throws Exception {
        factory.setMaxQueuedRequests(0);
        factory.addUrgentPath("/urgent");
        startFull();
        SocketPeer peer = connect();

        peer.get(1, "/urgent").send();

        exchanges.next().answer("served");
        peer.readAnswer(1).assertText("served");
        Await.until("it counts no more", () -> factory.getRunningRequests() == 1);
        running.answer("first");
    }

    @Test
    void idleTimeoutDoesNotEndWhoWaits() throws Exception {
        configuration.setIdleTimeout(100);
        start(exchanges);
        factory.setMaxRequests(1);
        SocketPeer first = connect();
        first.get(1, "/running").send();
        running = exchanges.next();
        running.request().addIdleTimeoutListener(timeout -> false);
        CountDownLatch timeouts = new CountDownLatch(3);
        running.request().addIdleTimeoutListener(timeout -> {
            timeouts.countDown();
            return false;
        });
        SocketPeer waiting = connect();
        waiting.get(1, "/waiting").send();
        awaitQueued(1);

        Await.latch("three timeouts", timeouts);

        running.answer("first");
        exchanges.next().answer("served");
        waiting.readAnswer(1).assertText("served");
    }

    /** Requests come, wait, run and go in every order that threads can find; none is lost, and none runs twice. */
    @Test
    void turnsRaceThePeersThatGo() throws Exception {
        BlockingQueue<Runnable> ends = new LinkedBlockingQueue<>();
        factory.setMaxRequests(1);
        start((request, response, callback) -> {
            ends.add(() -> answer(response, callback, "served"));
            return true;
        });
        Thread ending = new Thread(() -> {
            try {
                while (true) ends.take().run();
            } catch (InterruptedException x) {
                Thread.currentThread().interrupt();
            }
        });
        ending.start();
        SocketPeer steady = connect();
        for (int i = 0; i < 300; i++) {
            SocketPeer leaving = connect();
            leaving.get(1, "/leaving").send();
            steady.get(1, "/steady").send();
            leaving.close();
            steady.readAnswer(1).assertText("served");
        }
        Await.until("all have come and gone", () -> counters.openedConnections() == 301 && connectedEndPoints() == 1);
        Await.until("nothing runs", () -> factory.getRunningRequests() == 0 && factory.getQueuedRequests() == 0);
        ending.interrupt();
        ending.join();
    }
}

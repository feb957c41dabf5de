package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.jettyfastcgi.cgi.CGIRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is answered, and what waits, while every thread of the pool is in a handler that blocks. */
class BusyThreadsTest extends ConnectionTestBase {
    private static final int MAX_MILLIS = 100;
    private static final long TIMEOUT = 50;

    private final CountDownLatch release = new CountDownLatch(1);
    private final List<SocketPeer> blocked = new ArrayList<>();
    private final AtomicInteger blocking = new AtomicInteger();
    private volatile boolean allBlocked;

    @AfterEach
    void release() {
        release.countDown();
    }

    @ParameterizedTest
    @EnumSource
    void urgentRequestsAreAnsweredAtOnceOnKeptAndNewConnections(Transport transport) throws Exception {
        factory.addUrgentPath("/urgent");
        start(transport, this::handle);
        SocketPeer kept = connect();
        kept.get(1, "/urgent/before").send();
        assertThat(kept.readAnswer(1).text()).isEqualTo("/urgent/before");
        blockAllThreads();

        List<Long> millis = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            long begin = System.nanoTime();
            kept.get(1, "/urgent/kept").send();
            assertThat(kept.readAnswer(1).text()).isEqualTo("/urgent/kept");
            SocketPeer opened = connect();
            opened.head(1, Wire.CLOSE, "GET", "/urgent").endStdin(1).send();
            assertThat(opened.readAnswer(1).text()).isEqualTo("/urgent");
            opened.assertEnd();
            millis.add((System.nanoTime() - begin) / 1_000_000);
        }

        assertThat(millis.stream().sorted().skip(millis.size() / 2).findFirst().orElseThrow())
                .isLessThan(MAX_MILLIS);
    }

    @ParameterizedTest
    @EnumSource
    void otherRequestsWaitForAThreadAndAreCounted(Transport transport) throws Exception {
        factory.addUrgentPath("/urgent");
        start(transport, this::handle);
        blockAllThreads();
        int waiting = counters.requestsWaitingForThread();

        SocketPeer peer = connect();
        peer.get(1, "/urgently").send();
        Await.until("the request waits", () -> counters.requestsWaitingForThread() == waiting + 1);
        release.countDown();

        assertThat(peer.readAnswer(1).text()).isEqualTo("/urgently");
        for (SocketPeer other : blocked) assertThat(other.readAnswer(1).text()).isEqualTo("/block");
        assertThat(counters.requestsWaitingForThread()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void refusalsNeedNoThread(Transport transport) throws Exception {
        start(transport, this::handle);
        blockAllThreads();

        SocketPeer peer = connect();
        peer.head(1, Wire.KEEP, "BAD METHOD", "/").endStdin(1).send();
        assertThat(peer.readAnswer(1).status()).isEqualTo(HttpStatus.BAD_REQUEST_400);
        factory.setMaxRequests(1);
        peer.get(2, "/").send();
        assertThat(peer.readAnswer(2).status()).isEqualTo(HttpStatus.SERVICE_UNAVAILABLE_503);
    }

    /** As over HTTP; and an answer would race with the call of the handler. */
    @ParameterizedTest
    @EnumSource
    void requestThatWaitsForAThreadIsNotIdle(Transport transport) throws Exception {
        start(transport, this::handle);
        blockAllThreads();
        int waiting = counters.requestsWaitingForThread();
        SocketPeer peer = connect();
        peer.get(1, "/late").send();
        Await.until("the request waits", () -> counters.requestsWaitingForThread() == waiting + 1);

        EndPoint late = awaitEndPoint("/late");
        late.setIdleTimeout(TIMEOUT);
        SocketPeer idle = connect();
        awaitEndPoint(null).setIdleTimeout(4 * TIMEOUT);
        idle.assertEnd(); // by the one thread of the scheduler, so that the other's timeouts are over, too

        assertThat(((FastCGIConnection) late.getConnection()).getBytesOut())
                .as("answer before the handler")
                .isZero();
        assertThat(late.isOpen()).isTrue();
        late.setIdleTimeout(idleTimeout);
        release.countDown();

        assertThat(peer.readAnswer(1).text()).isEqualTo("/late");
        peer.get(2, "/next").send();
        assertThat(peer.readAnswer(2).text()).isEqualTo("/next");
    }

    /** {@return the end point of the one connection whose active request has this path, {@code null} for none} */
    private EndPoint awaitEndPoint(String path) {
        AtomicReference<EndPoint> found = new AtomicReference<>();
        Await.until("the connection is open", () -> {
            server.getConnectors()[0].getConnectedEndPoints().stream()
                    .filter(endPoint -> Objects.equals(path, activePath(endPoint)))
                    .forEach(found::set);
            return found.get() != null;
        });
        return found.get();
    }

    private static String activePath(EndPoint endPoint) {
        CGIRequest active = ((FastCGIConnection) endPoint.getConnection()).activeRequest();
        return active == null ? null : active.getHttpURI().getPath();
    }

    private boolean handle(Request request, Response response, Callback callback) throws InterruptedException {
        if (request.getHttpURI().getPath().equals("/block")) {
            blocking.incrementAndGet();
            release.await();
        }
        if (allBlocked && release.getCount() > 0)
            assertThat(Invocable.isNonBlockingInvocation()).isTrue();
        return answerPath(request, response, callback);
    }

    private void blockAllThreads() throws Exception {
        while (blocking.get() < threads.getMaxThreads() - threads.getLeasedThreads()) {
            SocketPeer peer = connect();
            peer.get(1, "/block").send();
            blocked.add(peer);
            Await.until(
                    "a thread took it", () -> blocking.get() + counters.requestsWaitingForThread() == blocked.size());
        }
        allBlocked = true;
    }
}

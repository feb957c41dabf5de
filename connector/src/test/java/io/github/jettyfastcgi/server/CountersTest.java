package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.eclipse.jetty.jmx.MBeanContainer;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CountersTest extends ConnectionTestBase {
    private static final long SLOW_MILLIS = 120;

    @ParameterizedTest
    @EnumSource
    void sumsAreExactAfterLoad(Transport transport) throws Exception {
        int peers = 8;
        int requests = 400;
        AtomicLong sent = new AtomicLong();
        AtomicLong received = new AtomicLong();
        start(transport, CountersTest::answerStatus);
        List<Thread> threads = new ArrayList<>();
        List<Throwable> failures = new ArrayList<>();
        for (int i = 0; i < peers; i++) {
            SocketPeer peer = connect();
            threads.add(new Thread(() -> exchange(peer, requests, sent, received, failures)));
        }

        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
        assertThat(failures).isEmpty();

        Await.until("the last requests end", () -> factory.getRunningRequests() == 0);
        int quarter = peers * requests / 4;
        assertThat(counters.finishedRequestsByStatus())
                .isEqualTo(Map.of(
                        "none",
                        0L,
                        "2xx",
                        1L * quarter,
                        "3xx",
                        1L * quarter,
                        "4xx",
                        1L * quarter,
                        "5xx",
                        1L * quarter));
        assertThat(counters.finishedRequests()).isEqualTo(peers * requests);
        assertThat(counters.firstByteTimes().count()).isEqualTo(peers * requests);
        assertThat(counters.totalTimes().count()).isEqualTo(peers * requests);
        assertThat(counters.totalTimes().sum())
                .isGreaterThan(counters.firstByteTimes().sum());
        assertThat(counters.bytesIn()).isEqualTo(sent.get());
        assertThat(counters.bytesOut()).isEqualTo(received.get());
        assertThat(counters.openedConnections()).isEqualTo(peers);
        Await.until("all are closed", () -> counters.openConnections() == 0);
        assertThat(counters.closedConnectionsByReason()).containsEntry("peer_at_once", 1L * peers);
        assertThat(counters.meanRequestsPerConnection()).isEqualTo(requests);
        assertThat(counters.requestsPerConnection().count()).isEqualTo(peers);
        assertThat(counters.refusedRequests()).isZero();
        assertThat(counters.abortedRequests()).isZero();
        assertThat(counters.unkeptRequests()).isZero();
    }

    private static void exchange(
            SocketPeer peer, int requests, AtomicLong sent, AtomicLong received, List<Throwable> failures) {
        try (peer) {
            for (int i = 0; i < requests; i++) {
                byte[] request = peer.get(1, "/" + (2 + i % 4) * 100).take();
                peer.write(request);
                sent.addAndGet(request.length);
                for (WireRecord record : peer.readAnswer(1).records())
                    received.addAndGet(WireRecord.HEADER_LENGTH + record.content().length);
            }
        } catch (Exception x) {
            synchronized (failures) {
                failures.add(x);
            }
        }
    }

    private static boolean answerStatus(Request request, Response response, Callback callback) {
        if (request.getHttpURI().getPath().equals("/empty")) return answer(response, callback, "");
        response.setStatus(Integer.parseInt(request.getHttpURI().getPath().substring(1)));
        return answer(response, callback, "answer");
    }

    @Test
    void timesReachFromTheBeginToTheHeadAndToTheEnd() throws Exception {
        Exchanges exchanges = new Exchanges();
        start(exchanges);
        SocketPeer peer = connect();
        peer.get(1, "/").send();
        Exchanges.Exchange exchange = exchanges.next();
        long head = pause();
        exchange.commit("first");
        long rest = pause();
        exchange.answer("last");
        peer.readAnswer(1).assertText("firstlast");
        Await.until("the request ends", () -> factory.getRunningRequests() == 0);

        assertThat(counters.firstByteTimes().max())
                .isBetween(head, counters.totalTimes().max() - rest * 31 / 32);
        assertThat(counters.totalTimes().max()).isGreaterThanOrEqualTo(head + rest);
        assertThat(counters.firstByteMillis()).containsKeys("mean", "p50", "p90", "p95", "p99", "max");
        assertThat(counters.totalMillis().get("p50")).isGreaterThanOrEqualTo(2 * SLOW_MILLIS);
    }

    private static long pause() throws InterruptedException {
        long begin = System.nanoTime();
        TimeUnit.MILLISECONDS.sleep(SLOW_MILLIS);
        return System.nanoTime() - begin;
    }

    /** RFC 9110, section 15: what is above 599 is treated as an error of the server. */
    @ParameterizedTest
    @CsvSource({"200, 2xx", "599, 5xx", "600, 5xx", "999, 5xx"})
    void statusAboveAllClassesIsAnError(int status, String kind) throws Exception {
        start((request, response, callback) -> {
            response.setStatus(status);
            return answer(response, callback, "");
        });
        SocketPeer peer = connect();

        peer.get(1, "/").send();

        peer.readAnswer(1).assertStatus(status);
        Await.until("the request ends", () -> counters.finishedRequests() == 1);
        assertThat(counters.finishedRequestsByStatus()).containsEntry(kind, 1L);
    }

    /** Large records are what a web server sends that has gathered content; answers that refuse it tell nothing. */
    @Test
    void requestsAnsweredWithinTheirContentAreStreamed() throws Exception {
        Exchanges exchanges = new Exchanges();
        start(exchanges);
        SocketPeer peer = connect();

        answerWithinContent(peer, exchanges, 32 * 1024, 200);
        assertThat(counters.streamedRequests()).isEqualTo(1);
        assertThat(counters.gatheredRequests()).isEqualTo(1);
        answerWithinContent(peer, exchanges, 100, 200);
        assertThat(counters.streamedRequests()).isEqualTo(2);
        assertThat(counters.gatheredRequests()).isEqualTo(1);
        answerWithinContent(peer, exchanges, 32 * 1024, 413);
        assertThat(counters.streamedRequests()).isEqualTo(2);
        assertThat(counters.gatheredRequests()).isEqualTo(1);
    }

    private static void answerWithinContent(SocketPeer peer, Exchanges exchanges, int length, int status)
            throws Exception {
        peer.postHead(1, "/", 2L * length).stdin(1, pattern(length)).send();
        Exchanges.Exchange exchange = exchanges.next();
        assertThat(exchange.readText()).isNotEmpty();
        exchange.response().setStatus(status);
        exchange.answer("early");
        peer.readAnswer(1).assertStatus(status);
        peer.stdin(1, pattern(length)).endStdin(1).send();
    }

    @Test
    void responsesCutShortAreFinishedWithoutStatus() throws Exception {
        Exchanges exchanges = new Exchanges();
        start(exchanges);
        SocketPeer peer = connect();
        peer.get(1, "/").send();
        Exchanges.Exchange exchange = exchanges.next();
        BlockingQueue<Throwable> failures = exchange.failures();
        exchange.commit("begins");
        peer.close();
        Await.next("a failure", failures);
        exchange.answer("ends");
        Await.until("the connection ends", () -> counters.openConnections() == 0);

        assertThat(counters.finishedRequestsByStatus()).containsEntry("none", 1L);
        assertThat(counters.abortedRequests()).isEqualTo(1);
        assertThat(counters.unansweredAborts().count()).isZero();
        assertThat(counters.closedConnectionsByReason()).containsEntry("failure", 1L);
    }

    @Test
    void requestsGivenUpBeforeTheirResponseHaveAnAge() throws Exception {
        Exchanges exchanges = new Exchanges();
        start(exchanges);
        SocketPeer peer = connect();
        peer.get(1, "/").send();
        Exchanges.Exchange exchange = exchanges.next();
        long age = pause();
        peer.close();
        Await.until("the peer has gone", () -> counters.abortedRequests() == 1);
        exchange.answer("to nobody");
        Await.until("the request ends", () -> factory.getRunningRequests() == 0);

        assertThat(counters.abortedRequests()).isEqualTo(1);
        assertThat(counters.unansweredAborts().count()).isEqualTo(1);
        assertThat(counters.unansweredAborts().max()).isGreaterThanOrEqualTo(age);
    }

    /** Whatever befalls requests: each is counted once, and in the end nothing runs, waits or is open. */
    @ParameterizedTest
    @EnumSource
    void sumsAreExactAfterAbortsRefusalsAndResets(Transport transport) throws Exception {
        int rounds = 42; // seven of each kind
        factory.setMaxRequests(2);
        factory.setMaxQueuedRequests(1);
        start(transport, CountersTest::answerOrFail);
        AtomicLong statuses = new AtomicLong();
        AtomicLong overloads = new AtomicLong();
        List<Throwable> failures = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            threads.add(new Thread(() -> {
                try {
                    for (int round = 0; round < rounds; round++) exchangeOdd(round, statuses, overloads);
                } catch (Exception x) {
                    synchronized (failures) {
                        failures.add(x);
                    }
                }
            }));
        }

        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();

        assertThat(failures).isEmpty();
        Await.until("all were open", () -> counters.openedConnections() == 6L * rounds);
        Await.until("nothing is open", () -> counters.openConnections() == 0);
        Await.until("nothing runs", () -> factory.getRunningRequests() == 0 && factory.getQueuedRequests() == 0);
        Map<String, Long> finished = counters.finishedRequestsByStatus();
        // Those of a record that is none, and those aborted within their variables, have not become requests
        long requests = rounds * 4;
        assertThat(counters.finishedRequests()).isEqualTo(requests);
        assertThat(counters.totalTimes().count()).isEqualTo(requests);
        assertThat(finished.get("2xx") + finished.get("4xx") + finished.get("5xx"))
                .isGreaterThanOrEqualTo(statuses.get());
        assertThat(counters.refusedRequests(RequestRefusal.BAD_REQUEST)).isEqualTo(rounds);
        assertThat(counters.refusedRequests(RequestRefusal.OVERLOAD)).isGreaterThanOrEqualTo(overloads.get());
        assertThat(counters.protocolErrorsByReason()).containsEntry("unsupported_version", 1L * rounds);
        assertThat(counters.closedConnectionsByReason().values().stream()
                        .mapToLong(Long::longValue)
                        .sum())
                .isEqualTo(6L * rounds);
        assertThat(counters.requestsPerConnection().sum()).isEqualTo(requests);
        assertThat(counters.requestsWaitingForThread()).isZero();
    }

    private static boolean answerOrFail(Request request, Response response, Callback callback) throws Exception {
        if (request.getHttpURI().getPath().equals("/cut")) {
            Callback.Completable written = new Callback.Completable();
            response.write(false, StandardCharsets.US_ASCII.encode("begins"), written);
            written.get();
            callback.failed(new IOException("on purpose"));
            return true;
        }
        return answer(response, callback, "answer");
    }

    /** One request on a connection of its own, of six kinds. */
    private void exchangeOdd(int round, AtomicLong statuses, AtomicLong overloads) throws Exception {
        try (SocketPeer peer = new SocketPeer(address())) {
            switch (round % 6) {
                case 0 -> {
                    peer.get(1, "/").send();
                    Answer answer = peer.readAnswer(1);
                    statuses.incrementAndGet();
                    if (answer.status() == 503) overloads.incrementAndGet();
                }
                case 1 -> peer.get(1, "/").send(); // and goes
                case 2 -> {
                    peer.head(1, Wire.KEEP, "G T", "/").endStdin(1).send();
                    assertThat(peer.readAnswer(1).status()).isEqualTo(400);
                    statuses.incrementAndGet();
                }
                case 3 -> {
                    peer.get(1, "/cut").send();
                    peer.read(WireRecord.HEADER_LENGTH);
                }
                case 4 -> {
                    peer.raw(new byte[] {9, 9, 9, 9, 9, 9, 9, 9}).send();
                    readToEnd(peer);
                }
                default ->
                    peer.begin(1, Wire.RESPONDER, Wire.KEEP)
                            .params(1, "REQUEST_METHOD", "GET")
                            .send();
            }
        }
    }

    private static void readToEnd(SocketPeer peer) {
        assertThatThrownBy(() -> {
                    while (true) peer.read(1);
                })
                .isInstanceOf(IOException.class); // the end of file, or a reset
    }

    @Test
    void connectionsEndForAReason() throws Exception {
        idleTimeout = 300;
        start(CountersTest::answerStatus);

        SocketPeer unkept = connect();
        unkept.head(1, Wire.CLOSE, "GET", "/200").endStdin(1).send();
        unkept.readAnswer(1);
        unkept.assertEnd();
        unkept.close();
        awaitEnd("not_kept");
        assertThat(counters.unkeptRequests()).isEqualTo(1);

        connect().close();
        awaitEnd("peer");

        // As nginx closes a connection that it was told on to send a file
        SocketPeer told = connect();
        told.get(1, "/204").send();
        told.readAnswer(1);
        told.get(1, "/empty").send();
        told.readAnswer(1);
        Await.until("the request ends", () -> factory.getRunningRequests() == 0);
        told.close();
        Await.until("it is closed", () -> counters.closedConnectionsByReason().get("peer") == 2);

        // As nginx closes one whose request was answered before it was sent
        SocketPeer early = connect();
        early.head(1, Wire.KEEP, "POST", "/200", "CONTENT_LENGTH", "9").send();
        early.readAnswer(1);
        Await.until("the request ends", () -> factory.getRunningRequests() == 0);
        early.close();
        Await.until("it is closed", () -> counters.closedConnectionsByReason().get("peer") == 3);

        SocketPeer garbage = connect();
        garbage.raw(new byte[] {9, 9, 9, 9, 9, 9, 9, 9}).send();
        awaitEnd("failure");
        assertThat(counters.protocolErrorsByReason()).containsEntry("unsupported_version", 1L);

        SocketPeer idle = connect();
        idle.get(1, "/200").send();
        idle.readAnswer(1);
        idle.assertEnd();
        awaitEnd("idle_timeout");

        SocketPeer left = connect();
        left.get(1, "/200").send();
        left.readAnswer(1);
        Await.until("the request ends", () -> factory.getRunningRequests() == 0);
        server.stop();
        awaitEnd("stopped");
        assertThat(counters.openedConnections()).isEqualTo(7);
    }

    private void awaitEnd(String reason) {
        Await.until(
                () -> reason + " in " + counters.closedConnectionsByReason(),
                () -> counters.closedConnectionsByReason().get(reason) == 1);
    }

    @Test
    void areJMXBeansBelowTheirFactory() throws Exception {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        MBeanContainer container = new MBeanContainer(beans);
        server.addEventListener(container);
        server.addBean(container);
        start(CountersTest::answerStatus);
        SocketPeer peer = connect();
        peer.get(1, "/404").send();
        peer.readAnswer(1);
        Await.until("the request ends", () -> factory.getRunningRequests() == 0);

        Set<ObjectName> names = beans.queryNames(new ObjectName("io.github.jettyfastcgi.server:type=counters,*"), null);
        assertThat(names).hasSize(1);
        ObjectName name = names.iterator().next();
        assertThat(beans.getMBeanInfo(name).getDescription()).startsWith("What the FastCGI connections");
        assertThat(beans.getAttribute(name, "finishedRequests")).isEqualTo(1L);
        assertThat(beans.getAttribute(name, "openConnections")).isEqualTo(1L);
        assertThat(beans.getAttribute(name, "finishedRequestsByStatus"))
                .isEqualTo(Map.of("none", 0L, "2xx", 0L, "3xx", 0L, "4xx", 1L, "5xx", 0L));
        assertThat((Map<?, ?>) beans.getAttribute(name, "totalMillis")).hasSize(6);
        Set<ObjectName> factories =
                beans.queryNames(new ObjectName("io.github.jettyfastcgi.server:type=fastcgiconnectionfactory,*"), null);
        assertThat(factories).hasSize(1);
        for (String figure : List.of("runningRequests", "queuedRequests"))
            assertThat(beans.getAttribute(factories.iterator().next(), figure)).isEqualTo(0);
        for (String limit : List.of("maxRequests", "maxQueuedRequests"))
            assertThat(beans.getAttribute(factories.iterator().next(), limit)).isEqualTo(1024);
        assertThat(beans.getAttribute(name, "requestsWaitingForThread")).isEqualTo(0);
    }
}

package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
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
        assertThat(counters.closedConnectionsByReason()).containsEntry("failure", 1L);
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
        assertThat(counters.openedConnections()).isEqualTo(5);
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

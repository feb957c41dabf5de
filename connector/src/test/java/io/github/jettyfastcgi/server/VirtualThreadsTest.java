package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.VirtualThreads;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Where Jetty's thread pool has virtual threads, handlers run on one each, and may wait for as long as they like. */
@EnabledForJreRange(min = JRE.JAVA_21)
class VirtualThreadsTest extends ConnectionTestBase {
    @BeforeEach
    void useVirtualThreads() {
        threads.setVirtualThreadsExecutor(VirtualThreads.getDefaultVirtualThreadsExecutor());
    }

    private static boolean answerKindOfThread(Request request, Response response, Callback callback) {
        return answer(response, callback, VirtualThreads.isVirtualThread() ? "virtual" : "platform");
    }

    @ParameterizedTest
    @EnumSource
    void moreRequestsThanThreadsOfThePoolWaitAtTheSameTime(Transport transport) throws Exception {
        int count = 4 * threads.getMaxThreads();
        CountDownLatch all = new CountDownLatch(count);
        start(transport, (request, response, callback) -> {
            all.countDown();
            Await.latch("all requests run", all);
            return answerKindOfThread(request, response, callback);
        });
        List<SocketPeer> peers = new ArrayList<>();
        for (int i = 0; i < count; i++) peers.add(connect());

        for (SocketPeer peer : peers) peer.get(1, "/").send();

        for (SocketPeer peer : peers) assertThat(peer.readAnswer(1).text()).isEqualTo("virtual");
    }

    @ParameterizedTest
    @EnumSource
    void nextRequestOfAConnectionIsHandledByOneToo(Transport transport) throws Exception {
        start(transport, VirtualThreadsTest::answerKindOfThread);
        SocketPeer peer = connect();

        for (int i = 0; i < 3; i++) {
            peer.get(1, "/").send();

            assertThat(peer.readAnswer(1).text()).isEqualTo("virtual");
        }
        peer.get(1, "/").get(1, "/").send();
        assertThat(peer.readAnswer(1).text()).isEqualTo("virtual");
        assertThat(peer.readAnswer(1).text()).isEqualTo("virtual");
    }

    @ParameterizedTest
    @EnumSource
    void contentIsWaitedFor(Transport transport) throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        start(transport, (request, response, callback) -> {
            started.countDown();
            return echo(request, response, callback);
        });
        SocketPeer peer = connect();

        peer.postHead(1, "/", 6).send();
        Await.latch("the handler reads", started);
        peer.stdin(1, "abc").send();
        peer.stdin(1, "def").endStdin(1).send();

        assertThat(peer.readAnswer(1).text()).isEqualTo("abcdef");
    }

    @Test
    void slowLogHasNumberAndStackOfOne() throws Exception {
        long threshold = 20;
        BlockingQueue<Runnable> sweeps = scheduler.keep(threshold / 2);
        factory.setSlowLogThreshold(threshold);
        expectWarning(":WARN :igj.slowlog:");
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        start((request, response, callback) -> {
            long begin = System.nanoTime();
            Await.until("it is late", () -> System.nanoTime() - begin > TimeUnit.MILLISECONDS.toNanos(threshold));
            blocked.countDown();
            Await.latch("the entry", released);
            return answerPath(request, response, callback);
        });
        SocketPeer peer = connect();

        peer.get(1, "/slow").send();
        Await.latch("the handler", blocked);
        Await.next("a sweep", sweeps).run();
        released.countDown();

        assertThat(peer.readAnswer(1).text()).isEqualTo("/slow");
        assertThat(log().text())
                .containsPattern("handled by thread #\\d+, response not begun")
                .contains("VirtualThreadsTest");
    }
}

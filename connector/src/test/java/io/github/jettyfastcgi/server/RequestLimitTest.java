package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Which requests run and which wait, also where many begin and end at the same time. */
class RequestLimitTest {
    private final RequestLimit limit = new RequestLimit();
    private final List<String> turns = new ArrayList<>();

    @Test
    void turnsComeInTheOrderOfTheQueue() {
        limit.set(1, 3);
        assertThat(limit.begin()).isTrue();
        assertThat(limit.begin()).isFalse();
        for (String name : List.of("a", "b", "c"))
            assertThat(limit.queue(() -> turns.add(name))).isTrue();
        assertThat(limit.queue(() -> turns.add("d"))).isFalse();
        assertThat(limit.queued()).isEqualTo(3);

        for (int i = 0; i < 4; i++) limit.end();

        assertThat(turns).containsExactly("a", "b", "c");
        assertThat(limit.running()).isZero();
        assertThat(limit.queued()).isZero();
    }

    @Test
    void nobodyOvertakesWhoWaits() {
        limit.set(1, 1);
        limit.begin();
        Runnable waiting = () -> turns.add("waiting");
        limit.queue(waiting);
        limit.set(2, 1);

        assertThat(limit.begin()).isFalse();

        limit.end();
        assertThat(turns).containsExactly("waiting");
        assertThat(limit.begin()).isTrue();
    }

    @Test
    void whoGivesUpIsNotCalled() {
        limit.set(1, 2);
        limit.begin();
        Runnable waiting = () -> turns.add("waiting");
        limit.queue(waiting);

        assertThat(limit.giveUp(waiting)).isTrue();
        assertThat(limit.giveUp(waiting)).isFalse();

        limit.end();
        assertThat(turns).isEmpty();
        assertThat(limit.queued()).isZero();
    }

    @Test
    void withoutLimitAllRun() {
        limit.set(0, 0);

        for (int i = 0; i < 10_000; i++) assertThat(limit.begin()).isTrue();

        assertThat(limit.running()).isEqualTo(10_000);
    }

    @Test
    void noTurnGetsLost() throws Exception {
        int allowed = 3;
        int requests = 20_000;
        limit.set(allowed, requests);
        CountDownLatch done = new CountDownLatch(requests);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Runnable request = () -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            Thread.onSpinWait();
            running.decrementAndGet();
            limit.end();
            done.countDown();
        };
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            for (int i = 0; i < requests; i++)
                threads.execute(() -> {
                    if (limit.begin()) request.run();
                    else if (!limit.queue(new Turn(threads, request))) throw new AssertionError("refused");
                });

            Await.latch("all requests have run", done);
            assertThat(most.get()).isBetween(1, allowed);
            assertThat(limit.queued()).isZero();
        } finally {
            threads.shutdownNow();
        }
    }

    /** Each is another one, where a lambda might be the same. */
    private static final class Turn implements Runnable {
        private final ExecutorService threads;
        private final Runnable request;

        Turn(ExecutorService threads, Runnable request) {
            this.threads = threads;
            this.request = request;
        }

        @Override
        public void run() {
            threads.execute(request);
        }
    }
}

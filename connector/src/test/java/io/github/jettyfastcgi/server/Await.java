package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what has to happen, up to a deadline that is far beyond what it takes. */
final class Await {
    static final Duration DEADLINE = Duration.ofSeconds(15);

    private static final long POLL_NANOS = 500_000;

    private Await() {}

    /** Waits until a condition holds. */
    static void until(String what, BooleanSupplier condition) {
        long begin = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - begin > DEADLINE.toNanos()) fail("Waited in vain: " + what);
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** Waits until a latch is at zero. */
    static void latch(String what, CountDownLatch latch) throws InterruptedException {
        if (!latch.await(DEADLINE.toMillis(), TimeUnit.MILLISECONDS)) fail("Waited in vain: " + what);
    }

    /** {@return what comes next in a queue} */
    static <T> T next(String what, BlockingQueue<T> queue) throws InterruptedException {
        T next = queue.poll(DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
        return next == null ? fail("Waited in vain: " + what) : next;
    }
}

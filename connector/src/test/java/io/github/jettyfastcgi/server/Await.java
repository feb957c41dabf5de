package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Waits for what has to happen, up to a deadline that is far beyond what it takes. */
final class Await {
    static final Duration DEADLINE = Duration.ofSeconds(15);

    private static final Duration STEADY = Duration.ofMillis(250);
    private static final long POLL_NANOS = 500_000;

    private Await() {}

    /** Waits until a condition holds. */
    static void until(String what, BooleanSupplier condition) {
        until(() -> what, condition);
    }

    static void until(Supplier<String> what, BooleanSupplier condition) {
        long begin = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - begin > DEADLINE.toNanos()) fail("Waited in vain: " + what.get());
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** Waits until a value has stopped to change, for as long as no change takes. */
    static void untilSteady(String what, LongSupplier value) {
        long[] last = {-1, System.nanoTime()};
        until(what, () -> {
            long now = value.getAsLong();
            if (now != last[0]) {
                last[0] = now;
                last[1] = System.nanoTime();
            }
            return now > 0 && System.nanoTime() - last[1] > STEADY.toNanos();
        });
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

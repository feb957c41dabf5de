package io.github.jettyfastcgi.server;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;

/** A scheduler that keeps the tasks of one delay, for the test to run when it likes. */
final class KeepingScheduler extends ScheduledExecutorScheduler {
    private final BlockingQueue<Runnable> kept = new LinkedBlockingQueue<>();
    private volatile long delay = -1;

    /** Keeps from now on what is to come after as many milliseconds. */
    BlockingQueue<Runnable> keep(long delayMillis) {
        delay = delayMillis;
        return kept;
    }

    @Override
    public Task schedule(Runnable task, long delay, TimeUnit units) {
        if (units.toMillis(delay) != this.delay) return super.schedule(task, delay, units);
        kept.add(task);
        return () -> kept.remove(task);
    }
}

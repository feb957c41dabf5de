package io.github.jettyfastcgi.server;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many requests run at the same time, and which ones wait for their turn, in the order in which they came.
 *
 * <p>Any thread may call. No lock is taken while nobody waits. Whoever waits has published that before it looks whether
 * there is room, and whoever ends has made room before it looks whether anybody waits: so no turn gets lost.
 */
final class RequestLimit {
    private final AtomicInteger running = new AtomicInteger();
    private final Set<Runnable> queue = new LinkedHashSet<>(); // guarded by itself
    private volatile int queued;
    private volatile int maxRunning;
    private volatile int maxQueued;

    /**
     * Sets the limits.
     *
     * @param maxRunning how many may run, 0 for any number
     * @param maxQueued how many may wait, 0 or more
     */
    void set(int maxRunning, int maxQueued) {
        this.maxRunning = maxRunning;
        this.maxQueued = maxQueued;
    }

    int running() {
        return running.get();
    }

    int queued() {
        return queued;
    }

    /** {@return whether a request may run at once, until {@link #end()}} */
    boolean begin() {
        return queued == 0 && enter();
    }

    /** A request runs however many do, until {@link #end()}. */
    void beginUrgent() {
        running.incrementAndGet();
    }

    /**
     * Lets a request wait for others to end.
     *
     * @param turn is run when its turn has come, perhaps at once, by a thread that must not be kept; until {@link #end()}
     * @return whether it may wait
     */
    boolean queue(Runnable turn) {
        synchronized (queue) {
            if (queue.size() >= maxQueued) return false;
            queue.add(turn);
            queued = queue.size();
        }
        callNext();
        return true;
    }

    /** A request waits no more; {@return whether it did, so that its turn will not be called} */
    boolean giveUp(Runnable turn) {
        synchronized (queue) {
            boolean waited = queue.remove(turn);
            queued = queue.size();
            return waited;
        }
    }

    /** A request that ran has ended. */
    void end() {
        running.decrementAndGet();
        if (queued > 0) callNext();
    }

    private void callNext() {
        List<Runnable> turns = new ArrayList<>();
        synchronized (queue) {
            while (!queue.isEmpty() && enter()) {
                Runnable next = queue.iterator().next();
                queue.remove(next);
                turns.add(next);
            }
            queued = queue.size();
        }
        turns.forEach(Runnable::run);
    }

    private boolean enter() {
        int limit = maxRunning;
        int now;
        do {
            now = running.get();
            if (limit > 0 && now >= limit) return false;
        } while (!running.compareAndSet(now, now + 1));
        return true;
    }
}

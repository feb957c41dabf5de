package io.github.jettyfastcgi.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.util.NanoTime;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open connections of a factory, and what is done with all of them from time to time: those that were idle for a
 * while let go of what speeds up their next request, running requests are looked at, slow ones are logged. Any thread may
 * call.
 */
final class Connections {
    private static final Logger LOG = LoggerFactory.getLogger(Connections.class);

    /** How often, in milliseconds, connections that were idle meanwhile let go of what they remember. */
    static final long IDLE_CHECK_INTERVAL = 10_000;

    /** How often, in milliseconds, running requests are looked at for what no event tells. */
    static final long REQUEST_CHECK_INTERVAL = 500;

    /** How long, in milliseconds, it may take until a connection is accepted that was made. */
    static final long ACCEPT_TIME = 100;

    private final Set<FastCGIConnection> open = ConcurrentHashMap.newKeySet();
    private final List<Sweep> sweeps;
    private volatile boolean ending;

    Connections(SlowLog slowLog) {
        sweeps = List.of(
                new Sweep(() -> IDLE_CHECK_INTERVAL, FastCGIConnection::releaseIfIdle),
                new Sweep(() -> REQUEST_CHECK_INTERVAL, FastCGIConnection::checkRequest),
                new Sweep(slowLog::interval, slowLog::check));
    }

    void opened(FastCGIConnection connection) {
        open.add(connection);
        if (ending) tellWhoWaits();
        for (Sweep sweep : sweeps) sweep.begin(connection.getConnector());
    }

    void closed(FastCGIConnection connection) {
        open.remove(connection);
        if (ending) tellWhoWaits();
    }

    private synchronized void tellWhoWaits() {
        notifyAll();
    }

    /** Connections are kept, from now on, as their requests say. */
    void keep() {
        ending = false;
    }

    /** {@return whether connections end behind the response to their next request} */
    boolean areEnding() {
        return ending;
    }

    /** Each connection ends behind the response to its next request, from now on. */
    void endBehindResponses() {
        ending = true;
    }

    /**
     * Waits for connections that are ending. Those that are idle then are closed.
     *
     * @param timeout how long to wait, in milliseconds
     */
    void end(long timeout) throws InterruptedException {
        awaitEnd(timeout);
        open.forEach(FastCGIConnection::closeIfIdle);
    }

    private synchronized void awaitEnd(long timeout) throws InterruptedException {
        long deadline = NanoTime.now() + TimeUnit.MILLISECONDS.toNanos(timeout);
        boolean ended = false;
        for (long left = timeout; left > 0 && !ended; left = NanoTime.millisUntil(deadline)) {
            boolean empty = open.isEmpty();
            wait(empty ? Math.min(left, ACCEPT_TIME) : left);
            ended = empty && open.isEmpty();
        }
    }

    /**
     * Waits for requests that are being handled now.
     *
     * @param uris which requests
     * @param timeout how long to wait at most, in milliseconds
     */
    void awaitRequests(Predicate<HttpURI> uris, long timeout) throws InterruptedException {
        List<CompletableFuture<Void>> completions = new ArrayList<>();
        for (FastCGIConnection connection : open) {
            FastCGIStream stream = connection.handledStream();
            if (stream != null && uris.test(stream.request().getHttpURI())) completions.add(stream.completion());
        }
        try {
            CompletableFuture.allOf(completions.toArray(CompletableFuture[]::new))
                    .get(timeout, TimeUnit.MILLISECONDS);
        } catch (TimeoutException x) {
            LOG.info(
                    "{} requests still run after {} ms",
                    completions.stream().filter(each -> !each.isDone()).count(),
                    timeout);
        } catch (ExecutionException x) {
            throw new IllegalStateException(x); // completions don't fail
        }
    }

    /** {@return the requests that are running} */
    List<RunningRequest> runningRequests() {
        List<RunningRequest> running = new ArrayList<>();
        for (FastCGIConnection connection : open) {
            FastCGIStream stream = connection.activeStream();
            if (stream != null && connection.isRunning(stream)) running.add(RunningRequest.of(stream));
        }
        return running;
    }

    /** The scheduler is about to stop, with it what it was to do. */
    void stop() {
        for (Sweep sweep : sweeps) sweep.scheduled.set(false);
    }

    /** Does something with each open connection at an interval, as long as there are any, on the scheduler's thread. */
    private final class Sweep {
        private final LongSupplier interval;
        private final Consumer<FastCGIConnection> action;
        private final AtomicBoolean scheduled = new AtomicBoolean();

        /**
         * Creates a sweep.
         *
         * @param interval in milliseconds, 0 for never
         * @param action doesn't block
         */
        Sweep(LongSupplier interval, Consumer<FastCGIConnection> action) {
            this.interval = interval;
            this.action = action;
        }

        void begin(Connector connector) {
            long delay = interval.getAsLong();
            if (delay > 0 && scheduled.compareAndSet(false, true))
                connector.getScheduler().schedule(() -> run(connector), delay, TimeUnit.MILLISECONDS);
        }

        private void run(Connector connector) {
            try {
                open.forEach(action);
            } finally {
                scheduled.set(false);
                if (!open.isEmpty()) begin(connector);
            }
        }
    }
}

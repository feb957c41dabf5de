package io.github.jettyfastcgi.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.eclipse.jetty.server.Connector;

/**
 * The open connections of a factory, and what is done with all of them from time to time: those that were idle for a
 * while let go of what speeds up their next request, running requests are looked at, slow ones are logged. Any thread may
 * call.
 */
final class Connections {
    /** How often, in milliseconds, connections that were idle meanwhile let go of what they remember. */
    static final long IDLE_CHECK_INTERVAL = 10_000;

    /** How often, in milliseconds, running requests are looked at for what no event tells. */
    static final long REQUEST_CHECK_INTERVAL = 500;

    private final Set<FastCGIConnection> open = ConcurrentHashMap.newKeySet();
    private final List<Sweep> sweeps;

    Connections(SlowLog slowLog) {
        sweeps = List.of(
                new Sweep(() -> IDLE_CHECK_INTERVAL, FastCGIConnection::releaseIfIdle),
                new Sweep(() -> REQUEST_CHECK_INTERVAL, FastCGIConnection::checkRequest),
                new Sweep(slowLog::interval, slowLog::check));
    }

    void opened(FastCGIConnection connection) {
        open.add(connection);
        for (Sweep sweep : sweeps) sweep.begin(connection.getConnector());
    }

    void closed(FastCGIConnection connection) {
        open.remove(connection);
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

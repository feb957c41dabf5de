package io.github.jettyfastcgi.server;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.server.Connector;

/**
 * The open connections of a factory. Those that were idle for a while let go of what speeds up their next request. Any
 * thread may call.
 */
final class Connections {
    /** How often, in milliseconds, connections that were idle meanwhile let go of what they remember. */
    static final long IDLE_CHECK_INTERVAL = 10_000;

    private final Set<FastCGIConnection> open = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean checkScheduled = new AtomicBoolean();

    void opened(FastCGIConnection connection) {
        open.add(connection);
        if (checkScheduled.compareAndSet(false, true)) scheduleIdleCheck(connection.getConnector());
    }

    void closed(FastCGIConnection connection) {
        open.remove(connection);
    }

    /** The scheduler is about to stop, with it the check that it has scheduled. */
    void stop() {
        checkScheduled.set(false);
    }

    private void scheduleIdleCheck(Connector connector) {
        connector.getScheduler().schedule(() -> checkIdle(connector), IDLE_CHECK_INTERVAL, TimeUnit.MILLISECONDS);
    }

    private void checkIdle(Connector connector) {
        try {
            open.forEach(FastCGIConnection::releaseIfIdle);
        } finally {
            checkScheduled.set(false);
            if (!open.isEmpty() && checkScheduled.compareAndSet(false, true)) scheduleIdleCheck(connector);
        }
    }
}

package io.github.jettyfastcgi.server;

import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs peers that may not connect, or lack the secret: one line a minute at the most, so that they can't flood the log.
 * Thread-safe.
 */
final class RefusedPeers {
    private static final Logger LOG = LoggerFactory.getLogger(RefusedPeers.class);
    private static final long INTERVAL = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier nanoTime;
    private long count;
    private boolean logged;
    private long lastLogged;

    /**
     * Creates a log.
     *
     * @param nanoTime the time, in nanoseconds
     */
    RefusedPeers(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** A peer was refused, since it isn't one of those allowed. */
    void refused(InetAddress peer, AddressSet allowed) {
        long refused = countToLog();
        if (refused > 0)
            LOG.warn(
                    "Connections refused: {}, the last one from {}, which is not in jetty.fastcgi.tcp.allow={}",
                    refused,
                    peer.getHostAddress(),
                    allowed);
    }

    /** A request was refused, since it hasn't the secret in the variable. */
    void lacksSecret(String variable) {
        long refused = countToLog();
        if (refused > 0)
            LOG.warn("Requests refused: {}, without the secret of jetty.fastcgi.secret in {}", refused, variable);
    }

    /** {@return how many were refused since the last line, 0 if it isn't time for another} */
    private synchronized long countToLog() {
        count++;
        long now = nanoTime.getAsLong();
        if (logged && now - lastLogged < INTERVAL) return 0;
        long refused = count;
        count = 0;
        logged = true;
        lastLogged = now;
        return refused;
    }
}

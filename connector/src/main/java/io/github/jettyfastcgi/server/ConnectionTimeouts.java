package io.github.jettyfastcgi.server;

import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.NanoTime;

/**
 * How long the end point of a connection waits for its peer. What a finished request has left is waited for no longer
 * than the drain timeout, be it silence or a peer that sends on. Used by the owner of the parser.
 */
final class ConnectionTimeouts {
    private final FastCGIConnectionFactory factory;
    private final EndPoint endPoint;
    private boolean draining;
    private long drainDeadline;
    private long idleTimeout;

    ConnectionTimeouts(FastCGIConnectionFactory factory, EndPoint endPoint) {
        this.factory = factory;
        this.endPoint = endPoint;
    }

    /** A request is finished: the time for what it has left begins. */
    void drainFromNow() {
        drainDeadline = NanoTime.now() + TimeUnit.MILLISECONDS.toNanos(factory.getDrainTimeout());
    }

    /** {@return whether the time for what a finished request has left is over} */
    boolean isDrainOver() {
        return NanoTime.isBefore(drainDeadline, NanoTime.now());
    }

    /**
     * Sets the idle timeout of the end point.
     *
     * @param drains whether what a finished request has left is waited for
     */
    void adjust(boolean drains) {
        if (drains == draining) return;
        draining = drains;
        if (drains) {
            idleTimeout = endPoint.getIdleTimeout();
            long drainTimeout = factory.getDrainTimeout();
            if (idleTimeout <= 0 || drainTimeout < idleTimeout) endPoint.setIdleTimeout(drainTimeout);
        } else {
            endPoint.setIdleTimeout(idleTimeout);
        }
    }
}

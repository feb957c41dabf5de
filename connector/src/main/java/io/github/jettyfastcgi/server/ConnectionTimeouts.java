package io.github.jettyfastcgi.server;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.NanoTime;

/**
 * How long the end point of a connection waits for its peer, which depends on what it waits for. Variables, and what a
 * finished request has left, have a time altogether, which a peer that sends on doesn't extend; the other times begin
 * anew with each byte. Used by the owner of the parser.
 */
final class ConnectionTimeouts {
    /** What is waited for. */
    enum Wait {
        /** The next request. */
        REQUEST,
        /** The rest of the variables of a request. */
        VARIABLES,
        /** Content of a request, its response to be written, or its application. */
        CONTENT,
        /** What a finished request has left: content, or the end of the input. */
        LEFTOVERS
    }

    private final LimitedConnectionFactory limits;
    private final EndPoint endPoint;
    private Wait current = Wait.REQUEST;
    private long idleTimeout;
    private long deadline;

    ConnectionTimeouts(LimitedConnectionFactory limits, EndPoint endPoint) {
        this.limits = limits;
        this.endPoint = endPoint;
    }

    /** A request has begun: the time for its variables begins. */
    void requestBegins(long nanoTime) {
        long timeout = limits.getRequestTimeout();
        deadline = nanoTime + TimeUnit.MILLISECONDS.toNanos(timeout > 0 ? timeout : Integer.MAX_VALUE);
    }

    /** A request is finished: the time for what it has left begins. */
    void requestEnds() {
        deadline = NanoTime.now() + TimeUnit.MILLISECONDS.toNanos(limits.getDrainTimeout());
    }

    /** {@return whether the time is over that began last} */
    boolean isOver() {
        return NanoTime.isBefore(deadline, NanoTime.now());
    }

    /** Sets the idle timeout of the end point to what suits. */
    void adjust(Wait next) {
        if (next == current && next != Wait.VARIABLES) return;
        if (current == Wait.REQUEST) idleTimeout = endPoint.getIdleTimeout();
        current = next;
        long timeout = switch (next) {
            case REQUEST -> idleTimeout;
            case VARIABLES, LEFTOVERS -> atMost(Math.max(1, NanoTime.millisUntil(deadline)));
            case CONTENT -> limits.getContentTimeout() < 0 ? idleTimeout : limits.getContentTimeout();
        };
        if (timeout == endPoint.getIdleTimeout()) return;
        try {
            endPoint.setIdleTimeout(timeout);
        } catch (RejectedExecutionException x) {
            endPoint.close(x); // the server has just stopped, and its scheduler with it
        }
    }

    private long atMost(long timeout) {
        return idleTimeout > 0 ? Math.min(idleTimeout, timeout) : timeout;
    }
}

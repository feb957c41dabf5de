package io.github.jettyfastcgi.server;

import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.QuietException;
import org.eclipse.jetty.util.NanoTime;

/**
 * A request that waits for others to end, and no thread with it, from the end of its variables until its handler is
 * called. Its peer may go meanwhile, or it waits for too long: then it gives up its place, and is answered in place of
 * the handler. Between its turn and the call of the handler a failure is kept for the handler's call to throw.
 */
final class WaitingRequest implements Runnable {
    private final FastCGIConnection connection;
    private final FastCGIStream stream;
    private final Runnable handler;
    private final long begin = NanoTime.now();
    private Throwable failure;
    private boolean handled;

    WaitingRequest(FastCGIConnection connection, FastCGIStream stream, Runnable handler) {
        this.connection = connection;
        this.stream = stream;
        this.handler = handler;
    }

    FastCGIStream stream() {
        return stream;
    }

    /** Its turn has come. */
    @Override
    public void run() {
        stream.admitted();
        connection.execute(stream, handler);
    }

    /** {@return whether it has waited for as long} */
    boolean isOver(long milliseconds) {
        return NanoTime.since(begin) > TimeUnit.MILLISECONDS.toNanos(milliseconds);
    }

    /** {@return whether it waits no more, for its handler has been called} */
    synchronized boolean isHandled() {
        return handled;
    }

    /** {@return whether a failure is for the channel: either the request has given up its turn, or it is being handled} */
    synchronized boolean fails(boolean gaveUp, Throwable x) {
        if (!gaveUp && !handled && failure == null) failure = x;
        return gaveUp || handled;
    }

    /** The handler is about to be called, unless this throws. */
    synchronized void handle() {
        handled = true;
        if (failure != null) throw new QuietException.RuntimeException(failure);
    }
}

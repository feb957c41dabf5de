package io.github.jettyfastcgi.server;

import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.HttpChannel;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Invocable;
import org.eclipse.jetty.util.thread.ThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jetty's side of a connection: the channel that calls the handler for one request after another, and hears what becomes
 * of the peer meanwhile. It is kept from request to request, but for one that has failed, since it remembers its failure.
 *
 * <p>Between {@link #begin} and {@link #end}, any thread may call. What the channel throws after it has completed the
 * request, such as the failure of a form's parts that Jetty throws once more when it closes them, is no news.
 */
final class RequestChannel {
    private static final Logger LOG = LoggerFactory.getLogger(RequestChannel.class);
    private static final HttpChannel.Factory CHANNELS = new HttpChannel.DefaultFactory();

    private final FastCGIConnection connection;
    private volatile HttpChannel channel;

    RequestChannel(FastCGIConnection connection) {
        this.connection = connection;
    }

    /** Takes a request; {@return what calls the handler} */
    Runnable begin(FastCGIStream stream) {
        HttpChannel current = channel;
        if (current == null) {
            current = CHANNELS.newHttpChannel(connection);
            channel = current;
        }
        current.setHttpStream(stream);
        return current.onRequest(stream.request());
    }

    /** {@return what answers the request with an error in place of the handler, at once, be all threads busy} */
    Runnable refuse(int status, String reason) {
        Runnable task = channel.onFailure(new QuietHttpException(status, reason));
        return Invocable.from(Invocable.InvocationType.NON_BLOCKING, task);
    }

    /** {@return the request as the application has it, or {@code null} when there is none} */
    Request request() {
        HttpChannel active = channel;
        return active == null ? null : active.getRequest();
    }

    /** The request is completed. */
    void end(Throwable failure) {
        if (failure == null) channel.recycle();
        else channel = null;
    }

    /** Lets go of the channel, while there is no request. */
    void release() {
        channel = null;
    }

    void contentAvailable() {
        HttpChannel active = channel;
        if (active != null) run(active.onContentAvailable());
    }

    /** The peer has gone, or aborts the request; {@return what tells the application, or {@code null}} */
    Runnable remoteFailure(Throwable x) {
        HttpChannel active = channel;
        return active == null ? null : active.onRemoteFailure(x);
    }

    /** The connection is closed from this side. */
    void closed() {
        HttpChannel active = channel;
        if (active != null) run(active.onClose());
    }

    /** Neither content nor a response has moved on for the idle timeout. */
    void idleTimeout(TimeoutException timeout) {
        HttpChannel active = channel;
        if (active != null) execute(active.onIdleTimeout(timeout).action());
    }

    /** Content has not come for the idle timeout: 408 if nothing was answered. */
    void contentTimeout(TimeoutException timeout, FastCGIStream stalled) {
        HttpChannel active = channel;
        if (active == null) return;
        Runnable reading = active.onContentAvailable();
        if (reading == null) {
            idleTimeout(new ContentTimeoutException(timeout));
        } else {
            stalled.fail(new ContentException(HttpStatus.REQUEST_TIMEOUT_408, timeout.getMessage()));
            execute(reading);
        }
    }

    /** {@return whether what demands content blocks} */
    Invocable.InvocationType invocationType() {
        return Invocable.getInvocationType(channel);
    }

    /** {@return whether this thread may run what the channel has returned} A selector's may not if it can block. */
    static boolean mayRun(Runnable task) {
        return !Invocable.isNonBlockingInvocation()
                || Invocable.getInvocationType(task) != Invocable.InvocationType.BLOCKING;
    }

    /** Runs what the channel has returned, which may be nothing, on this thread if it may. */
    void run(Runnable task) {
        if (task == null) return;
        if (mayRun(task)) call(task);
        else execute(task);
    }

    /** Runs what the channel has returned, on this thread. */
    void call(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException x) {
            failed(x);
        }
    }

    /** Calls the handler, or what answers in its place, on this thread. */
    void handle(FastCGIStream stream, Runnable handler) {
        try {
            stream.handle(handler);
        } catch (RuntimeException x) {
            failed(x);
        }
    }

    private void failed(RuntimeException x) {
        if (connection.isRunning()) throw x;
        if (LOG.isDebugEnabled()) LOG.debug("Failure behind a completed request on {}", connection, x);
    }

    /** Runs what the channel has returned, which may be nothing, on another thread if it can block. */
    void execute(Runnable task) {
        if (task == null) return;
        Runnable call = Invocable.from(Invocable.getInvocationType(task), () -> call(task));
        ThreadPool.executeImmediately(connection.getConnector().getExecutor(), call);
    }
}

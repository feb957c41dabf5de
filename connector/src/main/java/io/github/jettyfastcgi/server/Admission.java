package io.github.jettyfastcgi.server;

import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpStatus;

/**
 * Whether the request of a connection runs at once, waits for others to end, or is refused. While it waits, and until its
 * handler is called, its failures are kept from the channel, which has nobody yet to tell.
 *
 * <p>{@link #admit} is the attached thread's, any thread may call the rest.
 */
final class Admission {
    private final FastCGIConnection connection;
    private final FastCGIConnectionFactory factory;
    private final RequestChannel channel;
    private volatile WaitingRequest waiting;

    Admission(FastCGIConnection connection, RequestChannel channel) {
        this.connection = connection;
        this.factory = connection.factory();
        this.channel = channel;
    }

    /** {@return what calls the handler or answers in its place, or {@code null} if the request waits for its turn} */
    Runnable admit(FastCGIStream next) {
        Runnable handler = channel.begin(next);
        HttpException.RuntimeException failure = next.request().failure();
        if (failure != null) {
            count(RequestRefusal.of(failure));
            return channel.refuse(failure.getCode(), failure.getReason());
        }
        long maxContentLength = factory.getMaxContentLength();
        if (maxContentLength >= 0 && next.request().getContentLength() > maxContentLength) {
            count(RequestRefusal.CONTENT_TOO_LARGE);
            return channel.refuse(HttpStatus.PAYLOAD_TOO_LARGE_413, FastCGIStream.TOO_LARGE);
        }
        RequestLimit limit = factory.requestLimit();
        boolean urgent = factory.isUrgent(next.request());
        if (urgent) limit.beginUrgent();
        if (urgent || limit.begin()) {
            next.admitted();
            return handler;
        }
        WaitingRequest turn = new WaitingRequest(connection, next, handler);
        waiting = turn;
        if (limit.queue(turn)) return null;
        waiting = null;
        return overloaded(next);
    }

    /** {@return what answers a request that has waited for too long, or {@code null} if none has} */
    Runnable giveUp() {
        WaitingRequest turn = waiting;
        boolean givesUp = turn != null
                && turn.isOver(factory.getQueueTimeout())
                && factory.requestLimit().giveUp(turn);
        if (!givesUp) return null;
        waiting = null; // from now on for its peer, as any request that is answered
        return overloaded(turn.stream());
    }

    /** {@return whether the request waits for its handler to be called, having had to wait for its turn} */
    boolean isWaiting() {
        WaitingRequest turn = waiting;
        return turn != null && !turn.isHandled();
    }

    /** The handler is about to be called, unless this throws. */
    void handlerBegins() {
        WaitingRequest turn = waiting;
        if (turn != null) turn.handle();
    }

    /** {@return whether the channel may hear of a failure, since the request doesn't wait for its handler} */
    boolean isForChannel(Throwable x) {
        WaitingRequest turn = waiting;
        if (turn == null) return true;
        boolean givesUp = factory.requestLimit().giveUp(turn);
        if (givesUp) waiting = null;
        return turn.fails(givesUp, x);
    }

    /** The request is completed: another one may run. */
    void completed(FastCGIStream completed) {
        waiting = null;
        if (completed.isAdmitted()) factory.requestLimit().end();
    }

    private Runnable overloaded(FastCGIStream refused) {
        count(RequestRefusal.OVERLOAD);
        refused.overloaded();
        return channel.refuse(HttpStatus.SERVICE_UNAVAILABLE_503, "Too many requests at the same time");
    }

    private void count(RequestRefusal reason) {
        factory.getCounters().refusedRequests.increment(reason);
    }
}

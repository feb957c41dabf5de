package io.github.jettyfastcgi.server;

import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.util.NanoTime;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs requests that take long while they still do, once each, with the stack of the thread that handles them.
 *
 * <p>Requests do nothing for it, but for the note which thread handles them: from time to time the open connections are
 * looked through for old ones.
 */
final class SlowLog {
    /** The name of the logger: not that of a class, so that it stays, and can be given a file of its own. */
    static final String LOGGER = "io.github.jettyfastcgi.slowlog";

    private static final Logger LOG = LoggerFactory.getLogger(LOGGER);

    /** The bounds of {@link #interval()}. */
    private static final long MIN_INTERVAL = 10;

    private static final long MAX_INTERVAL = 1000;

    private volatile long threshold;
    private volatile boolean withQuery;

    /** {@return the age, in milliseconds, from which on a request is slow; 0 if none ever is} */
    long threshold() {
        return threshold;
    }

    void setThreshold(long milliseconds) {
        threshold = milliseconds;
    }

    /** {@return whether the queries of requests are logged} */
    boolean isWithQuery() {
        return withQuery;
    }

    void setWithQuery(boolean withQuery) {
        this.withQuery = withQuery;
    }

    /** {@return how often to look for slow requests, in milliseconds; 0 for never} */
    long interval() {
        return threshold == 0 ? 0 : Math.max(MIN_INTERVAL, Math.min(threshold / 2, MAX_INTERVAL));
    }

    /** Logs the request that runs on a connection if it is slow; called by one thread at a time. */
    void check(FastCGIConnection connection) {
        FastCGIStream stream = connection.activeStream();
        if (stream == null || stream.isLoggedAsSlow() || threshold == 0) return;
        long age = NanoTime.millisSince(stream.request().getBeginNanoTime());
        if (age < threshold) return;
        Thread thread = stream.handlingThread();
        ThreadStack stack = thread == null ? null : new ThreadStack(thread);
        // The thread may have gone on to another request meanwhile: the stack isn't this one's then
        if (stream.handlingThread() != thread || !connection.isRunning(stream)) return;
        stream.setLoggedAsSlow();
        LOG.warn("{}, {} ms: {}", target(stream), age, state(stream, thread), stack);
    }

    private String target(FastCGIStream stream) {
        HttpURI uri = stream.request().getHttpURI();
        // The canonical path has no parameters: there, too, may be what isn't for a log, such as a session
        String target = stream.request().getMethod() + " " + uri.getCanonicalPath();
        return ErrorReport.printable(withQuery && uri.getQuery() != null ? target + "?" + uri.getQuery() : target);
    }

    private static String state(FastCGIStream stream, Thread thread) {
        RunningRequest.State state =
                thread == null ? RunningRequest.stateWithoutThread(stream) : RunningRequest.State.HANDLED;
        return switch (state) {
            case QUEUED -> "waits for others to end";
            case WAITING -> "waits for a thread";
            case ASYNCHRONOUS -> "asynchronous, no thread handles it" + response(stream);
            case HANDLED -> "handled by thread " + name(thread) + response(stream);
        };
    }

    private static String response(FastCGIStream stream) {
        return stream.isCommitted() ? ", response begun" : ", response not begun";
    }

    /** {@return the name of a thread, or its number as thread dumps have it: virtual threads have no name} */
    private static String name(Thread thread) {
        return thread.getName().isEmpty() ? "#" + thread.getId() : thread.getName();
    }

    /** The stack of a thread as it is now, in the form that every log shows. */
    private static final class ThreadStack extends Throwable {
        private static final long serialVersionUID = 1L;

        ThreadStack(Thread thread) {
            super(name(thread) + " " + thread.getState(), null, false, true);
            setStackTrace(thread.getStackTrace());
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }

        @Override
        public String toString() {
            return getMessage();
        }
    }
}

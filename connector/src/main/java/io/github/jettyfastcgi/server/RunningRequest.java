package io.github.jettyfastcgi.server;

import java.net.InetSocketAddress;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.util.NanoTime;

/**
 * A request that is running, as it is at the moment.
 *
 * @param method its method
 * @param path its path, decoded and without parameters, or {@code null} if it has none
 * @param query its query, or {@code null}
 * @param client the address of the client, or {@code null} if the web server doesn't tell
 * @param nanos how long ago it began
 * @param thread the name of the thread that is in its handler, or {@code null}
 * @param state what it is about
 * @param isCommitted whether its response has begun
 */
public record RunningRequest(
        String method,
        String path,
        String query,
        String client,
        long nanos,
        String thread,
        State state,
        boolean isCommitted) {
    /** What a request is about. */
    public enum State {
        /** It waits for others to end, since as many run as may. */
        QUEUED,
        /** It may run, and waits for a thread. */
        WAITING,
        /** A thread is in its handler. */
        HANDLED,
        /** Its handler has returned, and it is to be completed by any thread. */
        ASYNCHRONOUS
    }

    static RunningRequest of(FastCGIStream stream) {
        HttpURI uri = stream.request().getHttpURI();
        InetSocketAddress client = stream.request().remoteAddress();
        Thread thread = stream.handlingThread();
        return new RunningRequest(
                stream.request().getMethod(),
                uri.getCanonicalPath(),
                uri.getQuery(),
                client == null ? null : client.getHostString(),
                NanoTime.since(stream.request().getBeginNanoTime()),
                thread == null ? null : thread.getName(),
                thread == null ? stateWithoutThread(stream) : State.HANDLED,
                stream.isCommitted());
    }

    /** {@return what a request is about that no thread handles, to be asked behind a look at the thread} */
    static State stateWithoutThread(FastCGIStream stream) {
        if (stream.isHandled()) return State.ASYNCHRONOUS;
        return stream.isAdmitted() ? State.WAITING : State.QUEUED;
    }
}

package io.github.jettyfastcgi.server;

import org.eclipse.jetty.io.ManagedSelector;

/**
 * Connections are opened by the thread of the selector, not by one of the pool: it takes microseconds and never blocks,
 * spares a change of threads to web servers that open a connection for each request, and leaves nobody waiting outside
 * when all threads are busy, who only asks for the status.
 */
final class NewConnections {
    private NewConnections() {}

    /**
     * {@return whether a task of a selector opens a connection} Of all that a selector hands to an executor, that is the one
     * which it also runs as an update of its own.
     */
    static boolean opens(Runnable task) {
        return task instanceof ManagedSelector.SelectorUpdate;
    }
}

package io.github.jettyfastcgi.server;

import java.io.Closeable;

/**
 * What a selector hands to an executor to open a connection, or to tell that one is closed, runs on the thread that hands
 * it over: it takes microseconds and never blocks. That spares two changes of threads to web servers that open a connection
 * for each request (together with the end of {@link FastCGIConnection} without a wait for the peer's: 31 system calls of
 * a request became 19, 9 context switches 3), and leaves nobody waiting outside when all threads are busy, who only asks
 * for the status.
 */
final class ConnectionTasks {
    private ConnectionTasks() {}

    /**
     * {@return whether a task of a selector is one of these} They are the ones that Jetty itself closes when its executor
     * takes none any more, rather than leave a connection half open.
     */
    static boolean includes(Runnable task) {
        return task instanceof Closeable;
    }
}

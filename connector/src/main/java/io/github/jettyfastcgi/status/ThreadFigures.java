package io.github.jettyfastcgi.status;

import java.util.concurrent.Executor;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ThreadPool;

/**
 * The state of the server's thread pool.
 *
 * @param max how many threads there may be for requests, those apart that accept and select; 0 if it doesn't tell
 * @param current how many threads there are, of all kinds
 * @param busy how many threads do something for a request
 * @param idle how many threads wait for something to do
 * @param queue how many tasks wait for a thread
 */
record ThreadFigures(int max, int current, int busy, int idle, int queue) {
    static ThreadFigures of(Executor executor) {
        if (executor instanceof QueuedThreadPool pool) {
            int max = pool.getMaxThreads() - pool.getLeasedThreads();
            int idle = pool.getIdleThreads() + pool.getCurrentReservedThreads();
            int busy = Math.max(0, pool.getThreads() - pool.getLeasedThreads() - idle);
            return new ThreadFigures(max, pool.getThreads(), busy, idle, pool.getQueueSize());
        }
        if (executor instanceof ThreadPool pool) {
            int busy = Math.max(0, pool.getThreads() - pool.getIdleThreads());
            return new ThreadFigures(0, pool.getThreads(), busy, pool.getIdleThreads(), 0);
        }
        return new ThreadFigures(0, 0, 0, 0, 0);
    }
}

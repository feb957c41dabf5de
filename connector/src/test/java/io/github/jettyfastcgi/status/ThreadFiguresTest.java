package io.github.jettyfastcgi.status;

import static org.assertj.core.api.Assertions.assertThat;

import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ThreadPool;
import org.junit.jupiter.api.Test;

class ThreadFiguresTest {
    /** A pool of which each figure is given. */
    private static QueuedThreadPool pool(int max, int leased, int threads, int idle, int reserved, int queue) {
        return new QueuedThreadPool(max) {
            @Override
            public int getLeasedThreads() {
                return leased;
            }

            @Override
            public int getThreads() {
                return threads;
            }

            @Override
            public int getIdleThreads() {
                return idle;
            }

            @Override
            public int getCurrentReservedThreads() {
                return reserved;
            }

            @Override
            public int getQueueSize() {
                return queue;
            }
        };
    }

    /** Those that accept and select are nobody's to handle requests; those in reserve wait for something to do. */
    @Test
    void areOfTheThreadsForRequests() {
        assertThat(ThreadFigures.of(pool(30, 3, 20, 5, 2, 4))).isEqualTo(new ThreadFigures(27, 20, 10, 7, 4));
    }

    @Test
    void areNeverLessThanNone() {
        assertThat(ThreadFigures.of(pool(30, 3, 5, 4, 0, 0)).busy()).isZero();
    }

    @Test
    void areFewerWhereThePoolTellsLess() {
        ThreadPool pool = new ThreadPool() {
            @Override
            public void join() {
                // It has no threads to wait for
            }

            @Override
            public int getThreads() {
                return 9;
            }

            @Override
            public int getIdleThreads() {
                return 4;
            }

            @Override
            public boolean isLowOnThreads() {
                return false;
            }

            @Override
            public void execute(Runnable task) {
                task.run();
            }
        };

        assertThat(ThreadFigures.of(pool)).isEqualTo(new ThreadFigures(0, 9, 5, 4, 0));
        assertThat(ThreadFigures.of(Runnable::run)).isEqualTo(new ThreadFigures(0, 0, 0, 0, 0));
    }
}

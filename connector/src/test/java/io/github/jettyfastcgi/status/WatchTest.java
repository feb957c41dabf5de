package io.github.jettyfastcgi.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.jettyfastcgi.server.FastCGIConnectionFactory;
import io.github.jettyfastcgi.server.FastCGITCPConnector;
import io.github.jettyfastcgi.server.FastCGIUnixConnector;
import io.github.jettyfastcgi.status.advice.Figure;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.Server;
import org.junit.jupiter.api.Test;

/** What the rules get to see. */
class WatchTest {
    private static final int SAMPLES_PER_MARK = 15;

    private final Server server = new Server();
    private final Watch watch = new Watch(server, new RequestObserver(true, new SessionObserver(1000)));
    private final SomeFigures figures = new SomeFigures();

    private Map<Figure, Long> addAndGet() {
        watch.add(figures.get());
        return watch.window(figures.get());
    }

    @Test
    void countsFromTheFirstSampleOn() {
        for (int i = 0; i < 9; i++) figures.largeHeads.record(64);
        figures.abortsAfter(4, 50);
        watch.add(figures.get());
        figures.finishedRequests.merge("2xx", 70L, Long::sum);
        figures.finishedRequests.merge("none", 7L, Long::sum);
        figures.unkeptRequests += 2;
        figures.openedConnections += 5;
        figures.openConnections += 2;
        figures.closedConnections.put("peer_at_once", 4L);
        figures.closedConnections.merge("idle_timeout", 6L, Long::sum);
        figures.refusedRequests.merge("overload", 8L, Long::sum);
        figures.streamedRequests += 10;
        figures.gatheredRequests += 9;
        for (int i = 0; i < 11; i++) figures.largeHeads.record(32);
        figures.largeHeadEnds += 12;
        figures.abortsAfter(20, 1).abortsAfter(60, 2).abortsAfter(20, 3);

        assertThat(addAndGet())
                .containsEntry(Figure.REQUESTS, 77L)
                .containsEntry(Figure.REQUESTS_EVER, 822L)
                .containsEntry(Figure.UNKEPT_REQUESTS, 2L)
                .containsEntry(Figure.CLOSED_CONNECTIONS, 3L)
                .containsEntry(Figure.CLOSED_AT_ONCE, 4L)
                .containsEntry(Figure.IDLE_TIMEOUTS, 6L)
                .containsEntry(Figure.OVERLOADS, 8L)
                .containsEntry(Figure.STREAMED_REQUESTS, 10L)
                .containsEntry(Figure.GATHERED_REQUESTS, 9L)
                .containsEntry(Figure.LARGE_HEADS, 11L)
                .containsEntry(Figure.LARGEST_HEAD, 32L)
                .containsEntry(Figure.LARGE_HEAD_ENDS, 12L)
                .containsEntry(Figure.UNANSWERED_ABORTS, 100L)
                .containsEntry(Figure.ABORT_P10_MILLIS, 1L)
                .containsEntry(Figure.ABORT_P90_MILLIS, 3L);
    }

    @Test
    void forgetsWhatIsOlderThanTheCharts() {
        watch.add(figures.get());
        figures.unkeptRequests += 100;
        for (int i = 1; i < SAMPLES_PER_MARK; i++) watch.add(figures.get());
        for (int i = 0; i < History.SAMPLES - SAMPLES_PER_MARK - 1; i++)
            assertThat(addAndGet()).containsEntry(Figure.UNKEPT_REQUESTS, 100L);
        figures.unkeptRequests += 1;

        assertThat(addAndGet())
                .containsEntry(Figure.UNKEPT_REQUESTS, 1L)
                .containsEntry(Figure.SAMPLES, (long) History.SAMPLES - SAMPLES_PER_MARK);
    }

    @Test
    void peakOfRunningRequestsIsForgottenButNotThatOfThreads() {
        watch.add(figures.get());
        figures.runningRequests = 99;
        figures.threads = new ThreadFigures(190, 60, 55, 5, 0);
        assertThat(addAndGet()).containsEntry(Figure.PEAK_RUNNING_REQUESTS, 99L);
        figures.runningRequests = 1;
        figures.threads = new ThreadFigures(190, 60, 1, 59, 0);

        assertThat(addAndGet()).containsEntry(Figure.PEAK_RUNNING_REQUESTS, 99L);
        for (int i = 0; i < History.SAMPLES + SAMPLES_PER_MARK; i++) watch.add(figures.get());
        assertThat(watch.window(figures.get()))
                .containsEntry(Figure.PEAK_RUNNING_REQUESTS, 1L)
                .containsEntry(Figure.PEAK_BUSY_THREADS, 55L);
    }

    @Test
    void threadsAreSaturatedIfAllAreBusyAndRequestsWait() {
        watch.add(figures.get());
        figures.waitingForThread = 5;
        figures.threads = new ThreadFigures(60, 60, 59, 1, 0);
        assertThat(addAndGet()).containsEntry(Figure.SATURATED_SAMPLES, 0L);
        figures.waitingForThread = 0;
        figures.threads = new ThreadFigures(60, 60, 60, 0, 0);
        assertThat(addAndGet()).containsEntry(Figure.SATURATED_SAMPLES, 0L);
        figures.waitingForThread = 1;

        assertThat(addAndGet())
                .containsEntry(Figure.SATURATED_SAMPLES, 1L)
                .containsEntry(Figure.MAX_THREADS, 60L)
                .containsEntry(Figure.SAMPLES, 3L);
    }

    @Test
    void requestsWaitForOthersInSomeSamples() {
        watch.add(figures.get());
        figures.queuedRequests = 0;
        assertThat(addAndGet()).containsEntry(Figure.WAITING_SAMPLES, 0L);
        figures.queuedRequests = 1;
        assertThat(addAndGet()).containsEntry(Figure.WAITING_SAMPLES, 1L);
    }

    @Test
    void settingsAreThoseOfTheConnectors() {
        FastCGIConnectionFactory first = new FastCGIConnectionFactory();
        FastCGIConnectionFactory second = new FastCGIConnectionFactory();
        second.setSlowLogThreshold(700);
        FastCGIUnixConnector unix = new FastCGIUnixConnector(server, first);
        FastCGITCPConnector tcp = new FastCGITCPConnector(server, second);
        tcp.setIdleTimeout(TimeUnit.SECONDS.toMillis(20));
        server.addConnector(unix);
        server.addConnector(tcp);

        assertThat(addAndGet())
                .containsEntry(Figure.IDLE_TIMEOUT_MILLIS, 20_000L)
                .containsEntry(Figure.SLOW_LOG_MILLIS, 700L)
                .containsEntry(Figure.MAX_REQUESTS, 1024L);
    }
}

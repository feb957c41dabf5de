package io.github.jettyfastcgi.status;

import io.github.jettyfastcgi.server.FastCGIConnectionFactory;
import io.github.jettyfastcgi.server.FastCGIUnixConnector;
import io.github.jettyfastcgi.server.Histogram;
import io.github.jettyfastcgi.status.advice.Advice;
import io.github.jettyfastcgi.status.advice.Figure;
import io.github.jettyfastcgi.status.advice.Observations;
import io.github.jettyfastcgi.status.advice.Rule;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;

/**
 * Makes of figures and observations what the rules of advice look at: that of the last {@value #MARKS} marks, of which there
 * is one in {@value #SAMPLES_PER_MARK} samples, so that it reaches as far back as the charts. Any thread may call.
 */
final class Watch {
    private static final int MARKS = 20;
    private static final int SAMPLES_PER_MARK = History.SAMPLES / MARKS;
    private static final Set<Figure> STATES = EnumSet.of(
            Figure.REQUESTS_EVER,
            Figure.PEAK_BUSY_THREADS,
            Figure.IDLE_TIMEOUT_MILLIS,
            Figure.MAX_REQUESTS,
            Figure.SLOW_LOG_MILLIS,
            Figure.MAX_THREADS);

    /** What was counted up to a sample. */
    private record Mark(Map<Figure, Long> sums, Histogram.Snapshot aborts, Histogram.Snapshot heads) {}

    private final Server server;
    private final RequestObserver observer;
    private final Deque<Mark> marks = new ArrayDeque<>();

    /** Of all samples, but the peak of running requests since the last mark. */
    private final Map<Figure, Long> sampled = new EnumMap<>(Figure.class);

    Watch(Server server, RequestObserver observer) {
        this.server = server;
        this.observer = observer;
    }

    /** Takes the next sample. */
    synchronized void add(Figures figures) {
        ThreadFigures threads = figures.threads();
        boolean isSaturated = figures.waitingForThread() > 0 && threads.busy() >= threads.max();
        sampled.merge(Figure.SAMPLES, 1L, Long::sum);
        sampled.merge(Figure.SATURATED_SAMPLES, isSaturated ? 1L : 0L, Long::sum);
        sampled.merge(Figure.WAITING_SAMPLES, figures.queuedRequests() > 0 ? 1L : 0L, Long::sum);
        sampled.merge(Figure.PEAK_BUSY_THREADS, (long) threads.busy(), Math::max);
        sampled.merge(Figure.PEAK_RUNNING_REQUESTS, figures.runningRequests(), Math::max);
        if (!marks.isEmpty() && sampled.get(Figure.SAMPLES) % SAMPLES_PER_MARK != 0) return;
        if (marks.size() == MARKS) marks.removeFirst();
        marks.addLast(mark(figures));
        sampled.remove(Figure.PEAK_RUNNING_REQUESTS);
    }

    /** {@return a mark, which shares what hasn't changed with the one before: histograms are large} */
    private Mark mark(Figures figures) {
        Histogram.Snapshot aborts = figures.unansweredAborts();
        Histogram.Snapshot heads = figures.largeHeads();
        Mark last = marks.peekLast();
        if (last != null && last.aborts().count() == aborts.count()) aborts = last.aborts();
        if (last != null && last.heads().count() == heads.count()) heads = last.heads();
        return new Mark(sums(figures), aborts, heads);
    }

    /** {@return what there is to advise} */
    List<Advice> advice(Figures figures) {
        return Rule.checkAll(new Observations(observer.webServer(), socket(), window(figures)));
    }

    /** {@return what the rules look at: what was counted since the oldest mark, and what is so now} */
    synchronized Map<Figure, Long> window(Figures figures) {
        Map<Figure, Long> window = sums(figures);
        Mark first = marks.getFirst(); // the first sample has made one
        window.replaceAll((figure, value) -> {
            if (STATES.contains(figure)) return value;
            return figure == Figure.PEAK_RUNNING_REQUESTS
                    ? Math.max(value, peak(figure))
                    : value - first.sums().getOrDefault(figure, 0L);
        });
        Histogram.Snapshot aborts = figures.unansweredAborts().minus(first.aborts());
        window.put(Figure.ABORT_P10_MILLIS, millis(aborts.percentile(10)));
        window.put(Figure.ABORT_P90_MILLIS, millis(aborts.percentile(90)));
        window.put(
                Figure.LARGEST_HEAD, figures.largeHeads().minus(first.heads()).max());
        return window;
    }

    private long peak(Figure figure) {
        return marks.stream()
                .mapToLong(mark -> mark.sums().getOrDefault(figure, 0L))
                .max()
                .orElse(0);
    }

    private static long millis(long nanos) {
        return Math.round(Figures.millis(nanos));
    }

    private Map<Figure, Long> sums(Figures figures) {
        Map<Figure, Long> sums = new EnumMap<>(sampled);
        for (Figure figure : Figure.values()) if (observer.get(figure) > 0) sums.put(figure, observer.get(figure));
        sums.put(Figure.REQUESTS, figures.allFinishedRequests());
        sums.put(Figure.REQUESTS_EVER, figures.allFinishedRequests());
        sums.put(Figure.UNKEPT_REQUESTS, figures.unkeptRequests());
        sums.put(Figure.CLOSED_AT_ONCE, figures.closedConnections().getOrDefault("peer_at_once", 0L));
        sums.put(Figure.IDLE_TIMEOUTS, figures.closedConnections().getOrDefault("idle_timeout", 0L));
        sums.put(Figure.CLOSED_CONNECTIONS, figures.openedConnections() - figures.openConnections());
        sums.put(Figure.UNANSWERED_ABORTS, figures.unansweredAborts().count());
        sums.put(Figure.OVERLOADS, figures.refusedRequests().getOrDefault("overload", 0L));
        sums.put(Figure.STREAMED_REQUESTS, figures.streamedRequests());
        sums.put(Figure.GATHERED_REQUESTS, figures.gatheredRequests());
        sums.put(Figure.LARGE_HEADS, figures.largeHeads().count());
        sums.put(Figure.LARGE_HEAD_ENDS, figures.largeHeadEnds());
        sums.put(Figure.MAX_THREADS, (long) figures.threads().max());
        sums.put(Figure.IDLE_TIMEOUT_MILLIS, idleTimeout());
        sums.put(Figure.SLOW_LOG_MILLIS, slowLogThreshold());
        sums.put(Figure.MAX_REQUESTS, figures.maxRequests());
        return sums;
    }

    private long idleTimeout() {
        return Figures.connectors(server).stream()
                .map(AbstractConnector.class::cast)
                .mapToLong(AbstractConnector::getIdleTimeout)
                .min()
                .orElse(0);
    }

    private long slowLogThreshold() {
        return Figures.factories(server).stream()
                .mapToLong(FastCGIConnectionFactory::getSlowLogThreshold)
                .max()
                .orElse(0);
    }

    /** {@return the path of the socket that there is, or of the one that there could be} */
    private String socket() {
        for (Connector connector : server.getConnectors())
            if (connector instanceof FastCGIUnixConnector unix && unix.getLocalSocketAddress() != null)
                return unix.getLocalSocketAddress().toString();
        return System.getProperty("jetty.base", "$JETTY_BASE") + "/run/fastcgi.sock";
    }
}

package io.github.jettyfastcgi.status;

import io.github.jettyfastcgi.server.FastCGIUnixConnector;
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
    private static final double P99 = 99;

    private static final Set<Figure> PEAKS = EnumSet.of(Figure.PEAK_BUSY_THREADS, Figure.PEAK_RUNNING_REQUESTS);
    private static final Set<Figure> STATES = EnumSet.of(
            Figure.LARGEST_HEAD,
            Figure.P99_MILLIS,
            Figure.IDLE_TIMEOUT_MILLIS,
            Figure.MAX_REQUESTS,
            Figure.MAX_THREADS);

    private final Server server;
    private final RequestObserver observer;
    private final Deque<Map<Figure, Long>> marks = new ArrayDeque<>();

    /** Of all samples, but the peaks of those since the last mark. */
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
        marks.addLast(sums(figures));
        PEAKS.forEach(sampled::remove);
    }

    /** {@return what there is to advise} */
    List<Advice> advice(Figures figures) {
        return Rule.checkAll(new Observations(observer.webServer(), socket(), window(figures)));
    }

    private synchronized Map<Figure, Long> window(Figures figures) {
        Map<Figure, Long> window = sums(figures);
        Map<Figure, Long> first = marks.isEmpty() ? Map.of() : marks.getFirst();
        window.replaceAll((figure, value) -> {
            if (STATES.contains(figure)) return value;
            if (!PEAKS.contains(figure)) return value - first.getOrDefault(figure, 0L);
            return Math.max(
                    value,
                    marks.stream()
                            .mapToLong(mark -> mark.getOrDefault(figure, 0L))
                            .max()
                            .orElse(0));
        });
        return window;
    }

    private Map<Figure, Long> sums(Figures figures) {
        Map<Figure, Long> sums = new EnumMap<>(sampled);
        for (Figure figure : Figure.values()) if (observer.get(figure) > 0) sums.put(figure, observer.get(figure));
        sums.put(Figure.REQUESTS, figures.allFinishedRequests());
        sums.put(Figure.UNKEPT_REQUESTS, figures.unkeptRequests());
        sums.put(Figure.CLOSED_AT_ONCE, figures.closedConnections().getOrDefault("peer_at_once", 0L));
        sums.put(Figure.IDLE_TIMEOUTS, figures.closedConnections().getOrDefault("idle_timeout", 0L));
        sums.put(Figure.CLOSED_CONNECTIONS, figures.openedConnections() - figures.openConnections());
        sums.put(Figure.ABORTED_REQUESTS, figures.abortedRequests());
        sums.put(Figure.OVERLOADS, figures.refusedRequests().getOrDefault("overload", 0L));
        sums.put(Figure.STREAMED_REQUESTS, figures.streamedRequests());
        sums.put(Figure.GATHERED_REQUESTS, figures.gatheredRequests());
        sums.put(Figure.LARGE_HEADS, figures.largeHeads());
        sums.put(Figure.LARGE_HEAD_ENDS, figures.largeHeadEnds());
        sums.put(Figure.LARGEST_HEAD, figures.largestHead());
        sums.put(
                Figure.P99_MILLIS,
                Math.round(Figures.millis(figures.totalTimes().percentile(P99))));
        sums.put(Figure.MAX_THREADS, (long) figures.threads().max());
        sums.put(Figure.IDLE_TIMEOUT_MILLIS, idleTimeout());
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

    /** {@return the path of the socket that there is, or of the one that there could be} */
    private String socket() {
        for (Connector connector : server.getConnectors())
            if (connector instanceof FastCGIUnixConnector unix && unix.getUnixDomainPath() != null)
                return unix.getUnixDomainPath().toString();
        return System.getProperty("jetty.base", "$JETTY_BASE") + "/run/fastcgi.sock";
    }
}

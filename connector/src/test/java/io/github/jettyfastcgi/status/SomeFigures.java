package io.github.jettyfastcgi.status;

import io.github.jettyfastcgi.server.Histogram;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Figures of which no two are the same, so that none can be taken for another; each may be changed. */
final class SomeFigures {
    long epochMillis = 1_700_000_000_000L;
    long refusedConnections = 9;
    long openedConnections = 50;
    long openConnections = 12;
    final Map<String, Long> closedConnections = new TreeMap<>(Map.of("peer", 30L, "idle_timeout", 8L));
    final Histogram requestsPerConnection = new Histogram();
    long runningRequests = 11;
    long maxRequests = 1024;
    long waitingForThread = 2;
    long queuedRequests = 3;
    long maxQueuedRequests = 512;
    final Map<String, Long> finishedRequests = new TreeMap<>(Map.of("2xx", 700L, "4xx", 40L, "5xx", 5L));
    final Map<String, Long> refusedRequests = new TreeMap<>(Map.of("overload", 6L, "unknown_role", 4L));
    long abortedRequests = 21;
    final Histogram unansweredAborts = new Histogram();
    long unkeptRequests = 22;
    long contentLengthMismatches = 23;
    long streamedRequests = 25;
    long gatheredRequests = 24;
    final Histogram largeHeads = new Histogram();
    long largeHeadEnds = 26;
    final Map<String, Long> protocolErrors = new TreeMap<>(Map.of("unsupported_version", 27L));
    long bytesIn = 100_000;
    long bytesOut = 200_000;
    final Histogram firstByteTimes = new Histogram();
    final Histogram totalTimes = new Histogram();
    ThreadFigures threads = new ThreadFigures(190, 60, 41, 19, 7);
    final List<ConnectorFigures> connectors = new ArrayList<>();

    /** {@return figures with a connector, and with times and counts that lie at the bounds of their buckets} */
    static SomeFigures complete() {
        SomeFigures figures = new SomeFigures();
        for (int i = 1; i <= 64; i++) figures.requestsPerConnection.record(i);
        figures.firstByteTimes.record(1L << 21);
        figures.totalTimes.record(1L << 20);
        for (int i = 0; i < 9; i++) figures.totalTimes.record(1L << 22);
        for (int i = 0; i < 8; i++) figures.totalTimes.record(1L << 24);
        figures.totalTimes.record(1L << 25);
        figures.totalTimes.record(1L << 26);
        figures.connectors.add(new ConnectorFigures("fastcgi-unix", "/run/f.sock", OptionalInt.of(28)));
        figures.connectors.add(new ConnectorFigures("fastcgi-tcp", null, OptionalInt.empty()));
        return figures;
    }

    SomeFigures abortsAfter(int count, long millis) {
        for (int i = 0; i < count; i++) unansweredAborts.record(TimeUnit.MILLISECONDS.toNanos(millis));
        return this;
    }

    Figures get() {
        return new Figures(
                epochMillis,
                refusedConnections,
                openedConnections,
                openConnections,
                new TreeMap<>(closedConnections),
                requestsPerConnection.snapshot(),
                runningRequests,
                maxRequests,
                waitingForThread,
                queuedRequests,
                maxQueuedRequests,
                new TreeMap<>(finishedRequests),
                new TreeMap<>(refusedRequests),
                abortedRequests,
                unansweredAborts.snapshot(),
                unkeptRequests,
                contentLengthMismatches,
                streamedRequests,
                gatheredRequests,
                largeHeads.snapshot(),
                largeHeadEnds,
                new TreeMap<>(protocolErrors),
                bytesIn,
                bytesOut,
                firstByteTimes.snapshot(),
                totalTimes.snapshot(),
                threads,
                List.copyOf(connectors));
    }
}

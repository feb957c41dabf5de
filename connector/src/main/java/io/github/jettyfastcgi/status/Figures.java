package io.github.jettyfastcgi.status;

import io.github.jettyfastcgi.server.Counters;
import io.github.jettyfastcgi.server.FastCGIConnectionFactory;
import io.github.jettyfastcgi.server.Histogram;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;

/**
 * All figures of a server's FastCGI connectors, as they were at one time. Running requests may wait for a thread, queued ones
 * wait for others to end, since no more may run; limits are 0 where there are none. What is counted is counted from the
 * start on. Times are in nanoseconds.
 */
record Figures(
        long epochMillis,
        long refusedConnections,
        long openedConnections,
        long openConnections,
        Map<String, Long> closedConnections,
        Histogram.Snapshot requestsPerConnection,
        long runningRequests,
        long maxRequests,
        long waitingForThread,
        long queuedRequests,
        long maxQueuedRequests,
        Map<String, Long> finishedRequests,
        Map<String, Long> refusedRequests,
        long abortedRequests,
        Histogram.Snapshot unansweredAborts,
        long unkeptRequests,
        long contentLengthMismatches,
        long streamedRequests,
        long gatheredRequests,
        Histogram.Snapshot largeHeads,
        long largeHeadEnds,
        Map<String, Long> protocolErrors,
        long bytesIn,
        long bytesOut,
        Histogram.Snapshot firstByteTimes,
        Histogram.Snapshot totalTimes,
        ThreadFigures threads,
        List<ConnectorFigures> connectors) {
    private static final double NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    /** {@return the figures as they are now} */
    static Figures of(Server server) {
        List<FastCGIConnectionFactory> factories = factories(server);
        Sums sums = new Sums(
                factories.stream().map(FastCGIConnectionFactory::getCounters).toList());
        return new Figures(
                System.currentTimeMillis(),
                sums.of(Counters::refusedConnections),
                sums.of(Counters::openedConnections),
                sums.of(Counters::openConnections),
                sums.ofMaps(Counters::closedConnectionsByReason),
                sums.ofHistograms(Counters::requestsPerConnection),
                factories.stream()
                        .mapToLong(FastCGIConnectionFactory::getRunningRequests)
                        .sum(),
                limit(factories, FastCGIConnectionFactory::getMaxRequests),
                sums.of(Counters::requestsWaitingForThread),
                factories.stream()
                        .mapToLong(FastCGIConnectionFactory::getQueuedRequests)
                        .sum(),
                factories.stream()
                        .mapToLong(FastCGIConnectionFactory::getMaxQueuedRequests)
                        .sum(),
                sums.ofMaps(Counters::finishedRequestsByStatus),
                sums.ofMaps(Counters::refusedRequestsByReason),
                sums.of(Counters::abortedRequests),
                sums.ofHistograms(Counters::unansweredAborts),
                sums.of(Counters::unkeptRequests),
                sums.of(Counters::contentLengthMismatches),
                sums.of(Counters::streamedRequests),
                sums.of(Counters::gatheredRequests),
                sums.ofHistograms(Counters::largeHeadSizes),
                sums.of(Counters::largeHeadEnds),
                sums.ofMaps(Counters::protocolErrorsByReason),
                sums.of(Counters::bytesIn),
                sums.of(Counters::bytesOut),
                sums.ofHistograms(Counters::firstByteTimes),
                sums.ofHistograms(Counters::totalTimes),
                ThreadFigures.of(server.getThreadPool()),
                connectors(server).stream().map(ConnectorFigures::of).toList());
    }

    /** {@return the sum of a limit, which is none where one of the factories has none} */
    private static long limit(
            List<FastCGIConnectionFactory> factories, ToLongFunction<FastCGIConnectionFactory> limitOf) {
        if (factories.stream().anyMatch(each -> limitOf.applyAsLong(each) == 0)) return 0;
        return factories.stream().mapToLong(limitOf).sum();
    }

    /** {@return the factories of a server's FastCGI connectors, each once} */
    static List<FastCGIConnectionFactory> factories(Server server) {
        Set<FastCGIConnectionFactory> factories = new LinkedHashSet<>();
        for (Connector connector : server.getConnectors())
            connector.getConnectionFactories().forEach(each -> {
                if (each instanceof FastCGIConnectionFactory factory) factories.add(factory);
            });
        return List.copyOf(factories);
    }

    /** {@return the connectors of a server that speak FastCGI} */
    static List<Connector> connectors(Server server) {
        List<Connector> connectors = new ArrayList<>();
        for (Connector connector : server.getConnectors())
            if (connector.getConnectionFactory(FastCGIConnectionFactory.class) != null) connectors.add(connector);
        return connectors;
    }

    /** {@return how many requests are finished} */
    long allFinishedRequests() {
        return sum(finishedRequests);
    }

    /** {@return nanoseconds in milliseconds} */
    static double millis(double nanos) {
        return nanos / NANOS_PER_MILLI;
    }

    private static long sum(Map<String, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Adds up what several factories have counted. */
    private record Sums(List<Counters> counters) {
        long of(ToLongFunction<Counters> figure) {
            return counters.stream().mapToLong(figure).sum();
        }

        Map<String, Long> ofMaps(Function<Counters, Map<String, Long>> figure) {
            Map<String, Long> sums = new TreeMap<>();
            for (Counters each : counters)
                figure.apply(each).forEach((key, value) -> sums.merge(key, value, Long::sum));
            return sums;
        }

        Histogram.Snapshot ofHistograms(Function<Counters, Histogram.Snapshot> figure) {
            return counters.stream()
                    .map(figure)
                    .reduce(Histogram.Snapshot::plus)
                    .orElseGet(() -> new Histogram().snapshot());
        }
    }
}

package io.github.jettyfastcgi.status;

import io.github.jettyfastcgi.server.Histogram;
import io.github.jettyfastcgi.server.RunningRequest;
import io.github.jettyfastcgi.status.advice.Advice;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;

/** All figures as JSON, for the page and for programs. Times are in milliseconds. */
final class JsonReport {
    static final String TYPE = "application/json";

    private static final int[] PERCENTS = {50, 90, 95, 99};

    private JsonReport() {}

    static String of(
            Figures figures,
            Map<String, ?> history,
            List<Advice> advice,
            List<RunningRequest> running,
            boolean withQueries) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("time", figures.epochMillis());
        report.put("connections", connections(figures));
        report.put("requests", requests(figures));
        report.put("bytes", bytes(figures));
        report.put("protocolErrors", figures.protocolErrors());
        report.put("firstByteMillis", distribution(figures.firstByteTimes(), Figures::millis));
        report.put("totalMillis", distribution(figures.totalTimes(), Figures::millis));
        report.put("threads", threads(figures.threads()));
        report.put(
                "connectors",
                figures.connectors().stream().map(JsonReport::connector).toList());
        report.put(
                "running",
                running.stream().map(each -> running(each, withQueries)).toList());
        report.put("advice", advice.stream().map(JsonReport::advice).toList());
        report.put("history", history);
        return Json.of(report);
    }

    private static Map<String, Object> connections(Figures figures) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("open", figures.openConnections());
        map.put("opened", figures.openedConnections());
        map.put("refused", figures.refusedConnections());
        map.put("closed", figures.closedConnections());
        map.put("requestsPerConnection", distribution(figures.requestsPerConnection(), value -> value));
        return map;
    }

    private static Map<String, Object> requests(Figures figures) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("running", figures.runningRequests());
        map.put("maxRunning", figures.maxRequests());
        map.put("waitingForThread", figures.waitingForThread());
        map.put("queued", figures.queuedRequests());
        map.put("maxQueued", figures.maxQueuedRequests());
        map.put("finished", figures.allFinishedRequests());
        map.put("byStatus", figures.finishedRequests());
        map.put("aborted", figures.abortedRequests());
        map.put("refused", figures.refusedRequests());
        map.put("unkept", figures.unkeptRequests());
        map.put("contentLengthMismatches", figures.contentLengthMismatches());
        return map;
    }

    private static Map<String, Object> bytes(Figures figures) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("in", figures.bytesIn());
        map.put("out", figures.bytesOut());
        return map;
    }

    private static Map<String, Object> threads(ThreadFigures threads) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("max", threads.max());
        map.put("current", threads.current());
        map.put("busy", threads.busy());
        map.put("idle", threads.idle());
        map.put("queue", threads.queue());
        return map;
    }

    private static Map<String, Object> connector(ConnectorFigures connector) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", connector.name());
        map.put("address", connector.address());
        map.put("backlog", connector.backlog().isPresent() ? connector.backlog().getAsInt() : null);
        return map;
    }

    private static Map<String, Object> advice(Advice advice) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("severity", advice.severity().name().toLowerCase(Locale.ROOT));
        map.put("title", advice.title());
        map.put("figure", advice.figure());
        map.put("where", advice.where());
        map.put("change", advice.change());
        return map;
    }

    private static Map<String, Object> running(RunningRequest request, boolean withQueries) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("method", request.method());
        map.put("path", request.path());
        if (withQueries) map.put("query", request.query());
        map.put("client", request.client());
        map.put("ageMillis", Figures.millis(request.nanos()));
        map.put("thread", request.thread());
        map.put("state", request.state().name().toLowerCase(Locale.ROOT));
        map.put("responseBegun", request.isCommitted());
        return map;
    }

    private static Map<String, Object> distribution(Histogram.Snapshot histogram, DoubleUnaryOperator unit) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("mean", unit.applyAsDouble(histogram.mean()));
        for (int percent : PERCENTS) map.put("p" + percent, unit.applyAsDouble(histogram.percentile(percent)));
        map.put("max", unit.applyAsDouble(histogram.max()));
        return map;
    }
}

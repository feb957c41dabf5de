package io.github.jettyfastcgi.status;

import io.github.jettyfastcgi.server.Histogram;
import io.github.jettyfastcgi.server.RunningRequest;
import io.github.jettyfastcgi.status.advice.Advice;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** All figures and every running request as text, a name and a value on each line, to be read by people and by grep. */
final class TextReport {
    static final String TYPE = "text/plain;charset=utf-8";

    private static final String SEPARATOR = "\n************************\n";
    private static final int NAME_WIDTH = 32;

    private final StringBuilder out = new StringBuilder();

    private TextReport() {}

    static String of(Figures figures, List<Advice> advice, List<RunningRequest> running, boolean withQueries) {
        TextReport report = new TextReport();
        report.figures(figures);
        for (Advice each : advice) report.advice(each);
        for (RunningRequest request : running) report.running(request, withQueries);
        return report.out.toString();
    }

    private void figures(Figures figures) {
        line("time", Instant.ofEpochMilli(figures.epochMillis()));
        line("open connections", figures.openConnections());
        line("opened connections", figures.openedConnections());
        line("refused connections", figures.refusedConnections());
        lines("closed connections", figures.closedConnections());
        line(
                "requests per connection",
                String.format(
                        Locale.ROOT, "%.1f", figures.requestsPerConnection().mean()));
        line("running requests", figures.runningRequests());
        line("running requests, max", figures.maxRequests() == 0 ? "any" : figures.maxRequests());
        line("requests waiting for a thread", figures.waitingForThread());
        line("queued requests", figures.queuedRequests());
        line("queued requests, max", figures.maxQueuedRequests());
        line("finished requests", figures.allFinishedRequests());
        lines("finished requests", figures.finishedRequests());
        lines("refused requests", figures.refusedRequests());
        line("aborted requests", figures.abortedRequests());
        line("unkept requests", figures.unkeptRequests());
        line("content length mismatches", figures.contentLengthMismatches());
        lines("protocol errors", figures.protocolErrors());
        line("bytes in", figures.bytesIn());
        line("bytes out", figures.bytesOut());
        times("time to first byte", figures.firstByteTimes());
        times("total time", figures.totalTimes());
        line("threads, max", figures.threads().max());
        line("threads, busy", figures.threads().busy());
        line("threads, idle", figures.threads().idle());
        line("threads, queue", figures.threads().queue());
        for (ConnectorFigures connector : figures.connectors()) {
            line(connector.name() + ", address", connector.address() == null ? "none" : connector.address());
            line(
                    connector.name() + ", backlog",
                    connector.backlog().isPresent() ? connector.backlog().getAsInt() : "unknown");
        }
    }

    private void advice(Advice advice) {
        out.append(SEPARATOR);
        line("advice", advice.severity().name().toLowerCase(Locale.ROOT));
        out.append(advice.title()).append('\n').append(advice.figure()).append('\n');
        out.append(advice.where()).append('\n').append(advice.change().indent(4));
    }

    private void running(RunningRequest request, boolean withQueries) {
        String query = withQueries && request.query() != null ? "?" + request.query() : "";
        out.append(SEPARATOR);
        line("method", request.method());
        line("path", request.path() + query);
        line("client", request.client() == null ? "unknown" : request.client());
        line("age, ms", millis(request.nanos()));
        line("thread", request.thread() == null ? "none" : request.thread());
        line("state", request.state().name().toLowerCase(Locale.ROOT));
        line("response begun", request.isCommitted() ? "yes" : "no");
    }

    private void times(String name, Histogram.Snapshot times) {
        line(name + ", mean, ms", millis(times.mean()));
        for (int percent : new int[] {50, 90, 95, 99})
            line(name + ", p" + percent + ", ms", millis(times.percentile(percent)));
        line(name + ", max, ms", millis(times.max()));
    }

    private void lines(String name, Map<String, Long> counts) {
        counts.forEach((key, count) -> line(name + ", " + key.replace('_', ' '), count));
    }

    /** Nothing ends the line, or gives orders to the terminal that shows it, as control characters and their kin do. */
    private void line(String name, Object value) {
        String text = String.valueOf(value).replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]", "?");
        out.append(String.format("%-" + NAME_WIDTH + "s %s%n", name + ":", text));
    }

    private static String millis(double nanos) {
        return String.format(Locale.ROOT, "%.3f", Figures.millis(nanos));
    }
}

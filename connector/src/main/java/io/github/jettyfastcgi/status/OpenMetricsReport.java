package io.github.jettyfastcgi.status;

import io.github.jettyfastcgi.server.Histogram;
import java.math.BigDecimal;
import java.util.Map;

/**
 * All figures as OpenMetrics 1.0 text, which Prometheus reads: times in seconds, sizes in bytes, counters that end with
 * {@code _total}. The bounds of histograms are powers of two, of nanoseconds for times, for which their counts are exact.
 */
final class OpenMetricsReport {
    static final String TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    /** From 131 microseconds to 69 seconds. */
    private static final int MIN_TIME_BITS = 17;

    private static final int MAX_TIME_BITS = 36;

    private static final int MAX_COUNT_BITS = 14;
    private static final int NANO_DIGITS = 9;

    private final StringBuilder out = new StringBuilder();

    private OpenMetricsReport() {}

    static String of(Figures figures) {
        OpenMetricsReport report = new OpenMetricsReport();
        report.connections(figures);
        report.requests(figures);
        report.threads(figures);
        return report.out.append("# EOF\n").toString();
    }

    private void connections(Figures figures) {
        gauge("connections", "Connections that are open.", figures.openConnections());
        counter("connections_opened", "Connections that were opened.", figures.openedConnections());
        counter("connections_refused", "Connections of peers that may not connect.", figures.refusedConnections());
        counters("connections_closed", "Connections that were closed.", "reason", figures.closedConnections());
        histogram(
                "connection_requests",
                "Requests that a closed connection has carried.",
                figures.requestsPerConnection(),
                0,
                MAX_COUNT_BITS,
                0);
        counters(
                "protocol_errors",
                "Connections closed because of bytes that are no FastCGI.",
                "reason",
                figures.protocolErrors());
        family("connector_backlog", "gauge", "Connections that wait to be accepted, where the system tells.");
        for (ConnectorFigures connector : figures.connectors())
            connector
                    .backlog()
                    .ifPresent(backlog -> sample("connector_backlog", label("connector", connector.name()), backlog));
    }

    private void requests(Figures figures) {
        gauge("requests_running", "Requests that are running.", figures.runningRequests());
        gauge("requests_running_max", "Requests that may run at a time, 0 for any number.", figures.maxRequests());
        gauge(
                "requests_waiting_for_thread",
                "Requests of the running ones that wait for a thread.",
                figures.waitingForThread());
        gauge("requests_queued", "Requests that wait for others to end.", figures.queuedRequests());
        gauge("requests_queued_max", "Requests that may wait for others to end.", figures.maxQueuedRequests());
        counters(
                "requests",
                "Requests that are finished, by the class of their status.",
                "status",
                figures.finishedRequests());
        counters("requests_refused", "Requests answered without any handler.", "reason", figures.refusedRequests());
        counter("requests_aborted", "Requests whose web server aborted them or went away.", figures.abortedRequests());
        counter("requests_unkept", "Requests whose web server does not keep the connection.", figures.unkeptRequests());
        counter(
                "content_length_mismatches",
                "Requests with more or less content than their CONTENT_LENGTH.",
                figures.contentLengthMismatches());
        bytes("received_bytes", "Bytes received.", figures.bytesIn());
        bytes("sent_bytes", "Bytes given to the system to be sent.", figures.bytesOut());
        times("first_byte_seconds", "Time from BEGIN_REQUEST to the head of the response.", figures.firstByteTimes());
        times("request_duration_seconds", "Time from BEGIN_REQUEST to the end of the request.", figures.totalTimes());
    }

    private void threads(Figures figures) {
        ThreadFigures threads = figures.threads();
        family("threads", "gauge", "Threads of the server's pool that handle requests.");
        sample("threads", label("state", "busy"), threads.busy());
        sample("threads", label("state", "idle"), threads.idle());
        gauge("threads_max", "Threads that may handle requests, 0 if the pool does not tell.", threads.max());
        gauge("threads_queue", "Tasks that wait for a thread of the pool.", threads.queue());
    }

    private void family(String name, String type, String help) {
        out.append("# TYPE fastcgi_").append(name).append(' ').append(type).append('\n');
        out.append("# HELP fastcgi_").append(name).append(' ').append(help).append('\n');
    }

    private void sample(String name, String labels, Object value) {
        out.append("fastcgi_")
                .append(name)
                .append(labels)
                .append(' ')
                .append(value)
                .append('\n');
    }

    private void gauge(String name, String help, long value) {
        family(name, "gauge", help);
        sample(name, "", value);
    }

    private void counter(String name, String help, long value) {
        family(name, "counter", help);
        sample(name + "_total", "", value);
    }

    private void counters(String name, String help, String label, Map<String, Long> values) {
        family(name, "counter", help);
        values.forEach((key, value) -> sample(name + "_total", label(label, key), value));
    }

    private void bytes(String name, String help, long value) {
        family(name, "counter", help);
        unit(name, "bytes");
        sample(name + "_total", "", value);
    }

    private void times(String name, String help, Histogram.Snapshot histogram) {
        histogram(name, help, histogram, MIN_TIME_BITS, MAX_TIME_BITS, NANO_DIGITS);
    }

    /**
     * Writes a histogram.
     *
     * @param minBits the first bound is 2 to the power of this
     * @param maxBits the last bound
     * @param digits how many digits of the values are behind the decimal point: 9 makes seconds of nanoseconds
     */
    private void histogram(
            String name, String help, Histogram.Snapshot histogram, int minBits, int maxBits, int digits) {
        family(name, "histogram", help);
        if (digits > 0) unit(name, "seconds");
        for (int bits = minBits; bits <= maxBits; bits++) {
            long bound = 1L << bits;
            sample(name + "_bucket", label("le", decimal(bound, digits)), histogram.countUpTo(bound));
        }
        sample(name + "_bucket", label("le", "+Inf"), histogram.count());
        sample(name + "_count", "", histogram.count());
        sample(name + "_sum", "", decimal(histogram.sum(), digits));
    }

    private void unit(String name, String unit) {
        out.append("# UNIT fastcgi_").append(name).append(' ').append(unit).append('\n');
    }

    /** {@return a number with a fraction, as the bounds have to have} */
    private static String decimal(long value, int digits) {
        String text = BigDecimal.valueOf(value, digits).stripTrailingZeros().toPlainString();
        return text.contains(".") ? text : text + ".0";
    }

    private static String label(String name, String value) {
        String escaped = value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
        return "{" + name + "=\"" + escaped + "\"}";
    }
}

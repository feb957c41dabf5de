package io.github.jettyfastcgi.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What a published parser makes of it is tested with a real web server. */
class OpenMetricsReportTest {
    private final SomeFigures figures = new SomeFigures();

    @Test
    void timesAreSecondsInCumulativeBucketsWhoseCountsAreExact() {
        figures.totalTimes.record(1L << 20);
        figures.totalTimes.record((1L << 20) + 1);
        figures.totalTimes.record(3_000_000_000L);
        figures.totalTimes.record(100_000_000_000L);

        String text = OpenMetricsReport.of(figures.get());

        assertThat(text)
                .contains(
                        "# TYPE fastcgi_request_duration_seconds histogram\n",
                        "# UNIT fastcgi_request_duration_seconds seconds\n",
                        "fastcgi_request_duration_seconds_bucket{le=\"0.000524288\"} 0\n",
                        "fastcgi_request_duration_seconds_bucket{le=\"0.001048576\"} 1\n",
                        "fastcgi_request_duration_seconds_bucket{le=\"0.002097152\"} 2\n",
                        "fastcgi_request_duration_seconds_bucket{le=\"4.294967296\"} 3\n",
                        "fastcgi_request_duration_seconds_bucket{le=\"+Inf\"} 4\n",
                        "fastcgi_request_duration_seconds_count 4\n",
                        "fastcgi_request_duration_seconds_sum 103.002097153\n")
                .endsWith("\n# EOF\n");
    }

    @Test
    void hasEachFigureUnderItsName() {
        String text = OpenMetricsReport.of(SomeFigures.complete().get());

        assertThat(text.lines().filter(line -> !line.startsWith("#") && !line.contains("_bucket{")))
                .containsExactlyElementsOf("""
                        fastcgi_connections 12
                        fastcgi_connections_opened_total 50
                        fastcgi_connections_refused_total 9
                        fastcgi_connections_closed_total{reason="idle_timeout"} 8
                        fastcgi_connections_closed_total{reason="peer"} 30
                        fastcgi_connection_requests_count 64
                        fastcgi_connection_requests_sum 2080.0
                        fastcgi_protocol_errors_total{reason="unsupported_version"} 27
                        fastcgi_connector_backlog{connector="fastcgi-unix"} 28
                        fastcgi_requests_running 11
                        fastcgi_requests_running_max 1024
                        fastcgi_requests_waiting_for_thread 2
                        fastcgi_requests_queued 3
                        fastcgi_requests_queued_max 512
                        fastcgi_requests_total{status="2xx"} 700
                        fastcgi_requests_total{status="4xx"} 40
                        fastcgi_requests_total{status="5xx"} 5
                        fastcgi_requests_refused_total{reason="overload"} 6
                        fastcgi_requests_refused_total{reason="unknown_role"} 4
                        fastcgi_requests_aborted_total 21
                        fastcgi_requests_unkept_total 22
                        fastcgi_content_length_mismatches_total 23
                        fastcgi_received_bytes_total 100000
                        fastcgi_sent_bytes_total 200000
                        fastcgi_first_byte_seconds_count 1
                        fastcgi_first_byte_seconds_sum 0.002097152
                        fastcgi_request_duration_seconds_count 20
                        fastcgi_request_duration_seconds_sum 0.273678336
                        fastcgi_threads{state="busy"} 41
                        fastcgi_threads{state="idle"} 19
                        fastcgi_threads_max 190
                        fastcgi_threads_queue 7
                        """.lines().toList());
        assertThat(text.lines().filter(line -> line.startsWith("fastcgi_first_byte_seconds_bucket")))
                .hasSize(21)
                .startsWith("fastcgi_first_byte_seconds_bucket{le=\"0.000131072\"} 0")
                .endsWith(
                        "fastcgi_first_byte_seconds_bucket{le=\"68.719476736\"} 1",
                        "fastcgi_first_byte_seconds_bucket{le=\"+Inf\"} 1");
    }

    @Test
    void countsAreNumbersWithAFraction() {
        figures.requestsPerConnection.record(3);

        assertThat(OpenMetricsReport.of(figures.get()))
                .contains(
                        "fastcgi_connection_requests_bucket{le=\"2.0\"} 0\n",
                        "fastcgi_connection_requests_bucket{le=\"4.0\"} 1\n",
                        "fastcgi_connection_requests_sum 3.0\n");
    }

    @Test
    void labelsAreEscapedAndUnknownBacklogsLeftOut() {
        figures.connectors.add(new ConnectorFigures("a \"b\\c\"\n", null, OptionalInt.of(4)));
        figures.connectors.add(new ConnectorFigures("unknown", null, OptionalInt.empty()));

        String text = OpenMetricsReport.of(figures.get());

        assertThat(text)
                .contains("fastcgi_connector_backlog{connector=\"a \\\"b\\\\c\\\"\\n\"} 4\n")
                .doesNotContain("connector=\"unknown");
    }

    @Test
    void everyLineIsWellFormed() {
        Pattern line = Pattern.compile(
                "# (TYPE|UNIT|HELP) fastcgi_[a-z_]+ .+|fastcgi_[a-z_]+(\\{[a-z]+=\"[^\"]*\"\\})? [0-9.]+|# EOF");

        assertThat(OpenMetricsReport.of(SomeFigures.complete().get()).lines())
                .allMatch(each -> line.matcher(each).matches());
    }
}

package io.github.jettyfastcgi.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.jettyfastcgi.server.Histogram;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What a published parser makes of it is tested with a real web server. */
class OpenMetricsReportTest {
    private static final Histogram EMPTY = new Histogram();

    private static Figures figures(Histogram times, Histogram perConnection, ConnectorFigures... connectors) {
        return new Figures(
                0,
                9,
                5,
                3,
                Map.of("peer", 2L),
                perConnection.snapshot(),
                1,
                1024,
                2,
                3,
                512,
                Map.of("2xx", 7L),
                Map.of(),
                0,
                EMPTY.snapshot(),
                0,
                0,
                0,
                0,
                EMPTY.snapshot(),
                0,
                Map.of(),
                100,
                200,
                EMPTY.snapshot(),
                times.snapshot(),
                new ThreadFigures(16, 20, 4, 12, 0),
                List.of(connectors));
    }

    @Test
    void timesAreSecondsInCumulativeBucketsWhoseCountsAreExact() {
        Histogram times = new Histogram();
        times.record(1L << 20);
        times.record((1L << 20) + 1);
        times.record(3_000_000_000L);
        times.record(100_000_000_000L);

        String text = OpenMetricsReport.of(figures(times, EMPTY));

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
    void refusedConnectionsAreNoneOfTheOpenedOnes() {
        assertThat(OpenMetricsReport.of(figures(EMPTY, EMPTY)))
                .contains("fastcgi_connections_refused_total 9\n", "fastcgi_connections_opened_total 5\n");
    }

    @Test
    void countsAreNumbersWithAFraction() {
        Histogram perConnection = new Histogram();
        perConnection.record(3);

        assertThat(OpenMetricsReport.of(figures(EMPTY, perConnection)))
                .contains(
                        "fastcgi_connection_requests_bucket{le=\"2.0\"} 0\n",
                        "fastcgi_connection_requests_bucket{le=\"4.0\"} 1\n",
                        "fastcgi_connection_requests_sum 3.0\n");
    }

    @Test
    void labelsAreEscapedAndUnknownBacklogsLeftOut() {
        String text = OpenMetricsReport.of(figures(
                EMPTY,
                EMPTY,
                new ConnectorFigures("a \"b\\c\"\n", null, OptionalInt.of(4)),
                new ConnectorFigures("unknown", null, OptionalInt.empty())));

        assertThat(text)
                .contains("fastcgi_connector_backlog{connector=\"a \\\"b\\\\c\\\"\\n\"} 4\n")
                .doesNotContain("unknown");
    }

    @Test
    void everyLineIsWellFormed() {
        Pattern line = Pattern.compile(
                "# (TYPE|UNIT|HELP) fastcgi_[a-z_]+ .+" + "|fastcgi_[a-z_]+(\\{[a-z]+=\"[^\"]*\"\\})? [0-9.]+|# EOF");

        assertThat(OpenMetricsReport.of(figures(EMPTY, EMPTY)).lines())
                .allMatch(each -> line.matcher(each).matches());
    }
}

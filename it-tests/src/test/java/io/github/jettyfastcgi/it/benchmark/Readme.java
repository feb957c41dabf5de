package io.github.jettyfastcgi.it.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Writes the README's section on speed anew, between its marks, and the chart that it shows. */
final class Readme {
    private static final Path README = Path.of("../README.md");
    private static final Path CHART = Path.of("speed.svg");
    private static final String BEGIN = "<!-- written by mvn -Pbenchmark -Dbenchmark.readme=true -->\n";
    private static final String END = "<!-- end of what is written -->\n";

    private static final Cell CELL = Cell.of(Workload.BROWSER, Cell.USUAL);
    private static final Set<Row> ROWS = EnumSet.of(
            Row.PROXY_TCP,
            Row.PROXY_UNIX,
            Row.PROXY_TCP_UNKEPT,
            Row.JETTY_FCGI_UNIX,
            Row.FASTCGI_TCP,
            Row.FASTCGI_UNIX,
            Row.FASTCGI_UNIX_UNKEPT,
            Row.TOMCAT_HTTP,
            Row.APACHE_AJP,
            Row.APACHE_FASTCGI);
    private static final List<Metric> COLUMNS =
            List.of(Metric.REQUESTS, Metric.APPLICATION_CPU, Metric.FRONT_CPU, Metric.P99, Metric.ALLOCATED);
    private static final List<Metric> CHARTED =
            List.of(Metric.REQUESTS, Metric.APPLICATION_CPU, Metric.TOTAL_CPU, Metric.ALLOCATED);

    private final Options options;
    private final Results results;
    private final List<String> machine;

    Readme(Options options, Results results, List<String> machine) {
        this.options = options;
        this.results = results;
        this.machine = machine;
    }

    void write() throws IOException {
        List<Row> rows = options.rows().stream()
                .filter(row -> ROWS.contains(row) && results.has(row, CELL))
                .toList();
        String text = Files.readString(README);
        int begin = text.indexOf(BEGIN);
        int end = text.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IOException("No place for the figures in " + README);
        }
        Files.writeString(README, text.substring(0, begin + BEGIN.length()) + section(rows) + text.substring(end));
        Files.writeString(CHART, Chart.draw(CELL.label(), rows, CHARTED, (row, metric) -> ratio(row, metric)));
    }

    private String section(List<Row> rows) {
        StringBuilder text = new StringBuilder();
        text.append("\n%s. %s.\n".formatted(CELL.label(), String.join("; ", machine)));
        text.append(
                "Medians of %d interleaved rounds of %d seconds, in parentheses the medians of the ratios to %s.\n\n"
                        .formatted(options.rounds(), options.seconds(), Report.BASE.label()));
        text.append("| |");
        COLUMNS.forEach(column -> text.append(" " + column.label() + " |"));
        text.append("\n|---|" + "---:|".repeat(COLUMNS.size()) + "\n");
        for (Row row : rows) {
            text.append("| " + row.label() + " |");
            COLUMNS.forEach(column -> text.append(" " + figure(row, column) + " |"));
            text.append("\n");
        }
        text.append("\n![%s](it-tests/%s)\n\n".formatted(CELL.label(), CHART.getFileName()));
        return text.toString();
    }

    private String figure(Row row, Metric metric) {
        if (!Report.hasFigure(row, metric)) {
            return "–";
        }
        return "%s (%s)".formatted(Report.number(results.median(row, CELL, metric)), Report.number(ratio(row, metric)));
    }

    private double ratio(Row row, Metric metric) {
        return Report.hasFigure(row, metric) ? results.ratio(row, Report.BASE, CELL, metric) : Double.NaN;
    }
}

package io.github.jettyfastcgi.it.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes what was found: a CSV file of all samples, Markdown with tables, and charts. */
final class Report {
    private static final List<Metric> COLUMNS = List.of(
            Metric.P50,
            Metric.P99,
            Metric.APPLICATION_CPU,
            Metric.FRONT_CPU,
            Metric.TOTAL_CPU,
            Metric.ALLOCATED,
            Metric.GC);
    private static final List<Metric> BULK_COLUMNS =
            List.of(Metric.CPU_PER_MEGABYTE, Metric.FRONT_CPU_PER_MEGABYTE, Metric.ALLOCATED, Metric.GC);

    /** What all ratios refer to. */
    static final Row BASE = Row.PROXY_UNIX;

    private final Options options;
    private final Results results;
    private final List<String> machine;
    private final StringBuilder text = new StringBuilder();

    Report(Options options, Results results, List<String> machine) {
        this.options = options;
        this.results = results;
        this.machine = machine;
    }

    void write() throws IOException {
        writeCsv();
        heading();
        targets();
        for (Cell cell : options.cells()) {
            if (results.has(cell)) {
                table(cell);
            }
        }
        microBenchmarks();
        Path file = Files.writeString(options.output().resolve("report.md"), text);
        if (options.readme()) {
            new Readme(options, results, machine).write();
        }
        System.out.println(text);
        System.out.println("Written to " + file.getParent());
    }

    private void writeCsv() throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add("round,cell,row,errors,"
                + Stream.of(Metric.values()).map(Metric::label).collect(Collectors.joining(",")));
        for (Sample sample : results.samples()) {
            lines.add("%d,%s,%s,%d,"
                            .formatted(
                                    sample.round(),
                                    sample.cell().id(),
                                    sample.row().id(),
                                    sample.load().errors())
                    + Stream.of(Metric.values())
                            .map(metric -> String.format(Locale.ROOT, "%.4f", metric.of(sample)))
                            .collect(Collectors.joining(",")));
        }
        Files.write(options.output().resolve("samples.csv"), lines);
    }

    private void heading() {
        line("# Benchmark");
        line("");
        machine.forEach(line -> line("- " + line));
        line("- Medians of %d interleaved rounds of %d seconds; a row's ratio is the median of its ratios to %s within"
                        .formatted(options.rounds(), options.seconds(), BASE.id())
                + " each round");
        line(
                "- CPU microseconds (us) and bytes are per request; app is the application's process, front the web server's");
        results.leftOut().forEach(what -> line("- Left out: " + what));
        line("");
    }

    private void targets() {
        line("## Targets");
        line("");
        line("| figure | target | measured | |");
        line("|---|---:|---:|---|");
        List<Target> targets = Target.of(results);
        for (Target target : targets) {
            if (target.isMeasured()) {
                line("| %s | %s | %s | %s |"
                        .formatted(
                                target.figure(),
                                target.required(),
                                target.measured(),
                                target.isMet() ? "met" : "**missed**"));
            }
        }
        line("");
        long measured = targets.stream().filter(Target::isMeasured).count();
        long met = targets.stream()
                .filter(target -> target.isMeasured() && target.isMet())
                .count();
        line("%d of %d met, %d not measured.".formatted(met, measured, targets.size() - measured));
        line("");
    }

    private void table(Cell cell) throws IOException {
        boolean isBulk = cell.workload().isBulk();
        Metric speed = isBulk ? Metric.MEGABYTES : Metric.REQUESTS;
        List<Metric> columns = isBulk ? BULK_COLUMNS : COLUMNS;
        Metric cpu = isBulk ? Metric.CPU_PER_MEGABYTE : Metric.APPLICATION_CPU;
        line("## " + cell.id());
        line("");
        line(cell.label() + ".");
        line("");
        line("| row | " + speed.label() + " | ± | ratio | "
                + columns.stream().map(Metric::label).collect(Collectors.joining(" | ")) + " | app CPU ratio |");
        line("|---|" + "---:|".repeat(columns.size() + 4));
        List<Row> rows =
                options.rows().stream().filter(row -> results.has(row, cell)).toList();
        for (Row row : rows) {
            line("| %s: %s | %s | %s | %s | %s | %s |"
                    .formatted(
                            row.id(),
                            row.label(),
                            number(results.median(row, cell, speed)),
                            number(results.deviation(row, cell, speed)),
                            number(results.ratio(row, BASE, cell, speed)),
                            columns.stream()
                                    .map(column -> cellText(row, cell, column))
                                    .collect(Collectors.joining(" | ")),
                            number(results.ratio(row, BASE, cell, cpu))));
        }
        line("");
        if (rows.contains(BASE) && rows.size() > 1) {
            List<Metric> charted =
                    isBulk ? List.of(speed, cpu) : List.of(speed, cpu, Metric.TOTAL_CPU, Metric.ALLOCATED, Metric.P99);
            String name = cell.id() + ".svg";
            Files.writeString(
                    options.output().resolve(name),
                    Chart.draw(
                            cell.label(),
                            rows,
                            charted,
                            (row, metric) ->
                                    hasFigure(row, metric) ? results.ratio(row, BASE, cell, metric) : Double.NaN));
            line("![%s](%s)".formatted(cell.label(), name));
            line("");
        }
    }

    private String cellText(Row row, Cell cell, Metric metric) {
        return hasFigure(row, metric) ? number(results.median(row, cell, metric)) : "–";
    }

    static boolean hasFigure(Row row, Metric metric) {
        boolean isJvm = row.backend() == Row.Backend.JETTY || row.backend() == Row.Backend.TOMCAT;
        return switch (metric) {
            case ALLOCATED, GC -> isJvm;
            case APPLICATION_CPU, CPU_PER_MEGABYTE -> row.backend() != Row.Backend.NONE;
            case FRONT_CPU, FRONT_CPU_PER_MEGABYTE -> row.front() != Row.Front.NONE;
            default -> true;
        };
    }

    private void microBenchmarks() {
        line("## Alone");
        line("");
        line("JMH, microseconds and bytes per operation, and what an idle connection costs.");
        line("");
        line("| figure | |");
        line("|---|---:|");
        results.others().forEach((name, value) -> line("| " + name + " | " + number(value) + " |"));
        line("");
    }

    static String number(double value) {
        if (Double.isNaN(value)) {
            return "–";
        }
        double size = Math.abs(value);
        return String.format(
                Locale.ROOT, size >= 1000 ? "%,.0f" : size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : "%.2f", value);
    }

    private void line(String line) {
        text.append(line).append('\n');
    }
}

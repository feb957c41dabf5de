package io.github.jettyfastcgi.it.benchmark;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Compares ways to an application on real servers, on this machine. {@code mvn -Pbenchmark} runs it; README.md names its
 * options.
 *
 * <p>A round measures every table, and in a table one row directly after another, beginning with another row each time.
 * So whatever else the machine does meanwhile meets all rows alike, and the ratios of a round mean more than its figures.
 */
public final class Benchmark {
    private static final int WARM_UP = 2;
    private static final int LONG_WARM_UP = 6;
    private static final Duration MAX_WARM_UP = Duration.ofMinutes(2);

    /** JVMs that spend less of the time than this on compiling are warm. */
    private static final double WARM = 0.05;

    private final Options options;
    private final Servers servers;
    private final Results results;
    private final Wrk wrk;

    private Benchmark(Options options, Servers servers, Results results) throws IOException {
        this.options = options;
        this.servers = servers;
        this.results = results;
        this.wrk = new Wrk(servers.workDirectory());
    }

    public static void main(String[] arguments) throws Exception {
        Options options = Options.fromProperties();
        Files.createDirectories(options.output());
        Results results = new Results();
        results.leaveOut("fastcgi_pass to jetty-fcgi-server, not kept: it never closes such a connection");
        MicroBenchmarks.read(results);
        try (Servers servers = Servers.start(options, results)) {
            new Benchmark(options, servers, results).run();
        }
        new Report(options, results, Machine.describe()).write();
    }

    private void run() throws IOException, InterruptedException {
        check();
        warmUp();
        if (!options.quick()) {
            say("idle connections");
            IdleConnections.measure(servers.jetty(), servers.fastcgiSocket(), results);
        }
        for (int round = 1; round <= options.rounds(); round++) {
            say("round " + round + " of " + options.rounds());
            round(round);
        }
    }

    /** Makes sure that each row answers what it is asked, once. */
    private void check() throws IOException, InterruptedException {
        for (Cell cell : options.cells()) {
            for (Row row : rows(cell)) {
                Workload workload = cell.workload();
                HttpRequest.Builder request = HttpRequest.newBuilder(
                                URI.create(servers.origin(row, cell) + workload.target()))
                        .version(HttpClient.Version.HTTP_1_1);
                for (String field : workload.fields()) {
                    int colon = field.indexOf(':');
                    request.header(field.substring(0, colon), field.substring(colon + 2));
                }
                if (workload.up() > 0) {
                    request.POST(HttpRequest.BodyPublishers.ofByteArray(new byte[workload.up()]));
                }
                var response =
                        HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
                if (response.statusCode() != 200 || response.body().length != workload.down()) {
                    throw new IOException("%s, %s: %d, %d bytes"
                            .formatted(cell.id(), row.id(), response.statusCode(), response.body().length));
                }
            }
        }
    }

    /** The rows of the table that can be reached. */
    private List<Row> rows(Cell cell) {
        return options.rows().stream()
                .filter(row -> cell.includes(row) && servers.origin(row, cell) != null)
                .toList();
    }

    /** Repeats rounds that don't count until the JVMs compile hardly anything more. */
    private void warmUp() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + MAX_WARM_UP.toNanos();
        double share;
        do {
            say("warm-up");
            long begin = System.nanoTime();
            long compilation = servers.compilationMillis();
            round(0);
            share = (servers.compilationMillis() - compilation) * 1e6 / (System.nanoTime() - begin);
            say("%.0f %% of the time went into compiling".formatted(100 * share));
        } while (share > WARM && System.nanoTime() < deadline);
    }

    /** Round 0 warms up and counts for nothing. */
    private void round(int round) throws IOException, InterruptedException {
        for (Cell cell : options.cells()) {
            List<Row> rows = new ArrayList<>(rows(cell));
            Collections.rotate(rows, -round);
            for (Row row : rows) {
                int seconds = round == 0 ? warmUpSeconds(row, cell) : options.seconds();
                try {
                    Sample sample = measure(round, row, cell, seconds);
                    if (sample.load().errors() > 0) {
                        throw new IOException(sample.load().errors() + " requests failed");
                    }
                    if (round > 0) {
                        results.add(sample);
                    }
                } catch (IOException e) {
                    String reason = e.getMessage().lines().findFirst().orElse("");
                    results.leaveOut("%s, %s, round %d: %s".formatted(cell.id(), row.id(), round, reason));
                }
            }
        }
    }

    /** A JVM with few rows to itself has to become as warm by them as the other becomes by all of its rows. */
    private static int warmUpSeconds(Row row, Cell cell) {
        boolean hasFewRows = cell.application() != Application.SERVLET || row.backend() == Row.Backend.TOMCAT;
        return hasFewRows ? LONG_WARM_UP : WARM_UP;
    }

    private Sample measure(int round, Row row, Cell cell, int seconds) throws IOException, InterruptedException {
        String origin = servers.origin(row, cell);
        Servers.Usage before = servers.usage(row, cell);
        Sample.Load load = cell.workload().isCountedOut()
                ? Transfers.run(cell, origin, options.transfers())
                : wrk.run(cell, origin, seconds);
        Servers.Usage after = servers.usage(row, cell);
        Sample sample = new Sample(
                round,
                row,
                cell,
                load,
                after.applicationMicros() - before.applicationMicros(),
                after.frontMicros() - before.frontMicros(),
                after.allocated() - before.allocated(),
                after.gcMillis() - before.gcMillis());
        say("%d %-22s %-20s %9.0f requests/s %7.0f MB/s %7.1f + %.1f us"
                .formatted(
                        round,
                        cell.id(),
                        row.id(),
                        Metric.REQUESTS.of(sample),
                        Metric.MEGABYTES.of(sample),
                        Metric.APPLICATION_CPU.of(sample),
                        Metric.FRONT_CPU.of(sample)));
        return sample;
    }

    private static void say(String text) {
        System.out.println(text);
    }
}

package io.github.jettyfastcgi.it.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A figure that the connector is to reach.
 *
 * @param figure what it is
 * @param value what was measured, NaN if it wasn't
 * @param bound what it has to be
 * @param atLeast whether the bound is the least that is good enough, rather than the most
 */
record Target(String figure, double value, double bound, boolean atLeast) {
    private static final Cell HELLO = Cell.of(Workload.HELLO, Cell.USUAL);
    private static final Cell BROWSER = Cell.of(Workload.BROWSER, Cell.USUAL);
    private static final double MAX_TRANSLATION_MICROS = 1.0;
    private static final double MAX_TRANSLATION_BYTES = 400;
    private static final double MAX_IDLE_BYTES = 2048;
    private static final double MAX_COUNTERS_PART = 0.02;

    boolean isMeasured() {
        return !Double.isNaN(value);
    }

    boolean isMet() {
        return atLeast ? value >= bound : value <= bound;
    }

    String required() {
        return (atLeast ? ">= " : "<= ") + format(bound);
    }

    String measured() {
        return format(value);
    }

    private static String format(double number) {
        return String.format(Locale.ROOT, Math.abs(number) >= 100 ? "%,.0f" : number < 0.1 ? "%.4f" : "%.2f", number);
    }

    static List<Target> of(Results results) {
        List<Target> targets = new ArrayList<>();
        Row ours = Row.FASTCGI_UNIX;
        for (var bound : List.of(
                new Bound(Row.PROXY_UNIX, 0.75),
                new Bound(Row.PROXY_TCP, 0.62),
                new Bound(Row.JETTY_FCGI_UNIX, 0.55))) {
            targets.add(most(results, BROWSER, Metric.APPLICATION_CPU, ours, bound.row, bound.bound));
        }
        targets.add(least(results, BROWSER, Metric.REQUESTS, ours, Row.PROXY_UNIX, 1.15));
        targets.add(least(results, BROWSER, Metric.REQUESTS, ours, Row.JETTY_FCGI_UNIX, 1.40));
        Cell war = Cell.browser(Application.WAR);
        targets.add(most(results, war, Metric.APPLICATION_CPU, ours, Row.PROXY_UNIX, 0.80));
        targets.add(least(results, war, Metric.REQUESTS, ours, Row.PROXY_UNIX, 1.10));
        Cell core = Cell.browser(Application.CORE);
        targets.add(most(results, core, Metric.APPLICATION_CPU, ours, Row.PROXY_UNIX, 0.65));
        targets.add(least(results, core, Metric.REQUESTS, ours, Row.PROXY_UNIX, 1.20));
        targets.add(most(results, HELLO, Metric.APPLICATION_CPU, ours, Row.PROXY_UNIX, 0.90));
        targets.add(most(results, HELLO, Metric.APPLICATION_CPU, ours, Row.JETTY_FCGI_UNIX, 0.75));
        targets.add(most(results, HELLO, Metric.TOTAL_CPU, ours, Row.RESPONDER, 1.75));
        targets.add(most(results, HELLO, Metric.ALLOCATED, ours, Row.PROXY_UNIX, 0.75));
        targets.add(most(results, BROWSER, Metric.ALLOCATED, ours, Row.PROXY_UNIX, 0.60));
        for (Cell cell : List.of(HELLO, BROWSER)) {
            targets.add(least(results, cell, Metric.REQUESTS, Row.FASTCGI_UNIX_UNKEPT, Row.PROXY_TCP_UNKEPT, 1.7));
        }
        targets.add(most(results, BROWSER, Metric.APPLICATION_CPU, Row.FASTCGI_TCP, Row.PROXY_TCP, 0.80));
        addBulk(results, targets);
        for (Workload workload : List.of(Workload.HELLO, Workload.BROWSER)) {
            for (int connections : List.of(10, Cell.USUAL, 100)) {
                targets.add(most(results, Cell.of(workload, connections), Metric.P99, ours, Row.PROXY_UNIX, 1.0));
            }
        }
        addOthers(results, targets);
        return targets;
    }

    private record Bound(Row row, double bound) {}

    private static void addBulk(Results results, List<Target> targets) {
        for (Cell cell : Cell.ALL) {
            if (cell.workload().isBulk()) {
                double speed = Math.min(
                        results.ratio(Row.FASTCGI_UNIX, Row.PROXY_UNIX, cell, Metric.MEGABYTES),
                        results.ratio(Row.FASTCGI_UNIX, Row.JETTY_FCGI_UNIX, cell, Metric.MEGABYTES));
                double cpu = Math.max(
                        results.ratio(Row.FASTCGI_UNIX, Row.PROXY_UNIX, cell, Metric.CPU_PER_MEGABYTE),
                        results.ratio(Row.FASTCGI_UNIX, Row.JETTY_FCGI_UNIX, cell, Metric.CPU_PER_MEGABYTE));
                String better = "of fastcgi-unix against the better of proxy-unix and jetty-fcgi-unix";
                targets.add(new Target(cell.id() + ": MB/s " + better, speed, 1.0, true));
                targets.add(new Target(cell.id() + ": app CPU per MB " + better, cpu, 0.85, false));
            }
        }
    }

    private static void addOthers(Results results, List<Target> targets) {
        targets.add(new Target(
                "translation alone, fields repeating (JMH): us",
                results.other(MicroBenchmarks.TRANSLATION),
                MAX_TRANSLATION_MICROS,
                false));
        targets.add(new Target(
                "translation alone, fields repeating (JMH): bytes",
                results.other(MicroBenchmarks.allocationOf(MicroBenchmarks.TRANSLATION)),
                MAX_TRANSLATION_BYTES,
                false));
        double counting = results.other(MicroBenchmarks.COUNTED_TWICE) - results.other(MicroBenchmarks.COUNTED);
        targets.add(new Target(
                "counters (JMH): part of the application's CPU per request, " + HELLO.id(),
                counting / results.median(Row.FASTCGI_UNIX, HELLO, Metric.APPLICATION_CPU),
                MAX_COUNTERS_PART,
                false));
        targets.add(new Target(IdleConnections.HEAP, results.other(IdleConnections.HEAP), MAX_IDLE_BYTES, false));
        targets.add(new Target(IdleConnections.THREADS, results.other(IdleConnections.THREADS), 0, false));
    }

    private static Target most(Results results, Cell cell, Metric metric, Row row, Row base, double bound) {
        return new Target(name(cell, metric, row, base), results.ratio(row, base, cell, metric), bound, false);
    }

    private static Target least(Results results, Cell cell, Metric metric, Row row, Row base, double bound) {
        return new Target(name(cell, metric, row, base), results.ratio(row, base, cell, metric), bound, true);
    }

    private static String name(Cell cell, Metric metric, Row row, Row base) {
        return "%s: %s of %s against %s".formatted(cell.id(), metric.label(), row.id(), base.id());
    }
}

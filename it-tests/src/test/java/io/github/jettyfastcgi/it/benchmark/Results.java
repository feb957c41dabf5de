package io.github.jettyfastcgi.it.benchmark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** All samples, and what they say together. */
final class Results {
    private final List<Sample> samples = new ArrayList<>();

    /** Why a row, or a sample, is missing. */
    private final List<String> leftOut = new ArrayList<>();

    /** Figures from elsewhere, by name: the micro-benchmarks, idle connections. */
    private final Map<String, Double> others = new LinkedHashMap<>();

    void add(Sample sample) {
        samples.add(sample);
    }

    void leaveOut(String what) {
        leftOut.add(what);
    }

    void put(String name, double value) {
        others.put(name, value);
    }

    List<Sample> samples() {
        return samples;
    }

    List<String> leftOut() {
        return leftOut;
    }

    /** NaN where it is unknown. */
    double other(String name) {
        return others.getOrDefault(name, Double.NaN);
    }

    Map<String, Double> others() {
        return others;
    }

    boolean has(Cell cell) {
        return samples.stream().anyMatch(sample -> sample.cell().equals(cell));
    }

    boolean has(Row row, Cell cell) {
        return of(row, cell).findAny().isPresent();
    }

    private Stream<Sample> of(Row row, Cell cell) {
        return samples.stream()
                .filter(sample -> sample.row() == row && sample.cell().equals(cell));
    }

    /** The median over the rounds; NaN where nothing was measured. */
    double median(Row row, Cell cell, Metric metric) {
        return median(of(row, cell).mapToDouble(metric::of));
    }

    /** The standard deviation over the rounds; NaN for less than two. */
    double deviation(Row row, Cell cell, Metric metric) {
        double[] values = of(row, cell).mapToDouble(metric::of).toArray();
        double mean = Arrays.stream(values).average().orElse(Double.NaN);
        double squares = Arrays.stream(values)
                .map(value -> (value - mean) * (value - mean))
                .sum();
        return values.length < 2 ? Double.NaN : Math.sqrt(squares / (values.length - 1));
    }

    /**
     * The median of the ratios within each round: what disturbs the machine for longer than a round disturbs both.
     *
     * @return NaN where nothing was measured
     */
    double ratio(Row row, Row base, Cell cell, Metric metric) {
        Map<Integer, Double> bases = new LinkedHashMap<>();
        of(base, cell).forEach(sample -> bases.put(sample.round(), metric.of(sample)));
        return median(of(row, cell)
                .filter(sample -> bases.containsKey(sample.round()))
                .mapToDouble(sample -> metric.of(sample) / bases.get(sample.round())));
    }

    private static double median(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        int middle = sorted.length / 2;
        if (sorted.length == 0) {
            return Double.NaN;
        }
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}

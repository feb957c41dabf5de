package io.github.jettyfastcgi.it.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Takes over what JMH has found, in the module of the connector. */
final class MicroBenchmarks {
    /** The translation of the captured GET, where a kept connection repeats it. */
    static final String TRANSLATION = "Translation.repeating, get";

    /** A request as it is, and with all counted once more. */
    static final String COUNTED = "Watched.exchange, counted";

    static final String COUNTED_TWICE = "Watched.exchange, countedTwice";

    private static final String SCORE = "Score";
    private static final String PARAMETER = "Param: ";
    private static final String ALLOCATION = ":gc.alloc.rate.norm";

    private MicroBenchmarks() {}

    /** Reads JMH's CSV file, if there is one: the time of one operation in microseconds, and the bytes it allocates. */
    static void read(Results results) throws IOException {
        Path file = Path.of(System.getProperty("benchmark.jmh.result", "../connector/target/benchmark/jmh.csv"));
        if (!Files.exists(file)) {
            results.leaveOut("the micro-benchmarks: there is no " + file);
            return;
        }
        List<List<String>> lines = Files.readAllLines(file).stream()
                .map(line -> List.of(line.replace("\"", "").split(",", -1)))
                .toList();
        List<String> head = lines.get(0);
        for (List<String> line : lines.subList(1, lines.size())) {
            String[] path = line.get(0).split(":")[0].split("\\.");
            String name = path[path.length - 2] + "." + path[path.length - 1] + parameters(head, line);
            double score = Double.parseDouble(line.get(head.indexOf(SCORE)));
            if (!line.get(0).contains(":")) {
                results.put(name, score);
            } else if (line.get(0).endsWith(ALLOCATION)) {
                results.put(allocationOf(name), score);
            }
        }
    }

    private static String parameters(List<String> head, List<String> line) {
        return IntStream.range(0, line.size())
                .filter(i -> head.get(i).startsWith(PARAMETER) && !line.get(i).isEmpty())
                .mapToObj(i -> ", " + line.get(i))
                .collect(Collectors.joining());
    }

    static String allocationOf(String name) {
        return name + ": bytes";
    }
}

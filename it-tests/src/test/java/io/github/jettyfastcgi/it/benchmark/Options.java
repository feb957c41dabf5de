package io.github.jettyfastcgi.it.benchmark;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * How much is measured.
 *
 * @param rounds how often each figure is measured
 * @param seconds how long, each time
 * @param quick whether to be done in minutes
 * @param rows the rows
 * @param cells the tables
 * @param jvmOptions for the JVM of the Jetty rows
 * @param readme whether the README's section and chart are written anew
 * @param output the directory of the report
 */
record Options(
        int rounds,
        int seconds,
        boolean quick,
        List<Row> rows,
        List<Cell> cells,
        List<String> jvmOptions,
        boolean readme,
        Path output) {
    private static final String QUICK_ROWS = "proxy-tcp,proxy-unix,proxy-tcp-unkept,jetty-fcgi-unix,"
            + "fastcgi-unix,fastcgi-tcp,fastcgi-unix-unkept,responder";
    private static final String QUICK_CELLS = "hello-30,browser-30*,download-1m*,upload-100m-4";

    /** Reads the system properties {@code benchmark.*}. */
    static Options fromProperties() {
        String quick = System.getProperty("benchmark.quick", "false");
        boolean isQuick = quick.isEmpty() || Boolean.parseBoolean(quick);
        return new Options(
                Integer.getInteger("benchmark.rounds", isQuick ? 3 : 5),
                Integer.getInteger("benchmark.seconds", isQuick ? 1 : 3),
                isQuick,
                choose("benchmark.rows", isQuick ? QUICK_ROWS : "*", Stream.of(Row.values()), Row::id),
                choose("benchmark.cells", isQuick ? QUICK_CELLS : "*", Cell.ALL.stream(), Cell::id),
                words(System.getProperty("benchmark.jvmOptions", ""), " "),
                Boolean.getBoolean("benchmark.readme"),
                Path.of(System.getProperty("benchmark.output", "target/benchmark"))
                        .toAbsolutePath());
    }

    /** How many transfers of 100 MB are made, where these are counted instead of seconds. */
    int transfers() {
        return quick ? 4 : 12;
    }

    /** Those whose id is in the list, where a name may end with an asterisk; a name that fits nothing is an error. */
    private static <T> List<T> choose(String property, String byDefault, Stream<T> all, Function<T, String> id) {
        List<String> chosen = words(System.getProperty(property, ""), ",");
        List<String> names = chosen.isEmpty() ? words(byDefault, ",") : chosen;
        List<T> candidates = all.toList();
        for (String name : names) {
            if (candidates.stream().map(id).noneMatch(candidate -> fits(name, candidate))) {
                throw new IllegalArgumentException(property + ": " + name + " is none of "
                        + candidates.stream().map(id).toList());
            }
        }
        return candidates.stream()
                .filter(candidate -> names.stream().anyMatch(name -> fits(name, id.apply(candidate))))
                .toList();
    }

    private static boolean fits(String name, String candidate) {
        return name.endsWith("*") ? candidate.startsWith(name.substring(0, name.length() - 1)) : candidate.equals(name);
    }

    private static List<String> words(String text, String separator) {
        return Arrays.stream(text.split(separator))
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .toList();
    }
}

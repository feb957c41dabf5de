package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Many requests at 50 in parallel: each answer must be whole, and the server must keep nothing of them. The profile
 * {@code soak} raises their number.
 */
class LoadIT extends SampleSiteTestBase {
    private static final int REQUESTS = Integer.getInteger("it.load.requests", 20_000);
    private static final int WARM_UP = 10_000;
    private static final long MAX_HEAP_GROWTH = 5_000_000;
    private static final Path SCRIPT =
            Path.of("src", "test", "scripts", "count-answers.lua").toAbsolutePath();
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final Pattern RESULT =
            Pattern.compile("answers=(?<answers>\\d+) bad=(?<bad>\\d+) errors=(?<errors>\\d+)");

    @ParameterizedTest
    @EnumSource(names = {"UNIX_KEPT", "UNIX_UNKEPT", "TCP_KEPT", "TCP_UNKEPT"})
    void everyAnswerIsWholeAndNothingStaysInTheHeap(Front front) throws Exception {
        load(front, WARM_UP);
        long before = liveBytes();

        load(front, REQUESTS - WARM_UP);

        assertThat(liveBytes() - before).as("growth of the heap in bytes").isLessThan(MAX_HEAP_GROWTH);
    }

    /** Runs wrk, which counts time and not requests, until the requests have been answered. */
    private static void load(Front front, int requests) throws Exception {
        List<String> command = List.of(
                WebServers.require("wrk").toString(),
                "--threads",
                "2",
                "--connections",
                "50",
                "--duration",
                "2s",
                "--timeout",
                "30s",
                "--script",
                SCRIPT.toString(),
                site.uri(front, "/download?size=1000&chunk=1000").toString());
        for (int answers = 0; answers < requests; ) {
            answers += answers(command);
        }
    }

    private static int answers(List<String> command) throws Exception {
        try (ServerProcess wrk = ServerProcess.start("wrk", directory, command)) {
            assertThat(wrk.awaitExit(LIMIT)).as(wrk.tail()).isZero();
            Matcher result = RESULT.matcher(String.join("\n", wrk.output()));
            assertThat(result.find()).as(wrk.tail()).isTrue();
            assertThat(result.group("bad"))
                    .as("answers that aren't 200 or not whole")
                    .isEqualTo("0");
            assertThat(result.group("errors")).as("requests without an answer").isEqualTo("0");
            int answers = Integer.parseInt(result.group("answers"));
            assertThat(answers).as("answers").isPositive();
            return answers;
        }
    }

    /** The bytes of all objects that survive a full collection. */
    private static long liveBytes() throws Exception {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        List<String> command = List.of(jcmd, Long.toString(site.jetty().pid()), "GC.class_histogram");
        try (ServerProcess process = ServerProcess.start("jcmd", directory, command)) {
            assertThat(process.awaitExit(LIMIT)).as(process.tail()).isZero();
            String total = process.output().stream()
                    .filter(line -> line.startsWith("Total"))
                    .findFirst()
                    .orElseThrow();
            return Long.parseLong(total.strip().split("\\s+")[2]);
        }
    }
}

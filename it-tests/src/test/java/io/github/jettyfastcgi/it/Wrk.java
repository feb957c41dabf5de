package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A load of 50 parallel connections, by wrk, which counts time and not requests. Each answer is checked. */
final class Wrk {
    private static final Path SCRIPT =
            Path.of("src", "test", "scripts", "count-answers.lua").toAbsolutePath();
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final Pattern RESULT =
            Pattern.compile("answers=(?<answers>\\d+) bad=(?<bad>\\d+) errors=(?<errors>\\d+)");

    private final Path directory;
    private final List<String> command;

    private Wrk(Path directory, List<String> command) {
        this.directory = directory;
        this.command = command;
    }

    /** A load of downloads of 1000 bytes. */
    static Wrk downloads(Path directory, URI uri) throws InterruptedException {
        return create(directory, List.of(), uri, List.of());
    }

    /** A load whose answers are JSON, and begin with the given text. */
    static Wrk json(Path directory, URI uri, String begin) throws InterruptedException {
        return create(directory, List.of("--header", "Accept: application/json"), uri, List.of("--", begin));
    }

    private static Wrk create(Path directory, List<String> options, URI uri, List<String> arguments)
            throws InterruptedException {
        List<String> command = new ArrayList<>(List.of(
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
                SCRIPT.toString()));
        command.addAll(options);
        command.add(uri.toString());
        command.addAll(arguments);
        return new Wrk(directory, command);
    }

    /** Runs until so many requests at least have been answered, all of them right; returns how many. */
    int run(int requests) throws InterruptedException {
        int answers = 0;
        while (answers < requests) {
            answers += run();
        }
        return answers;
    }

    private int run() throws InterruptedException {
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
}

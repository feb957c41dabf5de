package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The access log of a Jetty base with the module requestlog, whose lines have the request line in quotes. */
final class AccessLog {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final Path logs;

    AccessLog(JettyBase base) {
        logs = base.directory().resolve("logs");
    }

    /** Waits for the line about this method and target, and returns it. */
    String await(String methodAndTarget) throws Exception {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (System.nanoTime() < deadline) {
            for (String line : lines()) {
                if (line.contains('"' + methodAndTarget + ' ')) {
                    return line;
                }
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
        return fail("No line for " + methodAndTarget + " in\n" + String.join("\n", lines()));
    }

    private List<String> lines() throws IOException {
        List<String> lines = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(logs, "*.request.log")) {
            for (Path file : files) {
                lines.addAll(Files.readAllLines(file));
            }
        }
        return lines;
    }
}

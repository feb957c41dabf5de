package io.github.jettyfastcgi.it;

import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Commands of the documentation, run as a reader runs them who has set JETTY_HOME and JETTY_BASE. */
final class Commands {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private Commands() {}

    /** Runs them until the first one that fails. */
    static ServerProcess start(String commands, Path directory, Path base) {
        String path = Path.of(JettyBase.java()).getParent() + File.pathSeparator + System.getenv("PATH");
        return ServerProcess.start(
                "shell",
                directory,
                List.of(
                        "env",
                        "PATH=" + path,
                        "JETTY_HOME=" + Distribution.jettyHome(),
                        "JETTY_BASE=" + base,
                        "sh",
                        "-ec",
                        commands));
    }

    /** Runs them to their end, in the base, and returns their output. */
    static List<String> run(String commands, Path base) throws InterruptedException {
        try (ServerProcess shell = start(commands, base, base)) {
            if (shell.awaitExit(LIMIT) != 0) {
                throw new AssertionError(shell.tail());
            }
            return shell.output();
        }
    }
}

package io.github.jettyfastcgi.it;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** The programs that the tests drive and that don't come with the build. */
final class WebServers {
    private static final Path INSTALL_SCRIPT = Path.of("src", "test", "scripts", "install-web-servers.sh");
    private static final Duration INSTALL_LIMIT = Duration.ofMinutes(5);

    /** Why nothing more can be installed; null until it was tried. */
    private static String installation;

    private WebServers() {}

    /** Where the program lies, or a file that has an absolute path; users' paths often lack the directories for system programs, so these are searched too. */
    static Optional<Path> find(String program) {
        Stream<Path> path =
                Stream.of(System.getenv("PATH").split(File.pathSeparator)).map(Path::of);
        Stream<Path> system = Stream.of(Path.of("/usr/sbin"), Path.of("/usr/local/sbin"));
        return Stream.of(path, system, postgreSQL())
                .flatMap(Function.identity())
                .map(directory -> directory.resolve(program))
                .filter(file -> program.startsWith("/") ? Files.exists(file) : Files.isExecutable(file))
                .findFirst();
    }

    /** Where Debian has the programs of PostgreSQL's server, each version apart; the latest comes first. */
    private static Stream<Path> postgreSQL() {
        File[] versions = new File("/usr/lib/postgresql").listFiles();
        return versions == null
                ? Stream.empty()
                : Stream.of(versions)
                        .sorted(Comparator.comparing(File::getName).reversed())
                        .map(version -> version.toPath().resolve("bin"));
    }

    /**
     * Installs the program when the machine lacks it. Where that can't be, the test is skipped; on CI it fails.
     *
     * @param others further names that it may have
     */
    static Path require(String program, String... others) throws InterruptedException {
        Optional<Path> found = find(program, others);
        if (found.isEmpty()) {
            install();
            found = find(program, others);
        }
        if (found.isEmpty()) {
            String reason = program + " is not on this machine: " + installation;
            if (Boolean.parseBoolean(System.getenv("CI"))) {
                throw new AssertionError(reason);
            }
            Assumptions.abort(reason);
        }
        return found.orElseThrow();
    }

    private static Optional<Path> find(String program, String... others) {
        return Stream.concat(Stream.of(program), Stream.of(others))
                .map(WebServers::find)
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static synchronized void install() throws InterruptedException {
        if (installation == null) {
            List<String> command = List.of("sh", INSTALL_SCRIPT.toAbsolutePath().toString());
            try (ServerProcess script = ServerProcess.start("install-web-servers.sh", Path.of("."), command)) {
                script.awaitExit(INSTALL_LIMIT);
                installation = String.join(" ", script.output());
            }
        }
    }
}

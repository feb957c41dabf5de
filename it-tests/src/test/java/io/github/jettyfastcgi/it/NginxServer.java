package io.github.jettyfastcgi.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;

/** A real nginx, run in the foreground from a directory of its own, with the error log of its configuration watched. */
final class NginxServer implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofSeconds(20);
    private static final Pattern LISTEN = Pattern.compile("listen 127\\.0\\.0\\.1:(\\d+)");

    private final Path errorLog;
    private final ServerProcess process;
    private int errorsTaken;

    private NginxServer(Path errorLog, ServerProcess process) {
        this.errorLog = errorLog;
        this.process = process;
    }

    /**
     * Starts nginx and waits until each of its ports accepts.
     *
     * @param directory where the configuration is written, and what its relative paths refer to
     * @param configuration runs in the foreground and logs to {@code error.log}
     */
    static NginxServer start(Path directory, String configuration) throws IOException, InterruptedException {
        Files.createDirectories(directory);
        Path file = Files.writeString(directory.resolve("nginx.conf"), configuration);
        Path errorLog = directory.resolve("error.log");
        ServerProcess process = ServerProcess.start(
                "nginx",
                directory,
                List.of(
                        WebServers.require("nginx").toString(),
                        "-p",
                        directory + "/",
                        "-e",
                        errorLog.toString(),
                        "-c",
                        file.toString()));
        NginxServer nginx = new NginxServer(errorLog, process);
        try {
            Matcher listen = LISTEN.matcher(configuration);
            while (listen.find()) {
                process.awaitAccepting(Integer.parseInt(listen.group(1)), START_LIMIT);
            }
            return nginx;
        } catch (Throwable e) {
            nginx.close();
            throw e;
        }
    }

    /** The directive a master process run by root needs, so that its workers may read what the tests write. */
    static String userDirective() {
        return System.getProperty("user.name").equals("root") ? "user root;" : "";
    }

    /** The file fastcgi_params that the package brings, for configurations that include it. */
    static Path debianVariables() throws InterruptedException {
        WebServers.require("nginx");
        Path file = Path.of("/etc/nginx/fastcgi_params");
        Assumptions.assumeTrue(Files.exists(file), "this nginx has its fastcgi_params elsewhere");
        return file;
    }

    /** The lines of the error log since the last call. */
    List<String> takeErrors() {
        List<String> errors = errors();
        List<String> recent = errors.subList(errorsTaken, errors.size());
        errorsTaken = errors.size();
        return recent;
    }

    private List<String> errors() {
        try {
            return Files.exists(errorLog) ? Files.readAllLines(errorLog) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Output and error log, for messages. */
    String describe() {
        return process.tail() + "\nError log of nginx:\n" + String.join("\n", errors());
    }

    @Override
    public void close() {
        process.close();
    }
}

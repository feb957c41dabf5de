package io.github.jettyfastcgi.it.benchmark;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** A child process that writes to a log file and never outlives this JVM. */
final class Program implements Closeable {
    private static final Duration START_LIMIT = Duration.ofSeconds(90);
    private static final Duration END_LIMIT = Duration.ofSeconds(20);

    private final Process process;
    private final Path log;
    private final Thread hook;

    private Program(Process process, Path log) {
        this.process = process;
        this.log = log;
        hook = new Thread(process::destroy);
        Runtime.getRuntime().addShutdownHook(hook);
    }

    static Program start(Path directory, Path log, List<String> command) throws IOException {
        Files.createDirectories(log.getParent());
        return new Program(
                new ProcessBuilder(command)
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start(),
                log);
    }

    /** Runs a program to its end and returns what it has written. */
    static String run(Path directory, List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        try {
            String output = new String(process.getInputStream().readAllBytes());
            if (process.waitFor() != 0) {
                throw new IOException(String.join(" ", command) + "\n" + output);
            }
            return output;
        } finally {
            process.destroy();
        }
    }

    /** Where a program lies; the directories for system programs are searched even if the user's path lacks them. */
    static Optional<String> find(String... names) {
        List<String> path = Stream.concat(
                        Stream.of(System.getenv("PATH").split(":")), Stream.of("/usr/sbin", "/usr/local/sbin"))
                .toList();
        return Stream.of(names)
                .flatMap(name -> path.stream().map(directory -> Path.of(directory, name)))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
    }

    long pid() {
        return process.pid();
    }

    List<String> output() throws IOException {
        return Files.readAllLines(log);
    }

    void awaitLine(String text) throws IOException, InterruptedException {
        await("\"" + text + "\"", () -> {
            try {
                return output().stream().anyMatch(line -> line.contains(text));
            } catch (IOException e) {
                return false; // a character half written: next time
            }
        });
    }

    void await(String what, BooleanSupplier condition) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                throw new IOException("No " + what + " from " + process.info().command() + ", see " + log);
            }
            Thread.sleep(20);
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            process.waitFor(END_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // This JVM is ending: the hook runs or has run.
        }
    }
}

package io.github.jettyfastcgi.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** A {@code $JETTY_BASE}, assembled and started by the commands the documentation gives. */
final class JettyBase {
    private static final Duration START_LIMIT = Duration.ofMinutes(3);

    private final Path directory;

    private JettyBase(Path directory) {
        this.directory = directory;
    }

    /**
     * Unzips the drop-in archive into the directory and enables the modules.
     *
     * @param directory created when missing; short, as the path of a Unix socket under it may have 107 bytes
     */
    static JettyBase create(Path directory, String... modules) throws IOException, InterruptedException {
        Files.createDirectories(directory);
        Distribution.unzip(Distribution.archive(), directory);
        JettyBase base = new JettyBase(directory);
        base.addModules(modules);
        return base;
    }

    /** A base that is there already. */
    static JettyBase of(Path directory) {
        return new JettyBase(directory);
    }

    /** A base without the archive, for modules of the distribution itself. */
    static JettyBase createPlain(Path directory, String... modules) throws IOException, InterruptedException {
        Files.createDirectories(directory);
        JettyBase base = new JettyBase(directory);
        base.addModules(modules);
        return base;
    }

    private void addModules(String... modules) throws InterruptedException {
        try (ServerProcess start = launch(List.of(), "--add-modules=" + String.join(",", modules))) {
            int exitCode = start.awaitExit(START_LIMIT);
            if (exitCode != 0) {
                throw new AssertionError("--add-modules answers " + exitCode + ". " + start.tail());
            }
        }
    }

    Path directory() {
        return directory;
    }

    /** The default path of the Unix connector's socket. */
    Path unixSocket() {
        return directory.resolve("run").resolve("fastcgi.sock");
    }

    /** Deploys the sample application under {@code /name}, or {@code /} for the name ROOT. */
    JettyBase deploySample(String name) throws IOException {
        Files.copy(Distribution.sampleWar(), directory.resolve("webapps").resolve(name + ".war"));
        return this;
    }

    /** Copies the files of a directory into the base. */
    JettyBase copy(Path source) throws IOException {
        try (Stream<Path> files = Files.walk(source)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path target = directory.resolve(source.relativize(file).toString());
                Files.createDirectories(target.getParent());
                Files.copy(file, target);
            }
        }
        return this;
    }

    /** Copies this base to another directory, and returns it. */
    JettyBase copyTo(Path other) throws IOException {
        return new JettyBase(Files.createDirectory(other)).copy(directory);
    }

    /** Starts Jetty and waits until it accepts connections. */
    ServerProcess start(List<String> jvmOptions, String... arguments) throws InterruptedException {
        ServerProcess jetty = launch(jvmOptions, arguments);
        try {
            jetty.awaitOutput("Started oejs.Server@", START_LIMIT);
            return jetty;
        } catch (Throwable e) {
            jetty.close();
            throw e;
        }
    }

    /** Runs start.jar without waiting for anything. */
    ServerProcess launch(List<String> jvmOptions, String... arguments) {
        return ServerProcess.start("Jetty", directory, command(jvmOptions, arguments));
    }

    /** The command that runs start.jar, for the directory of a base. */
    static List<String> command(List<String> jvmOptions, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(java());
        command.addAll(jvmOptions);
        command.add("-jar");
        command.add(Distribution.jettyHome().resolve("start.jar").toString());
        command.addAll(Arrays.asList(arguments));
        return command;
    }

    /** The path of the program that runs Jetty. */
    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }
}

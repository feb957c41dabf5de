package io.github.jettyfastcgi.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A real web server, run in the foreground with the example that the archive has for it. */
final class RunningWebServer implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofSeconds(20);
    private static final Pattern VERSION = Pattern.compile("\\d+(\\.\\d+)+");

    private final WebServerSettings settings;
    private final ServerProcess process;

    private RunningWebServer(WebServerSettings settings, ServerProcess process) {
        this.settings = settings;
        this.process = process;
    }

    /**
     * Starts it and waits until its ports accept.
     *
     * @param examples the directory of the examples
     */
    static RunningWebServer start(WebServer kind, WebServerSettings settings, Path examples)
            throws IOException, InterruptedException {
        Path program = WebServers.require(kind.program());
        Path configuration = writeConfiguration(kind, settings, examples);
        ServerProcess process = ServerProcess.start(
                kind.toString(), settings.directory(), kind.command(program, settings.directory(), configuration));
        RunningWebServer server = new RunningWebServer(settings, process);
        try {
            process.awaitAccepting(settings.port(), START_LIMIT);
            process.awaitAccepting(settings.tlsPort(), START_LIMIT);
            return server;
        } catch (Throwable e) {
            server.close();
            throw e;
        }
    }

    private static Path writeConfiguration(WebServer kind, WebServerSettings settings, Path examples)
            throws IOException {
        ExampleConfiguration example = ExampleConfiguration.read(examples.resolve(kind.file()))
                .replace("/srv/jetty/run/fastcgi.sock", settings.socket().toString())
                .replace("9000", Integer.toString(settings.fastcgiPort()));
        kind.edit(example, settings);
        Path file = Files.writeString(settings.directory().resolve("example-" + kind.file()), example.text());
        if (!kind.isWrapped()) {
            return file;
        }
        String wrapper = Template.fill("web-servers/" + kind.file(), settings.words(file));
        return Files.writeString(settings.directory().resolve(kind.file()), wrapper);
    }

    /** The version that the program tells. */
    static String version(WebServer kind) throws InterruptedException {
        String program = WebServers.require(kind.program()).toString();
        try (ServerProcess process =
                ServerProcess.start(kind.toString(), Path.of("."), List.of(program, kind.versionArgument()))) {
            process.awaitExit(START_LIMIT);
            Matcher version = VERSION.matcher(String.join("\n", process.output()));
            if (!version.find()) {
                throw new AssertionError("No version. " + process.tail());
            }
            return version.group();
        }
    }

    WebServerSettings settings() {
        return settings;
    }

    /** Waits until it says this, and returns the line; what the examples log goes there, too. */
    String awaitOutput(String text) throws InterruptedException {
        return process.awaitOutput(text, START_LIMIT);
    }

    /** What it said, for messages. */
    String describe() {
        return process.tail();
    }

    @Override
    public void close() {
        process.close();
    }
}

package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jetty on a socket that somebody else holds, as systemd does with the example units of the archive. */
class SocketActivationIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Path LAUNCHER =
            Path.of("src", "test", "scripts", "activate.pl").toAbsolutePath();

    @TempDir
    static Path directory;

    private static JettyBase base;

    @BeforeAll
    static void createBase() throws Exception {
        base = JettyBase.create(directory.resolve("base"), "fastcgi-unix", "ee10-deploy")
                .deploySample("ROOT");
    }

    @Test
    void requestsWaitWhileJettyStartsAndTheSocketOutlivesIt() throws Exception {
        Path socket = base.unixSocket();
        int port = Ports.free();
        try (ServerProcess launcher = launch(socket);
                NginxServer nginx =
                        NginxServer.start(directory.resolve("nginx"), NginxExample.configuration(base, port))) {
            CompletableFuture<Integer> early = status(port);
            assertThat(early.join()).as(launcher.tail()).isEqualTo(200);
            Object before = fileKey(socket);

            ProcessHandle first = jetty(launcher);
            first.destroy();
            first.onExit().join();
            CompletableFuture<Integer> between = status(port);

            assertThat(between.join()).as(launcher.tail()).isEqualTo(200);
            assertThat(jetty(launcher).pid()).isNotEqualTo(first.pid());
            assertThat(fileKey(socket)).isEqualTo(before);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
                    .isEqualTo("rw-------");
            assertThat(nginx.takeErrors()).isEmpty();
        }
        assertThat(socket).exists();
    }

    @Test
    void unitsPassTheVerificationOfSystemd() throws Exception {
        Path program = WebServers.require("systemd-analyze");
        Path examples = base.directory().resolve("fastcgi-examples/systemd");
        Path units = Files.createDirectory(directory.resolve("units"));
        Path socket = units.resolve("jetty-fastcgi.socket");
        Path service = units.resolve("jetty-fastcgi.service");
        Files.copy(examples.resolve(socket.getFileName()), socket);
        String text = ExampleConfiguration.read(examples.resolve(service.getFileName()))
                .replace("/usr/bin/java", JettyBase.java())
                .text();
        Files.writeString(service, text);

        try (ServerProcess verification = ServerProcess.start(
                "systemd-analyze",
                units,
                List.of(program.toString(), "verify", socket.toString(), service.toString()))) {
            int exitCode = verification.awaitExit(LIMIT);

            assertThat(verification.output()).isEmpty();
            assertThat(exitCode).isZero();
        }
    }

    private static ServerProcess launch(Path socket) throws InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(WebServers.require("perl").toString(), LAUNCHER.toString(), socket.toString()));
        command.addAll(JettyBase.command(List.of(), "jetty.fastcgi.unix.inherit=require"));
        return ServerProcess.start("Jetty", base.directory(), command);
    }

    private static ProcessHandle jetty(ServerProcess launcher) {
        return ProcessHandle.of(launcher.pid())
                .orElseThrow()
                .children()
                .findFirst()
                .orElseThrow();
    }

    private static CompletableFuture<Integer> status(int port) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/info"))
                .timeout(LIMIT)
                .build();
        return HttpClient.newHttpClient()
                .sendAsync(request, BodyHandlers.discarding())
                .thenApply(response -> response.statusCode());
    }

    private static Object fileKey(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    }
}

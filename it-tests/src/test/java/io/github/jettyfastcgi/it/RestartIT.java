package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jetty is restarted, again and again, under a load through nginx: a new process takes the socket over, then the old one is
 * told to stop. No request may fail, POSTs included, which nginx doesn't repeat.
 */
class RestartIT {
    private static final int RESTARTS = Integer.getInteger("it.change.rounds", 2);
    private static final int ANSWERS_BETWEEN = 2_000;
    private static final List<String> JVM_OPTIONS = List.of("-Xmx128m", "-XX:TieredStopAtLevel=1");

    private static final int CLIENTS_OF_EACH = 10;

    /** Apache httpd isn't among them: it may send a request on a kept connection that is just ending, and repeats nothing. */
    private static final List<WebServer> OTHERS =
            List.of(WebServer.LIGHTTPD, WebServer.HAPROXY, WebServer.CADDY, WebServer.H2O);

    @TempDir
    Path directory;

    @Test
    void takeOverUnderLoadLosesNothing() throws Exception {
        JettyBase base = JettyBase.create(directory.resolve("base"), "fastcgi-unix", "ee10-deploy")
                .deploySample("app");
        ServerProcess jetty = base.start(JVM_OPTIONS);
        int port = Ports.free();
        try (NginxServer nginx = NginxServer.start(directory.resolve("nginx"), NginxExample.configuration(base, port));
                SteadyLoad load = new SteadyLoad(
                        port,
                        "/app/download?size=1000&chunk=1000",
                        answer -> answer.status() == 200 && answer.content().length == 1000,
                        "/app/echo")) {
            load.awaitAnswers(ANSWERS_BETWEEN);
            for (int i = 0; i < RESTARTS; i++) {
                ServerProcess old = jetty;
                jetty = base.start(JVM_OPTIONS, "jetty.fastcgi.unix.takeOver=true");
                old.close();
                load.awaitAnswers(ANSWERS_BETWEEN);
            }
            load.end();

            assertThat(load.faults()).as(nginx.describe()).isEmpty();
            assertThat(load.unavailable()).isZero();
            System.out.printf("%d restarts during %d requests, none failed%n", RESTARTS, load.answers());
        } finally {
            jetty.close();
        }
    }

    /** The same through other web servers at once, each with the example that the archive has for it. */
    @Test
    void takeOverLosesNothingOfOtherWebServers() throws Exception {
        List<WebServer> kinds = OTHERS.stream()
                .filter(kind -> WebServers.find(kind.program()).isPresent())
                .toList();
        assumeThat(kinds).isNotEmpty();
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
        JettyBase base = JettyBase.create(directory.resolve("base"), "fastcgi-unix", "ee10-deploy")
                .deploySample("app");
        List<String> arguments = new ArrayList<>(List.of("jetty.fastcgi.unix.takeOver=true"));
        if (WebServerSettings.isRoot()) arguments.add("jetty.fastcgi.unix.group=" + WebServerSettings.UNPRIVILEGED);
        ServerProcess jetty = base.start(JVM_OPTIONS, arguments.toArray(String[]::new));
        Map<RunningWebServer, SteadyLoad> loads = new LinkedHashMap<>();
        try {
            for (WebServer kind : kinds) {
                RunningWebServer server = startServer(kind, base);
                loads.put(
                        server,
                        new SteadyLoad(
                                CLIENTS_OF_EACH,
                                server.settings().port(),
                                "/app/download?size=1000&chunk=1000",
                                answer -> answer.status() == 200 && answer.content().length == 1000,
                                "/app/echo"));
            }
            awaitAnswers(loads.values());
            for (int i = 0; i < RESTARTS; i++) {
                ServerProcess old = jetty;
                jetty = base.start(JVM_OPTIONS, arguments.toArray(String[]::new));
                old.close();
                awaitAnswers(loads.values());
            }
            loads.values().forEach(SteadyLoad::end);
            loads.forEach((server, load) -> {
                assertThat(load.faults()).as(server.describe()).isEmpty();
                assertThat(load.unavailable()).isZero();
            });
        } finally {
            jetty.close();
            loads.values().forEach(SteadyLoad::close);
            loads.keySet().forEach(RunningWebServer::close);
        }
    }

    private RunningWebServer startServer(WebServer kind, JettyBase base) throws Exception {
        Path own = Files.createDirectory(directory.resolve(kind.program()));
        WebServerSettings settings =
                new WebServerSettings(own, Transport.UNIX, base.unixSocket(), Ports.free(), Ports.free(), Ports.free());
        Certificate certificate = Certificate.create(own);
        certificate.writePem(settings.certificate(), settings.key());
        certificate.writePem(settings.clientAuthority(), own.resolve("client.key"));
        Files.writeString(
                settings.certificateAndKey(),
                Files.readString(settings.certificate()) + Files.readString(settings.key()));
        return RunningWebServer.start(kind, settings, base.directory().resolve("fastcgi-examples"));
    }

    private static void awaitAnswers(Collection<SteadyLoad> loads) {
        loads.forEach(load -> load.awaitAnswers(ANSWERS_BETWEEN / loads.size()));
    }
}

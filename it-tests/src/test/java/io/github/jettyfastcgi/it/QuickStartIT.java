package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The steps of the documentation, and no other: its commands, and nginx as it shows it and as the archive's example has it. */
class QuickStartIT {
    @TempDir
    static Path directory;

    @Test
    void commandsOfTheReadmeAndItsConfigurationAreEnough() throws Exception {
        Path fastcgiParams = NginxServer.debianVariables();
        Path base = Files.createDirectory(directory.resolve("srv"));
        Files.copy(Distribution.archive(), directory.resolve("jetty-fastcgi-1.0.zip"));
        String commands = Documentation.snippet("README.md", "quick-start")
                .replace(".../my-application.war", Distribution.sampleWar().toString())
                // so that it is Jetty that is ended
                .replaceFirst("(?m)^(java -jar \\$JETTY_HOME/start.jar)$", "exec $1");
        int port = Ports.free();
        String server = Documentation.snippet("README.md", "quick-start-nginx")
                .replace("/srv/jetty", base.toString())
                .replace("listen 80;", "listen 127.0.0.1:" + port + ";");
        try (ServerProcess jetty = Commands.start(commands, directory, base)) {
            jetty.awaitOutput("Started oejs.Server@", Duration.ofMinutes(1));
            Path nginxDirectory = Files.createDirectory(directory.resolve("readme-nginx"));
            Files.copy(fastcgiParams, nginxDirectory.resolve("fastcgi_params"));
            try (NginxServer nginx = NginxServer.start(nginxDirectory, NginxExample.configuration(server));
                    Client client = new Client(port)) {
                Info info = Info.of(client.get("/webapp-sample/info?format=json"));

                assertThat(info.get("requestURL")).isEqualTo("http://www.example.com/webapp-sample/info");
                assertThat(info.get("remoteAddr")).isEqualTo("127.0.0.1");
                assertThat(nginx.takeErrors()).isEmpty();
            }
        }
    }

    @Test
    void archiveModuleWarAndExampleConfigurationAreEnough() throws Exception {
        WebServers.require("nginx");
        JettyBase base = JettyBase.create(directory.resolve("base"), "fastcgi-unix", "ee10-deploy")
                .deploySample("sample");
        int port = Ports.free();
        try (ServerProcess jetty = base.start(List.of());
                NginxServer nginx =
                        NginxServer.start(directory.resolve("nginx"), NginxExample.configuration(base, port))) {
            URI uri = URI.create("http://127.0.0.1:" + port + "/sample/info/a%20b");

            HttpResponse<String> response = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(uri)
                                    .header("Accept", "application/json")
                                    .build(),
                            BodyHandlers.ofString());

            Info info = Info.of(response);
            assertThat(info.get("requestURL")).as(jetty.tail()).isEqualTo(uri.toString());
            assertThat(info.get("contextPath")).isEqualTo("/sample");
            assertThat(info.get("pathInfo")).isEqualTo("/a b");
            assertThat(info.get("remoteAddr")).isEqualTo("127.0.0.1");
            assertThat(response.headers().allValues("Server")).hasSize(1);
            assertThat(response.headers().allValues("Date")).hasSize(1);
            assertThat(nginx.takeErrors()).isEmpty();
        }
    }
}

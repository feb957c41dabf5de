package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The steps of the documentation, and no other: the two modules, a WAR, and nginx as the archive's example has it. */
class QuickStartIT {
    @TempDir
    static Path directory;

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

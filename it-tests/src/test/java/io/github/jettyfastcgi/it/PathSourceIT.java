package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Paths as web servers decode and rewrite them ({@code jetty.fastcgi.pathSource=script-name}), however each divides them
 * into SCRIPT_NAME and PATH_INFO.
 */
class PathSourceIT {
    @TempDir
    static Path directory;

    private static WebServersSite site;

    @BeforeAll
    static void startJetty() throws Exception {
        site = new WebServersSite(directory, "jetty.fastcgi.pathSource=script-name");
    }

    @AfterAll
    static void stopJetty() {
        if (site != null) {
            site.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void decodedPathIsEncodedAgain(WebServer webServer) throws Exception {
        site.startServer(webServer, Transport.UNIX);
        try {
            Info info = Info.of(get(site.port(), "/info/a%20b/%c3%A9/c;v=1/%3F?format=json&q=%20"));
            assertThat(info.get("requestURI")).isEqualTo("/info/a%20b/%C3%A9/c;v=1/%3F");
            assertThat(info.get("servletPath")).isEqualTo("/info");
            assertThat(info.get("pathInfo")).isEqualTo("/a b/\u00e9/c/?");
            assertThat(info.get("queryString")).isEqualTo("format=json&q=%20");

            assertThat(Info.of(get(site.port(), "/info/x/../y?format=json")).get("pathInfo"))
                    .isEqualTo("/y");
            assertThat(get(site.port(), "/").text()).contains("</html>");
            assertThat(get(site.port(), "/style.css").field("Content-Type").orElseThrow())
                    .startsWith("text/css");
            assertThat(get(site.port(), "/no/such/page").status()).isEqualTo(404);
        } finally {
            site.stopServer();
        }
    }

    @Test
    void pathIsTheRewrittenOne() throws Exception {
        int port = Ports.free();
        String example = NginxExample.servers(site.base(), port)
                .replace("#fastcgi_param FASTCGI_SECRET", "fastcgi_param FASTCGI_SECRET") // which the site wants
                .replace("location / {", "rewrite ^/old/(.*)$ /info/$1?new=1;\n\n    location / {");
        try (NginxServer nginx =
                NginxServer.start(directory.resolve("rewriting"), NginxExample.configuration(example))) {
            Info info = Info.of(get(port, "/old/a%20b?format=json"));

            assertThat(info.get("requestURI")).isEqualTo("/info/a%20b");
            assertThat(info.get("queryString")).isEqualTo("new=1&format=json");
            assertThat(nginx.takeErrors()).isEmpty();
        }
    }

    private static RawConnection.Response get(int port, String target) throws Exception {
        try (RawConnection connection = new RawConnection(port)) {
            connection.sendHead("GET " + target + " HTTP/1.1", WebServerTests.HOST);
            return connection.read();
        }
    }
}

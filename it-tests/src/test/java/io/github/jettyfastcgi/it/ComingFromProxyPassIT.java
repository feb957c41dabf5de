package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** PROXY_PASS.md: one Jetty behind one nginx, over HTTP with X-Forwarded-* and over FastCGI. */
class ComingFromProxyPassIT {
    private static final String[] FORGED = {
        "X-Forwarded-For: 192.0.2.1", "X-Forwarded-Proto: https", "X-Forwarded-Host: other.example"
    };

    @TempDir
    static Path directory;

    private static final int BEFORE = Ports.free();
    private static final int AFTER = Ports.free();
    private static final int IN_CHAIN = Ports.free();
    private static ServerProcess jetty;
    private static NginxServer nginx;

    @BeforeAll
    static void followTheGuide() throws Exception {
        Path variables = NginxServer.debianVariables();
        int http = Ports.free();
        Guide guide = new Guide("PROXY_PASS.md", directory)
                .replace("127.0.0.1:8080", "127.0.0.1:" + http)
                .replace("10.0.0.0/8", "127.0.0.1");
        Commands.run("java -jar $JETTY_HOME/start.jar --add-modules=http,http-forwarded,ee10-deploy", guide.base());
        guide.run("proxy-modules");
        guide.write("proxy-jetty");
        guide.deploySample("ROOT");
        jetty = guide.startJetty("jetty.http.host=127.0.0.1", "jetty.http.port=" + http);
        Path own = Files.createDirectory(directory.resolve("nginx"));
        Files.copy(variables, own.resolve("fastcgi_params"));
        String after = guide.snippet("proxy-after");
        nginx = NginxServer.start(
                own,
                NginxExample.configuration(guide.snippet("proxy-upstream")
                        + guide.snippet("proxy-scheme")
                        + server(BEFORE, guide.snippet("proxy-before"))
                        + server(AFTER, after)
                        + server(
                                IN_CHAIN,
                                guide.snippet("proxy-real-ip")
                                        + after.replaceFirst(
                                                "}\\s*$",
                                                Matcher.quoteReplacement(guide.snippet("proxy-https") + "}\n")))));
    }

    private static String server(int port, String text) {
        return "server {\nlisten 127.0.0.1:" + port + ";\n" + text + "}\n";
    }

    @AfterAll
    static void stop() {
        if (nginx != null) {
            nginx.close();
        }
        if (jetty != null) {
            jetty.close();
        }
    }

    private static Info info(int port, String... fields) throws IOException {
        String request = "GET /info?format=json HTTP/1.1\r\nHost: www.example.com\r\n" + String.join("\r\n", fields)
                + "\r\n\r\n";
        try (Client client = new Client(port)) {
            return Info.of(client.send(request.getBytes(StandardCharsets.ISO_8859_1), true));
        }
    }

    @Test
    void clientThatForgesItsAddressIsBelievedNoMore() throws IOException {
        Info before = info(BEFORE, FORGED);
        Info after = info(AFTER, FORGED);

        assertThat(before.get("remoteAddr")).isEqualTo("192.0.2.1");
        assertThat(before.get("serverName")).isEqualTo("other.example");
        assertThat(after.get("remoteAddr")).isEqualTo("127.0.0.1");
        assertThat(after.get("serverName")).isEqualTo("www.example.com");
        assertThat(after.get("scheme")).isEqualTo("http");
        assertThat(after.get("secure")).isEqualTo(false);
        assertThat(after.header("X-Forwarded-For")).containsExactly("192.0.2.1");
    }

    @Test
    void honestClientIsTheSameAsBefore() throws IOException {
        Info before = info(BEFORE, "Accept: text/html");
        Info after = info(AFTER, "Accept: text/html");

        for (String member : new String[] {"remoteAddr", "scheme", "serverName", "requestURL", "queryString"}) {
            assertThat(after.get(member)).as(member).isEqualTo(before.get(member));
        }
    }

    @Test
    void proxyInFrontIsBelievedByNginx() throws IOException {
        Info info = info(IN_CHAIN, FORGED);

        assertThat(info.get("remoteAddr")).isEqualTo("192.0.2.1");
        assertThat(info.get("scheme")).isEqualTo("https");
        assertThat(info.get("secure")).isEqualTo(true);
        assertThat(info.get("requestURL")).isEqualTo("https://www.example.com/info");
        assertThat(info(IN_CHAIN, "Accept: text/html").get("scheme")).isEqualTo("http");
    }
}

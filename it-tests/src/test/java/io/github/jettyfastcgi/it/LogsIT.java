package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What operators find in the logs: those of the web servers, Jetty's access log, and that of slow requests. */
@ParameterizedClass
@EnumSource
class LogsIT {
    @TempDir
    static Path directory;

    private static WebServersSite site;

    @Parameter
    WebServer webServer;

    @BeforeAll
    static void startJetty() throws Exception {
        site = new WebServersSite(
                directory,
                "ee10",
                List.of("requestlog"),
                "jetty.requestlog.formatString=%{client}a:%{client}p %{local}a %u \"%r\" %s %O %I %X",
                "jetty.fastcgi.remoteUser=trust",
                "jetty.fastcgi.stderr=errors",
                "jetty.fastcgi.slowlog.threshold=300");
        Path haproxy = site.base().directory().resolve("fastcgi-examples").resolve(WebServer.HAPROXY.file());
        String example = ExampleConfiguration.read(haproxy).enable("log-stderr").text();
        Files.writeString(haproxy, "global\n    log stdout format raw local0\n" + example);
    }

    @BeforeParameterizedClassInvocation
    static void startWebServer(WebServer webServer) throws Exception {
        site.startServer(webServer, Transport.UNIX);
    }

    @AfterParameterizedClassInvocation
    static void stopWebServer() {
        site.stopServer();
    }

    @AfterAll
    static void stopJetty() {
        if (site != null) {
            site.close();
        }
    }

    private static Answer send(Client client, String request) throws IOException {
        return client.send(request.replace("\n", "\r\n").getBytes(StandardCharsets.ISO_8859_1), true);
    }

    private static Answer get(Client client, String target) throws IOException {
        return send(client, "GET " + target + " HTTP/1.1\nHost: www.example.com\n\n");
    }

    private static String awaitAccess(String methodAndTarget) throws Exception {
        return new AccessLog(site.base()).await(methodAndTarget);
    }

    @Test
    void failedRequestIsInTheLogOfTheWebServer() throws Exception {
        try (Client client = new Client(site.port())) {
            assertThat(get(client, "/fail").text()).contains("Error 500", "</html>");
            assertThat(get(client, "/info").status()).isEqualTo(200);
        }

        if (webServer != WebServer.CADDY) { // it keeps what it is told to itself
            site.server().awaitOutput("500 GET /fail: jakarta.servlet.ServletException: This page fails on purpose");
        }
    }

    @Test
    void reasonOfABrokenResponseIsInTheLogOfTheWebServer() throws Exception {
        try (Client client = new Client(site.port())) {
            assertThat(get(client, "/fail?when=committed").status()).isEqualTo(200);
        }
        try (Client client = new Client(site.port())) {
            assertThat(get(client, "/info").status()).isEqualTo(200);
        }

        if (webServer != WebServer.CADDY) {
            site.server().awaitOutput("200 GET /fail: the response breaks off, jakarta.servlet.ServletException: This");
        }
    }

    @Test
    void accessLogHasTheClientOfTheWebServer() throws Exception {
        String target = "/echo?" + webServer.name();
        try (Client client = new Client(site.port())) {
            Answer answer = send(
                    client,
                    "POST " + target + " HTTP/1.1\nHost: www.example.com\nContent-Type: text/plain\n"
                            + "X-Forwarded-For: 192.0.2.1\nContent-Length: 5\n\nhello");

            assertThat(answer.status()).isEqualTo(200);
            String local = webServer == WebServer.CADDY ? "" : "127.0.0.1 "; // Caddy 2.6 doesn't tell it
            assertThat(awaitAccess("POST " + target))
                    .startsWith("127.0.0.1:" + answer.clientPort() + " " + local)
                    .contains(" \"POST " + target + " HTTP/1.1\" 200 " + answer.content().length + " 5 ");
        }
    }

    /** Trusted, that is: HAProxy tells of a user whom nobody has checked. */
    @Test
    void accessLogHasTheUserOfTheWebServer() throws Exception {
        String target = "/info?user-of-" + webServer.name();
        try (Client client = new Client(site.port())) {
            send(
                    client,
                    "GET " + target + " HTTP/1.1\nHost: www.example.com\n"
                            + "Authorization: Basic YWxpY2U6c2VjcmV0\n\n");
        }

        String user = webServer == WebServer.HAPROXY ? " alice" : " -";
        assertThat(awaitAccess("GET " + target)).contains(user + " \"GET ");
    }

    @Test
    void accessLogHasWhatFails() throws Exception {
        String target = "/fail?" + webServer.name();
        try (Client client = new Client(site.port())) {
            assertThat(get(client, target).status()).isEqualTo(500);
        }

        assertThat(awaitAccess("GET " + target)).startsWith("127.0.0.1:").contains(" HTTP/1.1\" 500 ");
    }

    @Test
    void slowRequestIsLoggedOnceWithItsStack() throws Exception {
        int before;
        try (Client client = new Client(site.port())) {
            get(client, "/probe/slow.jsp?millis=0"); // the first is slow for other reasons
            before = site.jetty().output().size();
            assertThat(get(client, "/probe/slow.jsp?millis=700").text()).isEqualTo("at last");
        }

        List<String> output = site.jetty().output();
        List<String> recent = output.subList(before, output.size());
        assertThat(recent.stream().filter(line -> line.contains(":WARN :igj.slowlog:")))
                .singleElement()
                .asString()
                .matches(".*: GET /probe/slow\\.jsp, \\d+ ms: handled by thread qtp\\S+, response not begun");
        assertThat(recent).anyMatch(line -> line.startsWith("\tat ") && line.contains("slow_jsp"));
        assertThat(shapes(recent))
                .containsAll(shapes(Documentation.snippet("README.md", "slow-log")
                        .lines()
                        .limit(3)
                        .toList()));
    }

    /** The lines without what differs from request to request. */
    private static List<String> shapes(List<String> lines) {
        return lines.stream()
                .map(line -> line.replaceAll("GET \\S+,", "GET /,")
                        .replaceAll("\\s+", " ")
                        .replaceAll("^[-0-9 :.]*(?=WARN)|(?<=slowlog:)[^ ]*", "")
                        .replaceAll("java\\.base@[^/]*", "java.base")
                        .replaceAll("\\([^)]*\\)", "()")
                        .replaceAll("\\d+", "0"))
                .toList();
    }
}

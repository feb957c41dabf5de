package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

/** HYPERFASTCGI.md: an application at a path and a host, a handler without servlets, and how both are reloaded. */
class ComingFromHyperFastCgiIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    static Path directory;

    private static final int PORT = Ports.free();
    private static Guide guide;
    private static ServerProcess jetty;
    private static NginxServer nginx;

    @BeforeAll
    static void followTheGuide() throws Exception {
        Path variables = NginxServer.debianVariables();
        Path blog = directory.resolve("blog");
        Distribution.unzip(Distribution.sampleWar(), Files.createDirectory(blog));
        guide = new Guide("HYPERFASTCGI.md", directory)
                .replace("/srv/blog", blog.toString())
                .replace("tcp.port=9000", "tcp.port=" + Ports.free());
        guide.run("mono-modules");
        guide.write("mono-jetty");
        guide.write("mono-context");
        Files.writeString(guide.base().resolve("HelloWorld.java"), guide.snippet("mono-handler"));
        guide.run("mono-compile");
        guide.write("mono-core-context");
        guide.write("mono-core-environment");
        jetty = guide.startJetty();
        Path own = Files.createDirectory(directory.resolve("nginx"));
        Files.copy(variables, own.resolve("fastcgi_params"));
        nginx = NginxServer.start(
                own,
                NginxExample.configuration(
                        "server {\nlisten 127.0.0.1:" + PORT + ";\n" + guide.snippet("mono-nginx") + "}\n"));
    }

    @AfterAll
    static void stop() {
        try (ServerProcess first = jetty;
                NginxServer second = nginx) {
            assertThat(first.isAlive()).isTrue();
            assertThat(second.takeErrors()).as("errors logged by nginx").isEmpty();
        }
    }

    private static Answer get(String host, String target) throws IOException {
        try (Client client = new Client(PORT)) {
            String request = "GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n";
            return client.send(request.getBytes(StandardCharsets.ISO_8859_1), true);
        }
    }

    @Test
    void contextHasWhatTheWebappFileHad() throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        DocumentBuilder builder = factory.newDocumentBuilder();
        Document webapp = builder.parse(new InputSource(new StringReader(guide.snippet("mono-webapp"))));
        String context = guide.snippet("mono-context");

        for (String element : new String[] {"vhost", "vpath", "path"}) {
            assertThat(context)
                    .contains(">" + webapp.getElementsByTagName(element).item(0).getTextContent() + "<");
        }
    }

    @Test
    void applicationIsAtItsPathAndHost() throws IOException {
        assertThat(Info.of(get("www.example.com", "/blog/info/x?format=json")).get("contextPath"))
                .isEqualTo("/blog");
        assertThat(get("other.example.com", "/blog/info").status()).isEqualTo(404);
    }

    @Test
    void slashIsAddedByARedirect() throws IOException {
        Answer answer = get("www.example.com", "/blog");

        assertThat(answer.status()).isBetween(301, 302);
        assertThat(answer.field("Location")).endsWith("/blog/");
    }

    @Test
    void handlerAnswersWithoutServlets() throws IOException {
        assertThat(get("any.example.com", "/hello/there").text()).isEqualTo("Hello, /hello/there");
    }

    @Test
    void touchedFileIsDeployedAnew() throws Exception {
        long before = starts();

        guide.run("mono-reload");

        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (starts() == before) {
            assertThat(System.nanoTime()).as(jetty.tail()).isLessThan(deadline);
            Thread.sleep(20);
        }
        assertThat(get("www.example.com", "/blog/info").status()).isEqualTo(200);
    }

    /** How often the application has started. */
    private static long starts() {
        return jetty.output().stream()
                .filter(line -> line.contains("Started oeje10w.WebAppContext") && line.contains("/blog"))
                .count();
    }
}

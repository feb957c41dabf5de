package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that web servers send in place of Jetty, with their examples: nobody can tell but Jetty's access log. */
@ParameterizedClass(name = "{0}, {2}")
@MethodSource("webServers")
class SendFileIT {
    private static final int SIZE = 300_000;
    private static final byte[] CONTENT = Pattern251.bytes(0, SIZE);
    private static final String STATIC = "/probe/a.bin?";
    private static final String MARKED = "/probe/file.jsp?path=";
    private static final AtomicInteger REQUESTS = new AtomicInteger();

    @TempDir
    static Path directory;

    private static WebServersSite site;
    private static Path folder;

    @RegisterExtension
    static final DescribeFailure DESCRIBE_FAILURE = new DescribeFailure(() -> site.describe());

    @Parameter(0)
    WebServer webServer;

    @Parameter(1)
    String field;

    @Parameter(2)
    String environment;

    static Stream<Arguments> webServers() {
        return Stream.of(
                Arguments.of(WebServer.NGINX, "X-Accel-Redirect", "ee10"),
                Arguments.of(WebServer.APACHE, "X-Sendfile", "ee11"),
                Arguments.of(WebServer.LIGHTTPD, "X-LIGHTTPD-send-file", "ee10"));
    }

    @BeforeParameterizedClassInvocation
    static void start(WebServer webServer, String field, String environment) throws Exception {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
        Path own = Files.createDirectory(directory.resolve(webServer.name()));
        folder = own.resolve("base").resolve("webapps").resolve("probe");
        site = new WebServersSite(
                own,
                environment,
                List.of("fastcgi-sendfile", "requestlog"),
                "jetty.requestlog.formatString=\"%r\" %s sent %O",
                "jetty.fastcgi.sendfile.field=" + field,
                webServer == WebServer.NGINX ? mappingOfTheReadme() : "jetty.fastcgi.sendfile.mapping=" + folder,
                "jetty.fastcgi.sendfile.keptFields=X-Content-Type-Options");
        for (String name :
                new String[] {"a.bin", "b c.bin", "\u00fc.bin", "d+e.bin", "100%20?x=y#z;&'.bin", "large.txt"}) {
            Files.write(folder.resolve(name), CONTENT);
        }
        Files.write(folder.resolve("report.pdf"), CONTENT);
        Files.writeString(
                folder.resolve("readme.jsp"),
                "<%@page import=\"java.nio.file.Path\"%><%\n" + readme("sendfile-java") + "%>");
        Files.write(own.resolve("outside.bin"), CONTENT);
        Files.createSymbolicLink(folder.resolve("link.bin"), Path.of("../../../outside.bin"));
        enableInExample(webServer);
        site.startServer(webServer, Transport.UNIX);
    }

    /** A snippet of README.md, with the folder of this test. */
    private static String readme(String snippet) {
        return Documentation.snippet("README.md", snippet).replace("/srv/files", folder.toString());
    }

    private static String mappingOfTheReadme() {
        return readme("sendfile-jetty")
                .lines()
                .filter(line -> line.startsWith("jetty."))
                .findFirst()
                .orElseThrow();
    }

    private static void enableInExample(WebServer webServer) throws IOException {
        Path file = site.base().directory().resolve("fastcgi-examples").resolve(webServer.file());
        ExampleConfiguration example = ExampleConfiguration.read(file).replace("/srv/files", folder.toString());
        switch (webServer) {
            case NGINX -> {
                example.enable("location /internal/files/", "}");
                assertThat(example.text().lines().map(String::strip))
                        .containsAll(readme("sendfile-nginx")
                                .lines()
                                .map(String::strip)
                                .toList());
            }
            case APACHE -> example.enable("XSendFile on", "FileETag");
            default -> example.enable("\"x-sendfile\"", "\"x-sendfile-docroot\"");
        }
        Files.writeString(file, example.text());
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        if (site != null) {
            site.close();
        }
    }

    @Test
    void applicationMarksAResponseAsTheReadmeDoes() throws Exception {
        Answer answer = get("/probe/readme.jsp");

        assertWhole(answer);
        assertThat(answer.field("Content-Type")).contains("application/pdf");
        assertOffloaded("GET /probe/readme.jsp");
    }

    /** A target that no other request has, which marks a response with this file. */
    private static String marked(Path file) {
        return MARKED + URLEncoder.encode(file.toString(), StandardCharsets.UTF_8) + "&n=" + REQUESTS.incrementAndGet();
    }

    private static String target(boolean isMarked) {
        return isMarked ? marked(folder.resolve("a.bin")) : STATIC + REQUESTS.incrementAndGet();
    }

    private static Answer send(int port, String method, String target, String... fields) throws IOException {
        StringBuilder request = new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: www.example.com\r\n");
        for (String field : fields) {
            request.append(field).append("\r\n");
        }
        try (Client client = new Client(port)) {
            return client.send(
                    request.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1), !method.equals("HEAD"));
        }
    }

    private static Answer get(String target, String... fields) throws IOException {
        return send(site.port(), "GET", target, fields);
    }

    private static long sentByJetty(String methodAndTarget) throws Exception {
        String line = new AccessLog(site.base()).await(methodAndTarget);
        return Long.parseLong(line.substring(line.lastIndexOf(' ') + 1));
    }

    private static void assertOffloaded(String methodAndTarget) throws Exception {
        assertThat(sentByJetty(methodAndTarget)).as(methodAndTarget).isZero();
    }

    private static void assertWhole(Answer answer) {
        assertThat(answer.status()).as(answer.head().toString()).isEqualTo(200);
        assertThat(answer.content()).isEqualTo(CONTENT);
        for (String field : new String[] {"X-Accel-Redirect", "X-Sendfile", "X-LIGHTTPD-send-file"}) {
            assertThat(answer.field(field)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void wholeFile(boolean isMarked) throws Exception {
        String target = target(isMarked);

        Answer answer = get(target);

        assertWhole(answer);
        assertOffloaded("GET " + target);
        assertThat(answer.field("Content-Length")).isEqualTo(Integer.toString(SIZE));
        assertThat(answer.field("Content-Type")).isEqualTo("application/octet-stream");
        assertThat(answer.field("Last-Modified")).isNotEmpty();
        assertThat(answer.field("Accept-Ranges")).isEqualTo("bytes");
        assertThat(answer.field("X-Content-Type-Options")).isEqualTo(isMarked ? "nosniff" : "");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void headOfAFile(boolean isMarked) throws Exception {
        String target = target(isMarked);

        Answer answer = send(site.port(), "HEAD", target);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.field("Content-Length")).isEqualTo(Integer.toString(SIZE));
        assertOffloaded("HEAD " + target);
    }

    @Test
    void fileInAnswerToAPost() throws Exception {
        String target = target(true);

        Answer answer = send(site.port(), "POST", target, "Content-Length: 0");

        assertWhole(answer);
        assertOffloaded("POST " + target);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rangeOfAFile(boolean isMarked) throws Exception {
        int[][] ranges = {{0, 9}, {1000, 1000}, {SIZE - 5, SIZE - 1}};
        for (int[] range : ranges) {
            String suffix = range[1] == SIZE - 1 ? "-5" : range[0] + "-" + range[1];
            String target = target(isMarked);

            Answer answer = get(target, "Range: bytes=" + suffix);

            assertThat(answer.status()).isEqualTo(206);
            assertThat(answer.field("Content-Range")).isEqualTo("bytes " + range[0] + "-" + range[1] + "/" + SIZE);
            assertThat(answer.content()).isEqualTo(Arrays.copyOfRange(CONTENT, range[0], range[1] + 1));
            assertOffloaded("GET " + target);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void severalRangesOfAFile(boolean isMarked) throws Exception {
        Answer answer = get(target(isMarked), "Range: bytes=0-1,299998-299999");

        assertThat(answer.status()).isEqualTo(206);
        assertThat(answer.field("Content-Type")).startsWith("multipart/byteranges; boundary=");
        assertThat(answer.text()).containsIgnoringCase("Content-Range: bytes 299998-299999/" + SIZE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rangeBeyondTheEnd(boolean isMarked) throws Exception {
        Answer answer = get(target(isMarked), "Range: bytes=" + SIZE + "-");

        assertThat(answer.status()).isEqualTo(416);
        assertThat(answer.field("Content-Range")).isEqualTo("bytes */" + SIZE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void conditionalRequest(boolean isMarked) throws Exception {
        Answer whole = get(target(isMarked));
        String modified = whole.field("Last-Modified");

        Answer same = get(target(isMarked), "If-Modified-Since: " + modified);
        assertThat(same.status()).isEqualTo(304);
        assertThat(same.content()).isEmpty();
        assertWhole(get(target(isMarked), "If-Modified-Since: Mon, 01 Jan 2001 00:00:00 GMT"));
        assertThat(get(target(isMarked), "If-Unmodified-Since: Mon, 01 Jan 2001 00:00:00 GMT")
                        .status())
                .isEqualTo(412);
        assertWhole(get(target(isMarked), "If-None-Match: \"another\""));
        assertWhole(get(target(isMarked), "Range: bytes=0-9", "If-Range: \"another\""));
        String etag = whole.field("ETag");
        assertThat(etag.isEmpty()).isEqualTo(webServer == WebServer.APACHE); // whose module gives all files the same
        if (!etag.isEmpty()) {
            assertThat(get(target(isMarked), "If-None-Match: " + etag).status()).isEqualTo(304);
            assertThat(get(target(isMarked), "If-None-Match: " + etag, "If-Modified-Since: " + modified)
                            .status())
                    .isEqualTo(304);
            assertThat(get(target(isMarked), "Range: bytes=0-9", "If-Range: " + etag)
                            .status())
                    .isEqualTo(206);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"b%20c.bin", "%C3%BC.bin", "d+e.bin"})
    void staticFileOfAnyName(String name) throws Exception {
        String target = "/probe/" + name + "?" + REQUESTS.incrementAndGet();

        assertWhole(get(target));
        assertOffloaded("GET " + target);
    }

    @ParameterizedTest
    @ValueSource(strings = {"b c.bin", "\u00fc.bin", "d+e.bin", "100%20?x=y#z;&'.bin", "../probe/a.bin"})
    void markedFileOfAnyName(String name) throws Exception {
        String target = marked(folder.resolve(name));

        assertWhole(get(target));
        assertOffloaded("GET " + target);
    }

    @ParameterizedTest
    @ValueSource(strings = {"link.bin", "../../../outside.bin"})
    void fileOutsideOfTheFolderIsSentByJetty(String name) throws Exception {
        String target = marked(folder.resolve(name));

        assertWhole(get(target));
        assertThat(sentByJetty("GET " + target)).isEqualTo(SIZE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"missing.bin", ""})
    void fileThatIsNoneIsMissing(String name) throws Exception {
        assertThat(get(marked(folder.resolve(name))).status()).isEqualTo(404);
    }

    @Test
    void clientDoesNotReachWhatOnlyJettyMay() throws Exception {
        assertThat(get("/internal/files/a.bin").status()).isEqualTo(404);
    }

    @Test
    void fileThatJettyWouldCompressIsLeftToTheWebServer() throws Exception {
        String target = "/probe/large.txt?" + REQUESTS.incrementAndGet();

        Answer answer = get(target, "Accept-Encoding: gzip");

        assertWhole(answer);
        assertThat(answer.field("Content-Encoding")).isEmpty();
        assertThat(answer.field("Content-Type")).startsWith("text/plain");
        assertOffloaded("GET " + target);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void overHTTPJettySends(boolean isMarked) throws Exception {
        String target = target(isMarked);

        assertWhole(send(site.directPort(), "GET", target));

        assertThat(sentByJetty("GET " + target)).isEqualTo(SIZE);
        Answer range = send(site.directPort(), "GET", target(isMarked), "Range: bytes=0-9");
        assertThat(range.status()).isEqualTo(206);
        assertThat(range.content()).hasSize(10);
    }
}

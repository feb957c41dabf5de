package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The demo, with either web server in front. */
class DemoIT {
    private static final Duration START_LIMIT = Duration.ofSeconds(90);
    private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:\\d+/");

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"nginx", "gateway"})
    void servesTheSampleAndLeavesNothingBehind(String front) throws Exception {
        if (front.equals("nginx")) {
            WebServers.require(front);
        }
        List<ProcessHandle> children;
        try (ServerProcess demo = launch("-Ddemo.front=" + front, "-Ddemo.port=" + Ports.free())) {
            URI address = awaitAddress(demo);
            children = ProcessHandle.of(demo.pid()).orElseThrow().descendants().toList();
            assertThat(children).hasSizeGreaterThanOrEqualTo(2);

            Info info = Info.of(send(HttpRequest.newBuilder(address.resolve("/info/a%20b?format=json&x=%C3%A9"))));
            assertThat(info.get("pathInfo")).isEqualTo("/a b");
            assertThat(info.parameter("x")).containsExactly("\u00e9");
            assertThat(info.get("requestURL"))
                    .isEqualTo(address.resolve("/info/a%20b").toString());
            assertThat(info.get("remoteAddr")).isEqualTo("127.0.0.1");
            assertThat(send(HttpRequest.newBuilder(address)).body()).contains("</html>");
            String content = "content ".repeat(5_000);
            assertThat(send(HttpRequest.newBuilder(address.resolve("/echo")).POST(BodyPublishers.ofString(content)))
                            .body())
                    .isEqualTo(content);
        }
        assertThat(children).noneMatch(ProcessHandle::isAlive);
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void takesAnotherPortWhileTheUsualOneIsInUse() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ServerProcess demo = launch("-Ddemo.front=gateway", "-Ddemo.port=" + other.getLocalPort())) {
            URI address = awaitAddress(demo);

            assertThat(address.getPort()).isNotEqualTo(other.getLocalPort());
            assertThat(send(HttpRequest.newBuilder(address)).statusCode()).isEqualTo(200);
        }
    }

    private ServerProcess launch(String... properties) throws URISyntaxException {
        URI classes =
                Demo.class.getProtectionDomain().getCodeSource().getLocation().toURI();
        List<String> command = Stream.of(
                        Stream.of(Path.of(System.getProperty("java.home"), "bin", "java")
                                .toString()),
                        Stream.of(properties),
                        Stream.of(
                                "-Djava.io.tmpdir=" + directory,
                                "-Dit.distribution=" + Distribution.jettyHome().getParent(),
                                "-cp",
                                Path.of(classes).toString(),
                                Demo.class.getName()))
                .flatMap(part -> part)
                .toList();
        return ServerProcess.start("demo", directory, command);
    }

    private static URI awaitAddress(ServerProcess demo) throws InterruptedException {
        Matcher address = ADDRESS.matcher(demo.awaitOutput("http://", START_LIMIT));
        assertThat(address.find()).isTrue();
        return URI.create(address.group());
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
    }
}

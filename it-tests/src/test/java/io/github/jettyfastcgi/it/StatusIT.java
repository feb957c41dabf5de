package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.eclipse.jetty.util.ajax.JSON;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The status module behind nginx: who may see it, while all threads are blocked, by Prometheus, in a browser. */
class StatusIT {
    private static final int MAX_THREADS = 12;
    private static final int MAX_MILLIS = 100;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** What the page takes for a phone. */
    private static final Map<String, Object> PHONE =
            Map.of("width", 390, "height", 844, "deviceScaleFactor", 1, "mobile", true);

    @TempDir
    static Path directory;

    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static int port;
    private static JettyBase base;
    private static ServerProcess jetty;
    private static NginxServer nginx;

    @BeforeAll
    static void start() throws Exception {
        WebServers.require("nginx");
        // Those beside the status would keep requests waiting, were they in front of it.
        base = JettyBase.create(
                        directory.resolve("base"),
                        "fastcgi-unix",
                        "fastcgi-status",
                        "qos",
                        "statistics",
                        "thread-limit",
                        "rewrite",
                        "ee10-deploy",
                        "ee10-jsp")
                .copy(Resources.directory("status"));
        jetty = base.start(
                List.of(),
                "jetty.threadPool.minThreads=4",
                "jetty.threadPool.maxThreads=" + MAX_THREADS,
                "jetty.qos.maxRequestCount=100",
                "jetty.fastcgi.status.interval=200");
        port = Ports.free();
        nginx = NginxServer.start(directory.resolve("nginx"), NginxExample.configuration(base, port));
    }

    @AfterAll
    static void stop() {
        try (ServerProcess first = jetty;
                NginxServer second = nginx) {
            assertThat(second.takeErrors()).isEmpty();
            assertThat(first.isAlive()).isTrue();
        }
    }

    private static URI uri(String target) {
        return URI.create("http://127.0.0.1:" + port + target);
    }

    private static HttpRequest request(String target) {
        return HttpRequest.newBuilder(uri(target)).timeout(LIMIT).build();
    }

    private static HttpResponse<String> get(String target) throws IOException, InterruptedException {
        return CLIENT.send(request(target), HttpResponse.BodyHandlers.ofString());
    }

    private static Map<?, ?> json() throws IOException, InterruptedException {
        return (Map<?, ?>) new JSON().fromJSON(get("/fastcgi-status?json").body());
    }

    private static long figure(Map<?, ?> json, String group, String name) {
        return ((Number) ((Map<?, ?>) json.get(group)).get(name)).longValue();
    }

    private static List<CompletableFuture<HttpResponse<String>>> slowRequests(int count, int millis) {
        return IntStream.range(0, count)
                .mapToObj(i -> CLIENT.sendAsync(
                        request("/slow/?status=200&millis=" + millis), HttpResponse.BodyHandlers.ofString()))
                .toList();
    }

    @Test
    void answersWhileAllThreadsAreBlocked() throws Exception {
        assertThat(get("/slow/?status=200&millis=0").statusCode()).isEqualTo(200); // JSP compiled
        var slow = slowRequests(2 * MAX_THREADS, 2500);
        Map<?, ?> json = json();
        while (figure(json, "requests", "waitingForThread") == 0 || figure(json, "threads", "idle") > 0) {
            json = json();
        }

        List<Long> millis = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            long begin = System.nanoTime();
            assertThat(get("/fastcgi-status/ping").body()).isEqualTo("pong\n");
            assertThat(get("/fastcgi-status?full").body()).contains("state:");
            millis.add((System.nanoTime() - begin) / 1_000_000);
        }
        json = json();

        assertThat(figure(json, "requests", "waitingForThread"))
                .as("all threads are blocked still")
                .isPositive();
        assertThat(millis.stream().sorted().skip(4).findFirst().orElseThrow())
                .as("both answers together, in milliseconds: " + millis)
                .isLessThan(MAX_MILLIS);
        for (var each : slow) {
            assertThat(each.get().body()).isEqualTo("slow\n");
        }
    }

    @Test
    void openMetricsAreReadByAnotherParser() throws Exception {
        get("/slow/?status=404&millis=0");
        HttpResponse<String> response = get("/fastcgi-status?openmetrics");
        Path file = Files.writeString(directory.resolve("metrics.txt"), response.body());
        String script = """
                import sys
                from prometheus_client.openmetrics.parser import text_string_to_metric_families
                for family in text_string_to_metric_families(open(sys.argv[1]).read()):
                    print(family.name, family.type, family.unit, len(family.samples))
                """;

        assertThat(response.headers().firstValue("Content-Type"))
                .contains("application/openmetrics-text; version=1.0.0; charset=utf-8");
        WebServers.require("chromedriver"); // what installs that has installed the parser, too
        try (ServerProcess python =
                ServerProcess.start("python3", directory, List.of("/usr/bin/python3", "-c", script, file.toString()))) {
            assertThat(python.awaitExit(LIMIT)).as(python.tail()).isZero();
            assertThat(python.output())
                    .contains(
                            "fastcgi_requests counter  5",
                            "fastcgi_connections gauge  1",
                            "fastcgi_sent_bytes counter bytes 1",
                            "fastcgi_connector_backlog gauge  1",
                            "fastcgi_request_duration_seconds histogram seconds 23");
        }
    }

    @Test
    void answersWithoutAWebServerToWhoSaysThatHeIsHere() throws Exception {
        List<String> command = List.of(
                "env",
                "REQUEST_METHOD=GET",
                "REQUEST_URI=/fastcgi-status/ping",
                "REMOTE_ADDR=127.0.0.1",
                WebServers.require("cgi-fcgi").toString(),
                "-bind",
                "-connect",
                base.unixSocket().toString());

        try (ServerProcess program = ServerProcess.start("cgi-fcgi", directory, command)) {
            assertThat(program.awaitExit(LIMIT)).as(program.tail()).isZero();
            assertThat(program.output()).contains("Status: 200 OK", "pong");
        }
    }

    @Test
    void pageShowsWhatHappensAsItHappens() throws Exception {
        try (Browser browser = Browser.start(directory.resolve("browser"))) {
            browser.open(uri("/fastcgi-status"));
            browser.await("return document.querySelector('#freshness').innerText === 'Live'");
            long before = (Long) browser.run(finished());
            var slow = slowRequests(2, 4000);
            AtomicBoolean stopped = new AtomicBoolean();
            CompletableFuture<Void> load = CompletableFuture.runAsync(() -> load(stopped));
            try {
                browser.await(finished().replace(";", " > " + (before + 50) + ";"));
                browser.await("return document.querySelectorAll('#running td').length >= 10");
                browser.await("return [...document.querySelectorAll('svg path')].length === 8"
                        + " && [...document.querySelectorAll('#rate-chart path, #time-chart .series-1')]"
                        + ".every(path => (path.getAttribute('d').match(/L/g) ?? []).length > 3)");

                assertThat(browser.text("#running"))
                        .contains("GET /slow/\thandled")
                        .doesNotContain("millis");
                assertThat((String)
                                browser.run("return document.querySelector('#rate-chart').getAttribute('aria-label')"))
                        .matches("Requests per second: now .*, at most .*");
                assertThat(browser.text("#advice")).isNotBlank();
                assertLooksRight(browser);
            } finally {
                stopped.set(true);
                load.join();
            }
            for (var each : slow) {
                assertThat(each.get().statusCode()).isEqualTo(200);
            }
            browser.await("return document.querySelector('#running').innerText === 'None'");
            assertThat(browser.console()).as("console").isEmpty();
        }
    }

    private static String finished() {
        return "return Number(document.querySelector('#totals td').innerText.replaceAll(',', ''));";
    }

    private static void load(AtomicBoolean stopped) {
        try {
            while (!stopped.get()) {
                get("/slow/?status=200&millis=2");
            }
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void assertLooksRight(Browser browser) throws Exception {
        Path pictures = Files.createDirectories(Path.of("target", "status-pictures"));
        String width = "return document.documentElement.scrollWidth - document.documentElement.clientWidth";
        String back = "return getComputedStyle(document.body).backgroundColor";
        assertThat(browser.run(width))
                .as("what is to the right of a wide window")
                .isEqualTo(0L);
        Object light = browser.run(back);
        browser.screenshot(pictures.resolve("light.png"));
        browser.command(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", "dark"))));
        assertThat(browser.run(back)).as("the background in the dark").isNotEqualTo(light);
        browser.screenshot(pictures.resolve("dark.png"));
        browser.command("Emulation.setDeviceMetricsOverride", PHONE);
        assertThat(browser.run(width)).as("what is to the right of a phone").isEqualTo(0L);
        browser.screenshot(pictures.resolve("phone.png"));
        Object[] resources = (Object[]) browser.run("return performance.getEntriesByType('resource').map(e => e.name)");
        assertThat(Arrays.asList(resources)).allMatch(each -> each.toString().startsWith(uri("/").toString()));
    }
}

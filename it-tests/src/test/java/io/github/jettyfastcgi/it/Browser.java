package io.github.jettyfastcgi.it;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.eclipse.jetty.util.ajax.JSON;

/** A Chromium without a window, driven by WebDriver (w3.org/TR/webdriver2) and chromedriver's additions to it. */
final class Browser implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final HttpClient client = HttpClient.newHttpClient();
    private final ServerProcess driver;
    private final String session;

    private Browser(ServerProcess driver, int port) throws IOException, InterruptedException {
        this.driver = driver;
        String root = "http://127.0.0.1:" + port + "/session";
        Map<String, Object> options = Map.of(
                "binary", WebServers.require("chromium").toString(),
                "args", List.of("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"));
        Map<?, ?> created = (Map<?, ?>) send(
                root,
                Map.of(
                        "capabilities",
                        Map.of(
                                "alwaysMatch",
                                Map.of("goog:chromeOptions", options, "goog:loggingPrefs", Map.of("browser", "ALL")))));
        this.session = root + "/" + created.get("sessionId");
    }

    static Browser start(Path directory) throws IOException, InterruptedException {
        int port = Ports.free();
        Files.createDirectories(directory);
        ServerProcess driver = ServerProcess.start(
                "chromedriver",
                directory,
                List.of(WebServers.require("chromedriver").toString(), "--port=" + port));
        try {
            driver.awaitAccepting(port, LIMIT);
            return new Browser(driver, port);
        } catch (Throwable e) {
            driver.close();
            throw e;
        }
    }

    private Object send(String uri, Map<String, ?> command) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(uri))
                .POST(HttpRequest.BodyPublishers.ofString(new JSON().toJSON(command)))
                .timeout(LIMIT)
                .build();
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new AssertionError(command + ": " + response.body() + "\n" + driver.tail());
        }
        return ((Map<?, ?>) new JSON().fromJSON(response.body())).get("value");
    }

    void open(URI uri) throws IOException, InterruptedException {
        send(session + "/url", Map.of("url", uri.toString()));
    }

    /** What a function's body returns. */
    Object run(String script) throws IOException, InterruptedException {
        return send(session + "/execute/sync", Map.of("script", script, "args", List.of()));
    }

    /** The text of an element. */
    String text(String selector) throws IOException, InterruptedException {
        return (String) run("return document.querySelector('" + selector + "').innerText");
    }

    /** Waits until a function's body returns true. */
    void await(String script) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        while (!Boolean.TRUE.equals(run(script))) {
            if (System.nanoTime() - begin > LIMIT.toNanos()) {
                throw new AssertionError("Waited in vain: " + script + "\n" + text("body"));
            }
            Thread.sleep(50);
        }
    }

    /** Runs a command of Chromium's own protocol. */
    void command(String command, Map<String, ?> parameters) throws IOException, InterruptedException {
        send(session + "/goog/cdp/execute", Map.of("cmd", command, "params", parameters));
    }

    /** What the console says since the last call. */
    List<String> console() throws IOException, InterruptedException {
        Object[] entries = (Object[]) send(session + "/se/log", Map.of("type", "browser"));
        return Arrays.stream(entries)
                .map(entry -> String.valueOf(((Map<?, ?>) entry).get("message")))
                .toList();
    }

    /** Takes a picture of what is seen. */
    void screenshot(Path file) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(session + "/screenshot")).build();
        Map<?, ?> answer = (Map<?, ?>) new JSON()
                .fromJSON(client.send(request, HttpResponse.BodyHandlers.ofString())
                        .body());
        Files.write(file, Base64.getDecoder().decode((String) answer.get("value")));
    }

    @Override
    public void close() {
        try (driver) {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(session)).DELETE().build();
            client.send(request, HttpResponse.BodyHandlers.discarding());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(Stream.of(driver.tail()).findFirst().orElseThrow(), e);
        }
    }
}

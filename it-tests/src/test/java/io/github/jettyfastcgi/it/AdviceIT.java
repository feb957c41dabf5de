package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.eclipse.jetty.util.ajax.JSON;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each advice comes where something is wrong and goes where its own line was applied, and the configurations that are
 * recommended get none. Figures are taken so often that the window of the advice is three seconds long.
 */
class AdviceIT {
    /** The servers of {@code advice-nginx.conf}. */
    private enum Front {
        GOOD,
        UNKEPT,
        SMALL_POOL,
        TCP,
        SMALL_BUFFER,
        UNGATHERED,
        IMPATIENT,
        BUSY,
        LIMITED,
        PORTLESS,
        URILESS
    }

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration WINDOW = Duration.ofMillis(3500);
    private static final int PARALLEL = 16;
    private static final int PARALLEL_MIXED = 4;
    private static final long POLL = 20;
    private static final int LARGE = 2_000_000;
    private static final byte[] CONTENT = new byte[300_000];

    @TempDir
    static Path directory;

    private static final Map<Front, Integer> PORTS = new EnumMap<>(Front.class);
    private static final List<AutoCloseable> RUNNING = new ArrayList<>();
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static JettyBase base;
    private static Certificate certificate;
    private static int fastcgiPort;

    @BeforeAll
    static void start() throws Exception {
        WebServers.require("nginx");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x")); // for Apache's user
        base = JettyBase.create(
                        directory.resolve("base"),
                        "fastcgi-unix",
                        "fastcgi-tcp",
                        "fastcgi-status",
                        "ee10-deploy",
                        "ee10-jsp")
                .copy(Resources.directory("advice"));
        Files.write(base.directory().resolve("webapps/advice/large.bin"), new byte[LARGE]);
        certificate = Certificate.create(directory);
        fastcgiPort = Ports.free();
        startJetty("run/fastcgi.sock", fastcgiPort, "jetty.fastcgi.slowlog.threshold=60000");
        // Each of these has settings that the advice is to change into what the first one has
        startJetty(
                "run/busy.sock",
                Ports.free(),
                "jetty.threadPool.maxThreads=14",
                "jetty.fastcgi.idleTimeout=400",
                "etc/forwarded.xml");
        startJetty("run/limited.sock", Ports.free(), "jetty.fastcgi.maxRequests=2", "jetty.threadPool.maxThreads=1000");
        RUNNING.add(NginxServer.start(
                directory.resolve("nginx"), Template.fill("advice-nginx.conf", configurationValues())));
    }

    private static void startJetty(String socket, int port, String... arguments) throws InterruptedException {
        List<String> all = new ArrayList<>(List.of(
                "jetty.fastcgi.unix.path=" + socket,
                "jetty.fastcgi.unix.mode=0666",
                "jetty.fastcgi.tcp.port=" + port,
                "jetty.threadPool.minThreads=4",
                "jetty.fastcgi.status.interval=10"));
        all.addAll(Arrays.asList(arguments));
        RUNNING.add(base.start(List.of("-Xmx128m"), all.toArray(String[]::new)));
    }

    private static Map<String, String> configurationValues() {
        Map<String, String> values = new HashMap<>();
        values.put("user", NginxServer.userDirective());
        values.put("socket", base.unixSocket().toString());
        values.put("busySocket", base.directory().resolve("run/busy.sock").toString());
        values.put("limitedSocket", base.directory().resolve("run/limited.sock").toString());
        values.put("fastcgiPort", Integer.toString(fastcgiPort));
        values.put("files", base.directory().resolve("webapps/advice").toString());
        for (Front front : Front.values()) {
            PORTS.put(front, Ports.free());
            values.put(front.name(), Integer.toString(PORTS.get(front)));
        }
        return values;
    }

    @AfterAll
    static void stop() throws Exception {
        for (AutoCloseable each : RUNNING) {
            each.close();
        }
    }

    /**
     * Something that clients do, over and over; if there are several targets, separated by blanks, each has his own.
     *
     * @param patience how long the first client waits for an answer, the next ones up to eight times as long
     */
    private record Load(String method, String targets, Duration patience, String... fields) {
        Load(String targets) {
            this("GET", targets);
        }

        Load(String method, String targets, String... fields) {
            this(method, targets, LIMIT, fields);
        }

        HttpRequest request(int port, int client) {
            String[] all = targets.split(" ");
            String target = all[client % all.length];
            HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + target))
                    .timeout(patience.multipliedBy(1 + client % 8))
                    .method(
                            method,
                            method.equals("POST")
                                    ? HttpRequest.BodyPublishers.ofByteArray(CONTENT)
                                    : HttpRequest.BodyPublishers.noBody());
            for (int i = 0; i < fields.length; i += 2) {
                builder.header(fields[i], fields[i + 1].replace("{port}", Integer.toString(port)));
            }
            return builder.build();
        }

        /** Keeps several clients busy until a condition holds. */
        void until(int port, String what, Predicate<List<String>> condition) throws Exception {
            try (Clients clients = new Clients()) {
                clients.start(this, port, PARALLEL);
                awaitAdvice(port, what, condition);
            }
        }
    }

    /** Clients that are busy until they are closed. */
    private static final class Clients implements AutoCloseable {
        private final AtomicBoolean stopped = new AtomicBoolean();
        private final List<CompletableFuture<Void>> clients = new ArrayList<>();

        void start(Load load, int port, int count) {
            for (int i = 0; i < count; i++) {
                int number = i;
                clients.add(
                        CompletableFuture.runAsync(() -> repeat(load, port, number), task -> new Thread(task).start()));
            }
        }

        private void repeat(Load load, int port, int number) {
            HttpClient client =
                    HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
            while (!stopped.get()) {
                try {
                    client.send(load.request(port, number), HttpResponse.BodyHandlers.discarding());
                } catch (IOException e) {
                    // an answer that nginx cuts off, or that the client doesn't wait for: what is wrong
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        }

        @Override
        public void close() {
            stopped.set(true);
            clients.forEach(CompletableFuture::join);
        }
    }

    private static void awaitAdvice(int port, String what, Predicate<List<String>> condition) throws Exception {
        long begin = System.nanoTime();
        List<String> advice = advice(port);
        while (!condition.test(advice)) {
            if (System.nanoTime() - begin > LIMIT.toNanos()) {
                throw new AssertionError("Waited in vain: " + what + ", but:\n" + String.join("\n", advice));
            }
            Thread.sleep(POLL);
            advice = advice(port);
        }
    }

    /** The advice there is, each with its title, its figure and its lines. */
    private static List<String> advice(int port) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/fastcgi-status?json"))
                .timeout(LIMIT)
                .build();
        HttpResponse<String> response = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
        // What a request gets that meets a connection just being closed, which is what one advice is about
        if (response.statusCode() == 502) {
            return advice(port);
        }
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        Object[] advice = (Object[]) ((Map<?, ?>) new JSON().fromJSON(response.body())).get("advice");
        return Arrays.stream(advice)
                .map(each -> (Map<?, ?>) each)
                .map(each -> each.get("title") + "\n" + each.get("figure") + "\n" + each.get("change"))
                .toList();
    }

    private static boolean mentions(List<String> advice, String text) {
        return advice.stream().anyMatch(each -> each.contains(text));
    }

    /**
     * Something that is wrong.
     *
     * @param line the line that mends it
     * @param rightFront where that line was applied
     */
    private record Scenario(String line, Front wrongFront, Load wrongLoad, Front rightFront, Load rightLoad) {
        Scenario(String line, Front wrongFront, Load load) {
            this(line, wrongFront, load, Front.GOOD, load);
        }

        void awaitAdvice() throws Exception {
            wrongLoad.until(PORTS.get(wrongFront), line, advice -> mentions(advice, line));
        }
    }

    private static final Load NONE = new Load("/advice/none.jsp");
    private static final Load WAIT = new Load("/advice/wait.jsp?millis=10");
    private static final Load LEAVE = new Load("GET", "/advice/wait.jsp?millis=1000", Duration.ofMillis(100));
    private static final Load LINK = new Load("GET", "/advice/none.jsp", "Referer", "http://127.0.0.1:{port}/page");

    /** Those first whose figures disturb the next least. */
    private static final List<Scenario> SCENARIOS = List.of(
            new Scenario("fastcgi_param REQUEST_URI $request_uri;", Front.URILESS, NONE),
            new Scenario("fastcgi_param HTTP_HOST $http_host;", Front.PORTLESS, LINK),
            new Scenario("server unix:", Front.TCP, NONE),
            new Scenario(
                    "<%@ page session=\"false\" %>", Front.GOOD, new Load("/advice/session.jsp"), Front.GOOD, NONE),
            new Scenario(
                    "internal;",
                    Front.GOOD,
                    new Load("/advice/large.bin"),
                    Front.GOOD,
                    new Load("/advice/offload.jsp")),
            new Scenario(
                    "fastcgi_request_buffering off;",
                    Front.GOOD,
                    new Load("POST", "/advice/stream.jsp"),
                    Front.UNGATHERED,
                    new Load("POST", "/advice/stream.jsp")),
            new Scenario(
                    "fastcgi_buffer_size 16k;",
                    Front.SMALL_BUFFER,
                    new Load("/advice/none.jsp /advice/head.jsp?size=6000")),
            new Scenario("fastcgi_read_timeout 60s;", Front.IMPATIENT, new Load("/advice/wait.jsp?millis=1200")),
            new Scenario("keepalive ", Front.SMALL_POOL, WAIT),
            new Scenario("fastcgi_keep_conn on;", Front.UNKEPT, NONE),
            // Settings of Jetty, which are right behind the other server
            new Scenario("jetty.threadPool.maxThreads=200", Front.BUSY, WAIT),
            new Scenario("ForwardedRequestCustomizer", Front.BUSY, NONE),
            new Scenario("jetty.fastcgi.slowlog.threshold=", Front.BUSY, LEAVE),
            new Scenario("jetty.fastcgi.maxRequests=", Front.LIMITED, WAIT),
            new Scenario("jetty.threadPool.maxThreads=200", Front.LIMITED, NONE));

    /** The wrong way first, until the advice is there, then all that is right at once, until there is none. */
    @Test
    void eachAdviceComesAndGoesWithItsOwnLine() throws Exception {
        for (Scenario scenario : SCENARIOS) {
            scenario.awaitAdvice();
        }
        awaitAdviceOnIdleConnections();

        try (Clients clients = new Clients()) {
            SCENARIOS.stream()
                    .map(each -> List.of(each.rightFront(), each.rightLoad()))
                    .distinct()
                    .forEach(each -> clients.start((Load) each.get(1), PORTS.get((Front) each.get(0)), PARALLEL_MIXED));
            awaitAdvice(PORTS.get(Front.GOOD), "no advice any more", List::isEmpty);
            long end = System.nanoTime() + WINDOW.toNanos() / 2;
            while (System.nanoTime() < end) {
                assertThat(advice(PORTS.get(Front.GOOD))).isEmpty();
                Thread.sleep(POLL);
            }
        }
    }

    /** Connections of a pool that ends them later than Jetty. */
    private static void awaitAdviceOnIdleConnections() throws Exception {
        WAIT.until(PORTS.get(Front.BUSY), "any advice", advice -> !advice.isEmpty());

        String line = "jetty.fastcgi.idleTimeout=90000";
        awaitAdvice(PORTS.get(Front.BUSY), line, advice -> mentions(advice, line));
    }

    @ParameterizedTest
    @EnumSource
    void recommendedConfigurationsGetNone(WebServer kind) throws Exception {
        Path own = Files.createDirectories(directory.resolve(kind.name()));
        certificate.writePem(own.resolve("site.crt"), own.resolve("site.key"));
        Files.copy(own.resolve("site.crt"), own.resolve("clients.pem"));
        Files.writeString(
                own.resolve("site.pem"),
                Files.readString(own.resolve("site.crt")) + Files.readString(own.resolve("site.key")));
        WebServerSettings settings =
                new WebServerSettings(own, Transport.UNIX, base.unixSocket(), fastcgiPort, Ports.free(), Ports.free());
        try (RunningWebServer server =
                RunningWebServer.start(kind, settings, base.directory().resolve("fastcgi-examples"))) {
            long end = System.nanoTime() + WINDOW.toNanos();
            NONE.until(settings.port(), "time passes", advice -> System.nanoTime() > end);

            assertThat(advice(settings.port())).as(server.describe()).isEmpty();
        }
    }
}

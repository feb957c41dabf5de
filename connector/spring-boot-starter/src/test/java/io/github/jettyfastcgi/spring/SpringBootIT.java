package io.github.jettyfastcgi.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jetty.JettyWebServer;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;

/** A Spring Boot application with a few properties, behind nginx with TLS as the archive's example has it. */
@Timeout(60)
class SpringBootIT {
    private static final Pattern CSRF_FIELD = Pattern.compile("name=\"_csrf\"[^>]* value=\"([^\"]+)\"");

    @TempDir
    static Path directory;

    private static ServletWebServerApplicationContext application;
    private static Nginx nginx;

    private final HttpClient client = HttpClient.newBuilder()
            .sslContext(nginx.clientContext())
            .cookieHandler(new CookieManager())
            .build();

    @BeforeAll
    static void start() throws Exception {
        Path socket = directory.resolve("shop.sock");
        application = run("--fastcgi.unix.path=" + socket, "--server.port=-1", "--server.shutdown=graceful");
        nginx = Nginx.start(Files.createDirectory(directory.resolve("nginx")), "unix:" + socket);
    }

    @AfterAll
    static void stop() throws Exception {
        if (nginx != null) nginx.close();
        if (application != null) application.close();
    }

    static ServletWebServerApplicationContext run(String... arguments) {
        return (ServletWebServerApplicationContext) new SpringApplicationBuilder(ShopApplication.class).run(arguments);
    }

    private static HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(nginx.url() + path)).timeout(Duration.ofSeconds(30));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(request(path));
    }

    private HttpResponse<String> logIn(String password) throws IOException, InterruptedException {
        String token = found(CSRF_FIELD, get("/login").body());
        return send(request("/login")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("username=alice&password=" + password + "&_csrf="
                        + URLEncoder.encode(token, StandardCharsets.US_ASCII))));
    }

    private static String found(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        assertThat(matcher.find()).as(text).isTrue();
        return matcher.group(1);
    }

    private static Connector[] connectors() {
        return server().getConnectors();
    }

    private static Server server() {
        return ((JettyWebServer) application.getWebServer()).getServer();
    }

    @Test
    void noPortIsOpen() {
        assertThat(connectors()).singleElement().hasFieldOrPropertyWithValue("name", "fastcgi-unix");
        assertThat(application.getWebServer().getPort()).isEqualTo(-1);
    }

    @Test
    void urlAndClientAreThoseOfTheWebServer() throws Exception {
        HttpResponse<String> response = send(request("/url")
                .header("X-Forwarded-For", "192.0.2.1")
                .header("X-Forwarded-Proto", "http")
                .header("X-Forwarded-Host", "evil.example"));

        assertThat(response.body()).isEqualTo(nginx.url() + "/url true 127.0.0.1");
    }

    @Test
    void redirectsHaveSchemeHostAndPort() throws Exception {
        assertThat(get("/moved").headers().firstValue("Location")).hasValue(nginx.url() + "/url");
    }

    @Test
    void loginLeadsBackToThePage() throws Exception {
        HttpResponse<String> refused = send(request("/account").header("Accept", "text/html"));
        assertThat(refused.statusCode()).isEqualTo(302);
        URI login = URI.create(nginx.url() + "/account")
                .resolve(refused.headers().firstValue("Location").orElseThrow());
        assertThat(login).isEqualTo(URI.create(nginx.url() + "/login"));

        HttpResponse<String> accepted = logIn("wonderland");

        assertThat(accepted.statusCode()).isEqualTo(302);
        assertThat(accepted.headers().firstValue("Location").orElseThrow()).startsWith(nginx.url() + "/account");
        assertThat(get("/account").body()).startsWith("alice ");
    }

    @Test
    void wrongPasswordAndMissingTokenAreRefused() throws Exception {
        assertThat(logIn("looking-glass").headers().firstValue("Location").orElseThrow())
                .endsWith("/login?error");
        assertThat(get("/account").statusCode()).isEqualTo(302);

        logIn("wonderland");
        HttpResponse<String> response = send(request("/upload").POST(BodyPublishers.ofString("")));

        assertThat(response.statusCode()).isEqualTo(403);
    }

    @Test
    void multipartFormIsUploaded() throws Exception {
        logIn("wonderland");
        String token = get("/account").body().substring("alice ".length());
        String boundary = "Z";
        String file = "0123456789".repeat(50_000);
        String form = "--Z\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nHolidays\r\n"
                + "--Z\r\nContent-Disposition: form-data; name=\"file\"; filename=\"photo.jpg\"\r\n"
                + "Content-Type: image/jpeg\r\n\r\n" + file + "\r\n--Z--\r\n";

        HttpResponse<String> response = send(request("/upload")
                .header("Content-Type", "multipart/form-data; boundary=" + boundary)
                .header("X-CSRF-TOKEN", token)
                .POST(BodyPublishers.ofString(form)));

        assertThat(response.body()).isEqualTo("Holidays: photo.jpg of 500000");
    }

    @Test
    @SuppressWarnings("unchecked")
    void eventsArriveOneByOne() throws Exception {
        Queue<String> events = application.getBean("events", Queue.class);
        logIn("wonderland");
        events.add("first"); // Spring sends nothing, not even the head, before it
        HttpResponse<InputStream> response = client.send(request("/events").build(), BodyHandlers.ofInputStream());
        assertThat(response.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/event-stream");

        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
            for (String next : new String[] {"second", "third", "end"}) {
                assertThat(lines.readLine()).startsWith("data:");
                assertThat(lines.readLine()).isEmpty();
                events.add(next); // not before the one in front of it was read
            }
            assertThat(lines.readLine()).isNull();
        }
    }

    @Test
    void healthIsTold() throws Exception {
        assertThat(get("/actuator/health").body()).contains("\"status\":\"UP\"");
    }

    @Test
    void serverOfItsOwnForManagementListensOverHTTPAlone() {
        Path socket = directory.resolve("managed.sock");

        // A second server on the socket would refuse to start
        try (ServletWebServerApplicationContext managed =
                run("--fastcgi.unix.path=" + socket, "--server.port=-1", "--management.server.port=0")) {
            assertThat(managed.getEnvironment().getProperty("local.management.port", int.class))
                    .satisfies(port -> assertThat(Nginx.accepts(port)).isTrue());
        }
    }

    @Test
    void runningRequestIsAnsweredBeforeTheEnd() throws Exception {
        Path socket = directory.resolve("slow.sock");
        ServletWebServerApplicationContext slow =
                run("--fastcgi.unix.path=" + socket, "--server.port=-1", "--server.shutdown=graceful");
        ShopApplication.Gate gate = slow.getBean(ShopApplication.Gate.class);
        AbstractConnector connector = (AbstractConnector)
                ((JettyWebServer) slow.getWebServer()).getServer().getConnectors()[0];
        try (Nginx front = Nginx.start(Files.createDirectory(directory.resolve("slow")), "unix:" + socket)) {
            HttpClient patient =
                    HttpClient.newBuilder().sslContext(front.clientContext()).build();
            HttpRequest request = HttpRequest.newBuilder(URI.create(front.url() + "/slow"))
                    .timeout(Duration.ofSeconds(30))
                    .build();
            CompletableFuture<HttpResponse<String>> response = patient.sendAsync(request, BodyHandlers.ofString());
            assertThat(gate.entered.await(30, TimeUnit.SECONDS)).isTrue();

            Thread closer = new Thread(slow::close, "closer");
            closer.start();
            while (!connector.isShutdown()) Thread.onSpinWait();
            assertThat(response).isNotDone();
            gate.opened.countDown();

            assertThat(response.get(30, TimeUnit.SECONDS).body()).isEqualTo("done");
            closer.join();
            assertThat(socket).doesNotExist();
        } finally {
            gate.opened.countDown();
            slow.close();
        }
    }
}

package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Web servers that ask Jetty whether a request is allowed, with their examples and the secret that these have. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@ParameterizedClass(name = "{0}")
@EnumSource
class AuthorizerIT {
    /** What asks. */
    enum Asker {
        LIGHTTPD("lighttpd", "lighttpd.conf", "-D", "-f"),
        MOD_FCGID("apache2", "apache-fcgid.conf", "-DFOREGROUND", "-f"),
        MOD_AUTHNZ_FCGI("apache2", "apache-authnz_fcgi.conf", "-DFOREGROUND", "-f");

        private final String program;
        private final String example;
        private final List<String> arguments;

        Asker(String program, String example, String... arguments) {
            this.program = program;
            this.example = example;
            this.arguments = List.of(arguments);
        }

        private boolean isApache() {
            return this != LIGHTTPD;
        }
    }

    private static final Duration START_LIMIT = Duration.ofSeconds(20);
    private static final String SCRIPT = "fcgid-to-jetty.sh";
    private static final String ALICE = "alice:secret";
    private static final String PATH = "jetty.fastcgi.authorizerPath=/authorize";

    @TempDir
    static Path directory;

    private static JettyBase base;
    private static List<String> settings;
    private static ServerProcess jetty;
    private static ServerProcess server;
    private static int port;

    @RegisterExtension
    static final DescribeFailure DESCRIBE_FAILURE = new DescribeFailure(() -> jetty.tail() + "\n" + server.tail());

    @Parameter
    Asker asker;

    @BeforeParameterizedClassInvocation
    static void start(Asker asker) throws Exception {
        Path program = WebServers.require(asker.program);
        if (asker == Asker.MOD_FCGID) {
            WebServers.require("/usr/lib/apache2/modules/mod_fcgid.so");
        }
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
        Path own = Files.createDirectory(directory.resolve(asker.name()));
        Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxr-xr-x"));
        base = JettyBase.create(own.resolve("base"), "fastcgi-unix", "fastcgi-tcp", "ee10-deploy", "ee10-jsp")
                .copy(Resources.directory("authorizer/base"));
        Files.writeString(
                base.directory().resolve("webapps/authorize/authorizer.jsp"),
                Template.fill(
                        "authorizer/authorizer.jsp",
                        Map.of("snippet", Documentation.snippet("README.md", "authorizer"))));
        int fastcgiPort = Ports.free();
        settings = new ArrayList<>(List.of("jetty.fastcgi.secret=the secret", "jetty.fastcgi.tcp.port=" + fastcgiPort));
        if (WebServerSettings.isRoot()) {
            settings.add("jetty.fastcgi.unix.group=" + WebServerSettings.UNPRIVILEGED);
        }
        startJetty(PATH);
        port = Ports.free();
        writeDocuments(own);
        Path configuration = writeConfiguration(asker, own, fastcgiPort);
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(asker.arguments);
        command.add(configuration.toString());
        server = ServerProcess.start(asker.program, own, command);
        server.awaitAccepting(port, START_LIMIT);
    }

    private static void startJetty(String... more) throws InterruptedException {
        String[] all = Stream.concat(settings.stream(), Stream.of(more)).toArray(String[]::new);
        jetty = base.start(List.of("-Xmx256m"), all);
    }

    private static void writeDocuments(Path own) throws IOException {
        Path files = Files.createDirectories(own.resolve("htdocs").resolve("files"));
        Files.writeString(files.resolve("a.txt"), "a file");
        Files.writeString(files.resolve("private.txt"), "a private file");
        Path sockets = Files.createDirectory(own.resolve("ipc"));
        Files.setPosixFilePermissions(sockets, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    private static Path writeConfiguration(Asker asker, Path own, int fastcgiPort) throws IOException {
        Path examples = base.directory().resolve("fastcgi-examples").resolve("authorizer");
        ExampleConfiguration example = ExampleConfiguration.read(examples.resolve(asker.example))
                .replace("/srv/jetty/run/fastcgi.sock", base.unixSocket().toString())
                .replace("/srv/www", own.resolve("htdocs").toString());
        if (asker.isApache()) {
            example.enable("SetEnvIf Request_URI");
            example.replace("<VirtualHost *:80>", "<VirtualHost 127.0.0.1:" + port + ">");
        } else {
            example.enable("server.modules += ( \"mod_setenv\"", "setenv.add-environment");
        }
        if (asker == Asker.MOD_AUTHNZ_FCGI) {
            example.replace("127.0.0.1:9000", "127.0.0.1:" + fastcgiPort);
        }
        if (asker == Asker.MOD_FCGID) {
            Path script = Files.writeString(
                    own.resolve(SCRIPT),
                    ExampleConfiguration.read(examples.resolve(SCRIPT))
                            .replace(
                                    "/srv/jetty/run/fastcgi.sock",
                                    base.unixSocket().toString())
                            .text());
            Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
            example.replace("/usr/local/lib/" + SCRIPT, script.toString());
        }
        Path file = Files.writeString(own.resolve("example.conf"), example.text());
        String wrapper = asker.isApache() ? "authorizer/apache.conf" : "authorizer/lighttpd.conf";
        Map<String, String> words = Map.of(
                "directory", own.toString(),
                "example", file.toString(),
                "port", Integer.toString(port),
                "unprivileged",
                        WebServerSettings.isRoot()
                                ? "User " + WebServerSettings.UNPRIVILEGED + "\nGroup " + WebServerSettings.UNPRIVILEGED
                                : "");
        return Files.writeString(own.resolve("server.conf"), Template.fill(wrapper, words));
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        try {
            if (server != null) {
                server.close();
            }
        } finally {
            server = null;
            if (jetty != null) {
                jetty.close();
            }
            jetty = null;
        }
    }

    private static Answer send(Client client, String method, String target, String credentials, byte[] content)
            throws IOException {
        StringBuilder head = new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: www.example.com\r\n");
        if (credentials != null) {
            String encoded = Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
            head.append("Authorization: Basic ").append(encoded).append("\r\n");
        }
        if (content.length > 0) {
            head.append("Content-Type: application/x-www-form-urlencoded\r\n");
            head.append("Content-Length: ").append(content.length).append("\r\n");
        }
        byte[] headBytes = head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
        byte[] request = new byte[headBytes.length + content.length];
        System.arraycopy(headBytes, 0, request, 0, headBytes.length);
        System.arraycopy(content, 0, request, headBytes.length, content.length);
        return client.send(request, !method.equals("HEAD"));
    }

    private static Answer send(String method, String target, String credentials, byte... content) throws IOException {
        try (Client client = new Client(port)) {
            return send(client, method, target, credentials, content);
        }
    }

    private static void assertNothingIsToldOfTheQuestion(Answer answer) {
        assertThat(answer.head().fields()).noneMatch(field -> field.name().startsWith("Variable-USER_ID"));
        assertThat(answer.text()).doesNotContain("What nobody is to see");
    }

    @Test
    void allowedFileIsSentByTheWebServer() throws Exception {
        Answer answer = send("GET", "/files/a.txt", ALICE);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text()).isEqualTo("a file");
        assertNothingIsToldOfTheQuestion(answer);
        assertThat(send("HEAD", "/files/a.txt", ALICE).field("Content-Length")).isEqualTo("6");
    }

    @Test
    void clientIsAskedWhoHeIs() throws Exception {
        for (String credentials : new String[] {null, "alice:wrong"}) {
            for (String target : new String[] {"/files/a.txt", "/files/missing.txt", "/app/x"}) {
                Answer answer = send("GET", target, credentials);

                assertThat(answer.status()).as(target).isEqualTo(401);
                assertThat(answer.field("WWW-Authenticate")).isEqualTo("Basic realm=\"files\"");
                assertThat(answer.text()).contains("Unauthorized").doesNotContain("a file");
            }
        }
    }

    /** Apache makes of each refusal a 401 with its own page, or that of its ErrorDocument. */
    @Test
    void refusedFileIsNotSent() throws Exception {
        Answer answer = send("GET", "/files/private.txt", ALICE);

        assertThat(answer.status()).isEqualTo(asker.isApache() ? 401 : 403);
        if (asker.isApache()) {
            assertThat(answer.text()).contains("Unauthorized").doesNotContain("a private file");
        } else {
            assertThat(answer.field("Content-Type")).startsWith("text/html");
            assertThat(answer.text()).contains("HTTP ERROR 403").contains("/authorize/files/private.txt");
        }
    }

    @Test
    void noPathLeadsPastTheQuestion() throws Exception {
        for (String target :
                new String[] {"/files/../files/private.txt", "/x/../files/private.txt", "/files//private.txt"})
            assertThat(send("GET", target, ALICE).text()).as(target).doesNotContain("a private file");
    }

    @Test
    void variableReachesTheApplicationBehind() throws Exception {
        Answer answer = send("GET", "/app/x?y=1", ALICE);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text())
                .isEqualTo("GET /app/x, 0 bytes\nUSER_ID: alice\nASKED: GET /authorize/app/x, 0 bytes, AUTHORIZER\n");
        assertNothingIsToldOfTheQuestion(answer);
    }

    @Test
    void contentReachesTheApplicationBehindAlone() throws Exception {
        byte[] content = new byte[300_000];

        Answer answer = send("POST", "/app/x", ALICE, content);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text())
                .isEqualTo("POST /app/x, 300000 bytes\nUSER_ID: alice\n"
                        + "ASKED: POST /authorize/app/x, 0 bytes, AUTHORIZER\n");
    }

    @Test
    void refusedContentReachesNobody() throws Exception {
        Answer answer = send("POST", "/app/private", ALICE, new byte[10_000]);

        assertThat(answer.status()).isEqualTo(asker.isApache() ? 401 : 403);
        assertThat(answer.text()).doesNotContain("10000 bytes");
    }

    @Test
    void keptConnectionOfAClientIsAskedForEachRequest() throws Exception {
        try (Client client = new Client(port)) {
            for (int i = 0; i < 20; i++) {
                assertThat(send(client, "GET", "/app/" + i, ALICE, new byte[0]).text())
                        .startsWith("GET /app/" + i + ", 0 bytes\nUSER_ID: alice\n");
                assertThat(send(client, "GET", "/files/a.txt", null, new byte[0])
                                .status())
                        .isEqualTo(401);
                assertThat(send(client, "GET", "/files/a.txt", ALICE, new byte[0])
                                .text())
                        .isEqualTo("a file");
            }
        }
    }

    /** Jetty answers 501 then, and UNKNOWN_ROLE; lighttpd passes that on. */
    @Test
    @Order(Integer.MAX_VALUE)
    void nothingIsAllowedWithoutTheSetting() throws Exception {
        jetty.close();
        startJetty();

        for (String target : new String[] {"/files/a.txt", "/app/x"}) {
            Answer answer = send("GET", target, ALICE);

            assertThat(answer.status()).as(target).isEqualTo(asker.isApache() ? 401 : 501);
            assertThat(answer.text()).doesNotContain("a file", "USER_ID");
        }
        assertThat(send("POST", "/app/x", ALICE, new byte[300_000]).status()).isEqualTo(asker.isApache() ? 401 : 501);
    }
}

package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** AJP.md: the same application in Tomcat over AJP and in Jetty over FastCGI, behind one Apache httpd. */
class ComingFromAJPIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String AUTHORIZATION = "Authorization: Basic "
            + Base64.getEncoder().encodeToString("alice:wonderland".getBytes(StandardCharsets.US_ASCII));

    @TempDir
    static Path directory;

    private static final int BEFORE = Ports.free();
    private static final int AFTER = Ports.free();
    private static final int BALANCER = Ports.free();
    private static final List<ServerProcess> PROCESSES = new ArrayList<>();

    @BeforeAll
    static void followTheGuide() throws Exception {
        Path apache = WebServers.require("apache2");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
        int ajp = Ports.free();
        int firstNode = Ports.free();
        int secondNode = Ports.free();
        Path users = Files.writeString(directory.resolve("staff"), "alice:{SHA}" + sha1("wonderland") + "\n");
        Guide guide = guide(directory.resolve("node1"))
                .replace("/etc/apache2/staff", users.toString())
                .replace("8009", Integer.toString(ajp))
                .replace("10.0.0.1:9000", "127.0.0.1:" + firstNode)
                .replace("10.0.0.2:9000", "127.0.0.1:" + secondNode);
        startTomcat(guide);
        startJetty(guide, firstNode);
        startJetty(guide(directory.resolve("node2")).replace("=node1", "=node2"), secondNode);
        startApache(apache, guide);
    }

    private static Guide guide(Path directory) throws IOException {
        Files.createDirectory(directory);
        return new Guide("AJP.md", directory)
                .replace("group=www-data", "group=" + WebServerSettings.UNPRIVILEGED)
                .replace("tcp.allow=10.0.0.10", "tcp.allow=127.0.0.1")
                .replace("tcp.host=10.0.0.1", "tcp.host=127.0.0.1");
    }

    private static String sha1(String text) throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.US_ASCII));
        return Base64.getEncoder().encodeToString(digest);
    }

    private static void startTomcat(Guide guide) throws Exception {
        Path tomcat = directory.resolve("tomcat");
        Files.createDirectories(tomcat.resolve("conf"));
        Files.createDirectories(tomcat.resolve("webapps"));
        Files.copy(Distribution.sampleWar(), tomcat.resolve("webapps/ROOT.war"));
        Files.writeString(
                tomcat.resolve("conf/server.xml"),
                Template.fill("coming-from/server.xml", Map.of("connector", guide.snippet("ajp-tomcat"))));
        ServerProcess process = ServerProcess.start(
                "Tomcat",
                tomcat,
                List.of(
                        JettyBase.java(),
                        "-Dcatalina.base=" + tomcat,
                        "-Dcatalina.home=" + tomcat,
                        "-cp",
                        Distribution.tomcat() + "/*",
                        "org.apache.catalina.startup.Tomcat",
                        "--await"));
        PROCESSES.add(process);
        process.awaitOutput("Starting ProtocolHandler", LIMIT);
    }

    private static void startJetty(Guide guide, int port) throws Exception {
        guide.run("ajp-modules");
        guide.write("ajp-jetty");
        Commands.run(guide.snippet("ajp-modules").replace("fastcgi-unix", "fastcgi-tcp"), guide.base());
        guide.write("ajp-node");
        guide.deploySample("ROOT");
        PROCESSES.add(guide.startJetty("jetty.fastcgi.tcp.port=" + port));
    }

    private static void startApache(Path apache, Guide guide) throws IOException, InterruptedException {
        Path own = Files.createDirectory(directory.resolve("apache"));
        Map<String, String> words = new HashMap<>();
        words.put("directory", own.toString());
        words.put(
                "unprivileged",
                WebServerSettings.isRoot()
                        ? "User " + WebServerSettings.UNPRIVILEGED + "\nGroup " + WebServerSettings.UNPRIVILEGED
                        : "");
        words.put("beforePort", Integer.toString(BEFORE));
        words.put("afterPort", Integer.toString(AFTER));
        words.put("balancerPort", Integer.toString(BALANCER));
        words.put("before", guide.snippet("ajp-apache-before"));
        words.put("after", guide.snippet("ajp-apache-after"));
        words.put("balancer", guide.snippet("ajp-balancer"));
        words.put("users", guide.snippet("ajp-apache-users"));
        Path file = Files.writeString(own.resolve("apache.conf"), Template.fill("coming-from/apache.conf", words));
        ServerProcess process = ServerProcess.start(
                "Apache httpd", own, List.of(apache.toString(), "-DFOREGROUND", "-f", file.toString()));
        PROCESSES.add(process);
        for (int port : new int[] {BEFORE, AFTER, BALANCER}) {
            process.awaitAccepting(port, LIMIT);
        }
    }

    @AfterAll
    static void stop() {
        PROCESSES.forEach(ServerProcess::close);
    }

    private static Answer get(int port, String target, String... fields) throws IOException {
        StringBuilder request = new StringBuilder("GET " + target + " HTTP/1.1\r\nHost: www.example.com\r\n");
        for (String field : fields) {
            request.append(field).append("\r\n");
        }
        try (Client client = new Client(port)) {
            return client.send(request.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1), true);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/info?format=json", "/info/a%20b;x=y?format=json&z=%C3%A4"})
    void applicationIsToldTheSame(String target) throws IOException {
        String[] fields = {AUTHORIZATION, "X-Forwarded-For: 192.0.2.1", "Cookie: a=b"};
        Info before = Info.of(get(BEFORE, target, fields));
        Info after = Info.of(get(AFTER, target, fields));

        for (String member : List.of(
                "method",
                "requestURI",
                "contextPath",
                "servletPath",
                "pathInfo",
                "queryString",
                "protocol",
                "scheme",
                "secure",
                "serverName",
                "remoteAddr",
                "remoteUser",
                "userPrincipal")) {
            assertThat(after.get(member)).as(member).isEqualTo(before.get(member));
        }
        assertThat(after.parameter("z")).isEqualTo(before.parameter("z"));
        assertThat(after.cookie("a")).isEqualTo(before.cookie("a")).containsExactly("b");
        assertThat(after.get("remoteUser")).isEqualTo("alice");
        assertThat(after.get("remoteAddr")).isEqualTo("127.0.0.1");
        assertThat((Object[]) after.get("attributes")).contains("DEPARTMENT");
    }

    @Test
    void nobodyGetsInWithoutAPassword() throws IOException {
        for (int port : new int[] {BEFORE, AFTER}) {
            assertThat(get(port, "/info").status()).isEqualTo(401);
        }
    }

    @Test
    void sessionStaysWithItsNode() throws IOException {
        Set<String> nodes = new HashSet<>();
        for (int i = 0; i < 4; i++) {
            try (Client client = new Client(BALANCER)) {
                Answer first = client.get("/session");
                String node = first.field("X-Node");
                nodes.add(node);
                String cookie = "JSESSIONID=" + client.cookie("JSESSIONID");
                assertThat(cookie).endsWith("." + node);
                for (int j = 0; j < 3; j++) {
                    assertThat(get(BALANCER, "/session", "Cookie: " + cookie).field("X-Node"))
                            .isEqualTo(node);
                }
            }
        }
        assertThat(nodes).containsExactlyInAnyOrder("node1", "node2");
    }
}

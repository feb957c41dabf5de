package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** PHP-FPM.md: its pool in a real php-fpm, the same in Jetty, and each option of Debian's files in its tables. */
class ComingFromPHPFPMIT {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Pattern OPTION = Pattern.compile("(?m)^;? ?([a-z][a-z_.]*)(?:\\[[^]]*])? ?=");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (`.+?) \\|");
    private static final Pattern NAME = Pattern.compile("`([^`]+)`");

    @TempDir
    static Path directory;

    private static final int BEFORE = Ports.free();
    private static final int AFTER = Ports.free();
    private static Path configuration;
    private static Guide guide;
    private static Path poolSocket;
    private static ServerProcess fpm;
    private static ServerProcess jetty;
    private static NginxServer nginx;

    @BeforeAll
    static void followTheGuide() throws Exception {
        WebServers.require("cgi-fcgi");
        Path program = WebServers.require("php-fpm8.2", "php-fpm8.3", "php-fpm8.4");
        configuration = Path.of("/etc/php", program.getFileName().toString().substring("php-fpm".length()), "fpm");
        Path variables = NginxServer.debianVariables();
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
        poolSocket = directory.resolve("php.sock");
        guide = new Guide("PHP-FPM.md", directory)
                .replace("/run/php/php8.2-fpm.sock", poolSocket.toString())
                .replace("/var/log/php-slow.log", directory.resolve("slow.log").toString());
        fpm = startPool(program, guide.snippet("fpm-pool"));
        guide.run("fpm-modules");
        guide.write("fpm-jetty");
        guide.deploySample("ROOT");
        jetty = guide.startJetty();
        Path own = Files.createDirectory(directory.resolve("nginx"));
        Files.copy(variables, own.resolve("fastcgi_params"));
        Path root = Files.createDirectory(directory.resolve("root"));
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(root.resolve("hello.php"), "<?php echo 'Hello ', $_SERVER['REQUEST_URI'];");
        nginx = NginxServer.start(
                own,
                NginxExample.configuration(server(BEFORE, "root " + root + ";\n" + guide.snippet("fpm-nginx-before"))
                        + server(AFTER, guide.snippet("fpm-nginx-after"))));
    }

    private static ServerProcess startPool(Path program, String pool) throws Exception {
        String own = WebServerSettings.isRoot()
                ? pool
                : pool.replaceAll("(?m)^(listen\\.(owner|group)|user|group) = .*$", "");
        Path file = Files.writeString(
                directory.resolve("php-fpm.conf"), "[global]\nerror_log = /dev/stderr\ndaemonize = no\n" + own);
        ServerProcess process = ServerProcess.start(
                "php-fpm", directory, List.of(program.toString(), "-F", "-O", "-y", file.toString()));
        process.awaitOutput("ready to handle connections", LIMIT);
        return process;
    }

    private static String server(int port, String text) {
        return "server {\nlisten 127.0.0.1:" + port + ";\n" + text + "}\n";
    }

    @AfterAll
    static void stop() {
        try (ServerProcess first = fpm;
                ServerProcess second = jetty;
                NginxServer third = nginx) {
            assertThat(first.isAlive()).isTrue();
            assertThat(second.isAlive()).isTrue();
            assertThat(third.takeErrors()).as("errors logged by nginx").isEmpty();
        }
    }

    @Test
    void bothAnswerBehindNginx() throws Exception {
        try (Client php = new Client(BEFORE);
                Client java = new Client(AFTER)) {
            assertThat(php.get("/hello.php?a=b").text()).isEqualTo("Hello /hello.php?a=b");
            assertThat(Info.of(java.get("/info?format=json")).get("requestURL"))
                    .isEqualTo("http://www.example.com/info");
        }
    }

    @Test
    void socketsHaveTheSameRights() throws IOException {
        PosixFileAttributes before = Files.readAttributes(poolSocket, PosixFileAttributes.class);
        PosixFileAttributes after =
                Files.readAttributes(guide.base().resolve("run/fastcgi.sock"), PosixFileAttributes.class);

        assertThat(after.permissions()).isEqualTo(before.permissions());
        assertThat(after.owner()).isEqualTo(before.owner());
        assertThat(after.group()).isEqualTo(before.group());
    }

    @Test
    void statusAndPingAreToldByBoth() throws Exception {
        assertThat(guide.run("fpm-status-before"))
                .anyMatch(line -> line.startsWith("accepted conn:"))
                .contains("pong");
        assertThat(guide.run("fpm-status-after"))
                .anyMatch(line -> line.startsWith("opened connections:"))
                .contains("pong");
    }

    @Test
    void everyOptionOfDebiansFilesHasItsRow() throws IOException {
        String[] sections = Files.readString(Documentation.EXAMPLES.resolve("coming-from/PHP-FPM.md"))
                .split("(?m)^## Global options$");

        assertThat(optionsOfTables(sections[0])).containsAll(options("pool.d/www.conf"));
        assertThat(optionsOfTables(sections[1])).containsAll(options("php-fpm.conf"));
    }

    private static Set<String> options(String file) throws IOException {
        Set<String> options = OPTION.matcher(Files.readString(configuration.resolve(file)))
                .results()
                .map((MatchResult match) -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(options).hasSizeGreaterThan(15);
        return options;
    }

    /** The names in the first column. */
    private static Set<String> optionsOfTables(String text) {
        return ROW.matcher(text)
                .results()
                .flatMap(row -> NAME.matcher(row.group(1)).results())
                .map((MatchResult name) -> name.group(1))
                .collect(Collectors.toSet());
    }
}

package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an operator meets when Jetty starts and stops: the socket's file, and errors that name the setting at fault. */
class StartupIT {
    private static final Duration EXIT_LIMIT = Duration.ofSeconds(60);

    @TempDir
    static Path directory;

    private static JettyBase unixBase;
    private static JettyBase tcpBase;

    @BeforeAll
    static void createBases() throws Exception {
        unixBase = JettyBase.create(directory.resolve("unix"), "fastcgi-unix");
        tcpBase = JettyBase.create(directory.resolve("tcp"), "fastcgi-tcp");
    }

    @Test
    void missingDirectoryOfTheSocket() throws Exception {
        Path path = directory.resolve("missing").resolve("fastcgi.sock");

        String line = refusal(unixBase, "jetty.fastcgi.unix.path", path.toString());

        assertThat(line).contains(path.getParent().toString());
    }

    @Test
    void socketPathOver107Bytes() throws Exception {
        String path = directory.resolve("\u00e9".repeat(50)).toString();
        assertThat(path).hasSizeLessThan(107);

        String line = refusal(unixBase, "jetty.fastcgi.unix.path", path);

        assertThat(line).contains("107");
    }

    @Test
    void unknownOwner() throws Exception {
        String line = refusal(unixBase, "jetty.fastcgi.unix.owner", "no-such-owner");

        assertThat(line).contains("no-such-owner");
    }

    @Test
    void unknownGroup() throws Exception {
        String line = refusal(unixBase, "jetty.fastcgi.unix.group", "no-such-group");

        assertThat(line).contains("no-such-group");
    }

    @ParameterizedTest
    @CsvSource({"0888", "rw-rw----", "66000", "-1"})
    void badMode(String mode) throws Exception {
        String line = refusal(unixBase, "jetty.fastcgi.unix.mode", mode);

        assertThat(line).contains(mode);
    }

    @Test
    void socketInUse() throws Exception {
        Path path = directory.resolve("used.sock");
        try (ServerSocketChannel other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            other.bind(UnixDomainSocketAddress.of(path));

            String line = refusal(unixBase, "jetty.fastcgi.unix.path", path.toString());

            assertThat(line).contains(path.toString());
            assertThat(path).exists();
        }
    }

    @Test
    void noSocketIsInherited() throws Exception {
        String line = refusal(unixBase, "jetty.fastcgi.unix.inherit", "require");

        assertThat(line).contains("file descriptor 0 is no socket");
    }

    @Test
    void tcpPortInUse() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(other.getLocalPort());

            String line = refusal(tcpBase, "jetty.fastcgi.tcp.port", port);

            assertThat(line).contains(port);
        }
    }

    @Test
    void addressThatLetsOthersConnect() throws Exception {
        String line = refusal(tcpBase, "jetty.fastcgi.tcp.host", "0.0.0.0");

        assertThat(line).contains("jetty.fastcgi.tcp.allow", "jetty.fastcgi.secret");
    }

    /** Starts Jetty with a setting it can't follow, and returns the line of its output that names the setting. */
    private static String refusal(JettyBase base, String property, String value) throws InterruptedException {
        try (ServerProcess jetty = base.launch(List.of(), property + "=" + value)) {
            assertThat(jetty.awaitExit(EXIT_LIMIT)).as(jetty.tail()).isNotZero();

            List<String> lines = jetty.output().stream()
                    .filter(line -> line.contains(property))
                    .toList();
            assertThat(lines).as(jetty.tail()).isNotEmpty();
            return lines.get(0);
        }
    }

    @Test
    void socketLiesUnderTheBaseForOwnerAndGroupOnly() throws Exception {
        try (ServerProcess jetty = unixBase.start(List.of())) {
            assertThat(permissions(unixBase.unixSocket())).as(jetty.tail()).isEqualTo("rw-rw----");
            connect(unixBase.unixSocket());
        }
        assertThat(unixBase.unixSocket()).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({"0600,rw-------", "0666,rw-rw-rw-", "0640,rw-r-----"})
    void socketHasTheConfiguredMode(String mode, String permissions) throws Exception {
        Path path = directory.resolve("mode.sock");
        try (ServerProcess jetty =
                unixBase.start(List.of(), "jetty.fastcgi.unix.path=" + path, "jetty.fastcgi.unix.mode=" + mode)) {
            assertThat(permissions(path)).as(jetty.tail()).isEqualTo(permissions);
        }
    }

    @Test
    void socketBelongsToTheConfiguredOwnerAndGroup() throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "only root gives files away");
        Path path = directory.resolve("owner.sock");
        try (ServerProcess jetty = unixBase.start(
                List.of(),
                "jetty.fastcgi.unix.path=" + path,
                "jetty.fastcgi.unix.owner=daemon",
                "jetty.fastcgi.unix.group=mail")) {
            PosixFileAttributes attributes = Files.readAttributes(path, PosixFileAttributes.class);

            assertThat(attributes.owner().getName()).as(jetty.tail()).isEqualTo("daemon");
            assertThat(attributes.group().getName()).isEqualTo("mail");
        }
    }

    @Test
    void staleSocketIsReplaced() throws Exception {
        Path path = directory.resolve("stale.sock");
        ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                .bind(UnixDomainSocketAddress.of(path))
                .close();
        assertThat(path).exists();

        try (ServerProcess jetty = unixBase.start(List.of(), "jetty.fastcgi.unix.path=" + path)) {
            connect(path);
            assertThat(permissions(path)).as(jetty.tail()).isEqualTo("rw-rw----");
        }
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private static void connect(Path path) throws IOException {
        SocketChannel.open(UnixDomainSocketAddress.of(path)).close();
    }
}

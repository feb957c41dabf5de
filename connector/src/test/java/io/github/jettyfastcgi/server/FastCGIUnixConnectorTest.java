package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

/** The file of a Unix-domain socket: its rights, who may replace it, and what is told when it can't be. */
class FastCGIUnixConnectorTest extends ConnectionTestBase {
    private final FastCGIUnixConnector connector = new FastCGIUnixConnector(server, 1, 1, factory);
    private Path path;

    @BeforeEach
    void setPath() {
        path = directory.resolve("f.sock");
        connector.setPath(path.toString());
    }

    @ParameterizedTest
    @CsvSource({"0660,rw-rw----", "0600,rw-------", "666,rw-rw-rw-", "0777,rwxrwxrwx", "0124,--x-w-r--"})
    void fileHasItsMode(String mode, String permissions) throws Exception {
        connector.setMode(mode);

        start(connector, ConnectionTestBase::answerPath);

        assertThat(PosixFilePermissions.toString(attributes().permissions())).isEqualTo(permissions);
        assertThat(connector.getMode()).isEqualTo(mode);
    }

    @Test
    void fileIsForOwnerAndGroupByDefault() throws Exception {
        start(connector, ConnectionTestBase::answerPath);

        assertThat(PosixFilePermissions.toString(attributes().permissions())).isEqualTo("rw-rw----");
    }

    @Test
    void fileHasItsOwnerAndGroup() throws Exception {
        PosixFileAttributes own = Files.readAttributes(directory, PosixFileAttributes.class);
        String owner = isRoot() ? "nobody" : own.owner().getName();
        String group = isRoot() ? "nogroup" : own.group().getName();
        connector.setOwner(owner);
        connector.setGroup(group);

        start(connector, ConnectionTestBase::answerPath);

        assertThat(attributes().owner().getName()).isEqualTo(owner);
        assertThat(attributes().group().getName()).isEqualTo(group);
        assertThat(connector.getOwner()).isEqualTo(owner);
        assertThat(connector.getGroup()).isEqualTo(group);
    }

    @Test
    void emptyOwnerAndGroupAreThoseOfTheProcess() throws Exception {
        connector.setOwner("");
        connector.setGroup("");

        start(connector, ConnectionTestBase::answerPath);

        assertServes();
    }

    @ParameterizedTest
    @NullAndEmptySource
    @ValueSource(strings = {"66", "0888", "07777", "rw-rw----", "0660 ", "-660"})
    void badModeIsTold(String mode) {
        connector.setMode(mode);

        assertNotStarted("jetty.fastcgi.unix.mode: '" + mode + "' (expected: three octal digits, such as 0660)");
    }

    @Test
    void unknownOwnerIsTold() {
        connector.setOwner("no-such-user");

        assertNotStarted("jetty.fastcgi.unix.owner: unknown user 'no-such-user'");
    }

    @Test
    void unknownGroupIsTold() {
        connector.setGroup("no-such-group");

        assertNotStarted("jetty.fastcgi.unix.group: unknown group 'no-such-group'");
    }

    @Test
    void missingRightsAreTold() throws Exception {
        assumeFalse(isRoot(), "root may do all");
        connector.setGroup("root");

        assertNotStarted("jetty.fastcgi.unix.group: no right to give the socket to group 'root'");
        assertThat(directory).isEmptyDirectory();

        connector.setGroup(null);
        connector.setOwner("root");
        assertNotStarted("jetty.fastcgi.unix.owner: no right to give the socket to user 'root'");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void directoryThatMayNotBeWrittenIsTold() throws Exception {
        assumeFalse(isRoot(), "root may do all");
        Path closed = Files.createDirectory(
                directory.resolve("closed"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r-xr-xr-x")));
        connector.setPath(closed.resolve("f.sock").toString());

        assertNotStarted("jetty.fastcgi.unix.path: no right to create a file in " + closed);
    }

    @Test
    void missingDirectoryIsTold() {
        connector.setPath(directory.resolve("missing/f.sock").toString());

        assertNotStarted("jetty.fastcgi.unix.path: there is no directory " + directory.resolve("missing"));
    }

    @Test
    void missingPathIsTold() {
        connector.setUnixDomainPath(null);

        assertNotStarted("jetty.fastcgi.unix.path: is not set");
    }

    @Test
    void pathOf107BytesIsServed() throws Exception {
        path = pathOf(107);
        connector.setPath(path.toString());

        start(connector, ConnectionTestBase::answerPath);

        assertServes(shorter(path));
    }

    @Test
    void staleFileOf107BytesIsReplaced() throws Exception {
        path = pathOf(107);
        connector.setPath(path.toString());
        Path stale = directory.resolve("stale");
        leaveStaleFile(stale);
        Files.move(stale, path);

        start(connector, ConnectionTestBase::answerPath);

        assertServes(shorter(path));
    }

    @Test
    void socketOf107BytesOfAProcessThatListensStays() throws Exception {
        path = pathOf(107);
        connector.setPath(path.toString());
        Path bound = directory.resolve("bound");
        try (ServerSocketChannel other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            other.bind(UnixDomainSocketAddress.of(bound));
            Files.move(bound, path);

            assertNotStarted("jetty.fastcgi.unix.path: another process listens on " + path
                    + " (jetty.fastcgi.unix.takeOver=true takes over from it)");

            assertThat(directory.toFile().list()).hasSize(1);
        }
    }

    @Test
    void pathOf108BytesIsTold() {
        path = pathOf(108);
        connector.setPath(path.toString());

        assertNotStarted("jetty.fastcgi.unix.path: " + path + " has 108 bytes (expected: <= 107)");
    }

    @Test
    void shortestNameInTheLongestDirectoryIsServed() throws Exception {
        path = directoryOf(102).resolve("f");
        connector.setPath(path.toString());

        start(connector, ConnectionTestBase::answerPath);

        assertServes();
    }

    @Test
    void tooLongDirectoryIsTold() throws Exception {
        Path tooLong = directoryOf(103);
        connector.setPath(tooLong.resolve("f").toString());

        assertNotStarted("jetty.fastcgi.unix.path: the directory " + tooLong + " has 103 bytes (expected: <= 102)");
    }

    @Test
    void shortestNameIsServed() throws Exception {
        path = directory.resolve("f");
        connector.setPath(path.toString());

        start(connector, ConnectionTestBase::answerPath);

        assertServes();
    }

    @Test
    void fileThatIsNoSocketStays() throws Exception {
        Files.writeString(path, "precious");

        assertNotStarted("jetty.fastcgi.unix.path: " + path + " is there and is no socket");

        assertThat(path).hasContent("precious");
    }

    @Test
    void pipeStays() throws Exception {
        assertThat(new ProcessBuilder("mkfifo", path.toString()).start().waitFor())
                .isZero();

        assertNotStarted("jetty.fastcgi.unix.path: " + path + " is there and is no socket");
    }

    @Test
    void directoryStays() throws Exception {
        Files.createDirectory(path);

        assertNotStarted("jetty.fastcgi.unix.path: " + path + " is there and is no socket");
    }

    /** Whether it leads nowhere, to a stale socket, or to one of a process that listens. */
    @ParameterizedTest
    @ValueSource(strings = {"nothing", "stale", "live"})
    void linkStaysWhereverItLeads(String target) throws Exception {
        Path other = path.resolveSibling(target);
        if (target.equals("stale")) leaveStaleFile(other);
        ServerSocketChannel live = target.equals("live")
                ? ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(other))
                : null;
        try (live) {
            Files.createSymbolicLink(path, other);
            connector.setTakeOver(true);

            assertNotStarted("jetty.fastcgi.unix.path: " + path + " is there and is no socket");

            assertThat(path).isSymbolicLink();
            assertThat(Files.exists(other)).isEqualTo(!target.equals("nothing"));
        }
    }

    @Test
    void staleFileIsReplaced() throws Exception {
        leaveStaleFile(path);

        start(connector, ConnectionTestBase::answerPath);

        assertServes();
    }

    @Test
    void socketOfAProcessThatListensStays() throws Exception {
        try (ServerSocketChannel other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            other.bind(UnixDomainSocketAddress.of(path));

            assertNotStarted("jetty.fastcgi.unix.path: another process listens on " + path
                    + " (jetty.fastcgi.unix.takeOver=true takes over from it)");

            new SocketPeer(UnixDomainSocketAddress.of(path)).close();
        }
    }

    @Test
    void takesOverWithoutARefusedConnection() throws Exception {
        start(connector, ConnectionTestBase::answerPath);
        SocketPeer before = new SocketPeer(UnixDomainSocketAddress.of(path));
        before.get(1, "/old").send();
        before.readAnswer(1).assertText("/old");
        AtomicBoolean done = new AtomicBoolean();
        AtomicInteger connected = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        Thread client = new Thread(() -> {
            while (!done.get()) {
                try {
                    new SocketPeer(UnixDomainSocketAddress.of(path)).close();
                    connected.incrementAndGet();
                } catch (IOException x) {
                    refused.incrementAndGet();
                }
            }
        });
        client.start();

        Server successor = new Server();
        FastCGIUnixConnector taking = new FastCGIUnixConnector(successor, 1, 1, new FastCGIConnectionFactory());
        taking.setPath(path.toString());
        taking.setTakeOver(true);
        successor.addConnector(taking);
        successor.start();
        int connectedBefore = connected.get();
        Await.until("connections after the takeover", () -> connected.get() > connectedBefore + 10);
        done.set(true);
        client.join();

        assertThat(taking.isTakeOver()).isTrue();
        assertThat(refused).hasValue(0);
        before.get(3, "/still").send();
        before.readAnswer(3).assertText("/still");
        before.close();

        server.stop();
        assertThat(path).exists();
        try (SocketPeer peer = new SocketPeer(UnixDomainSocketAddress.of(path))) {
            peer.get(1, "/").send();
            peer.readAnswer(1).assertStatus(404); // the successor's, which has no handler
        }
        successor.stop();
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void fileIsRemovedOnStop() throws Exception {
        start(connector, ConnectionTestBase::answerPath);
        assertServes();

        server.stop();

        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void fileThatSomebodyElseHasPutThereStays() throws Exception {
        start(connector, ConnectionTestBase::answerPath);
        Files.delete(path);
        Files.writeString(path, "somebody else's");

        server.stop();

        assertThat(path).hasContent("somebody else's");
    }

    @Test
    void fileThatIsGoneIsNotMissed() throws Exception {
        start(connector, ConnectionTestBase::answerPath);
        Files.delete(path);

        server.stop();

        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void connectorStartsAgain() throws Exception {
        start(connector, ConnectionTestBase::answerPath);
        assertServes();

        server.stop();
        server.start();

        assertServes();
        assertThat(connector.getUnixDomainPath()).isEqualTo(path);
    }

    @Test
    void nothingIsLeftOfAStartThatFailsBehindTheSocket() throws Exception {
        connector.addBean(new AbstractLifeCycle() {
            @Override
            protected void doStart() {
                throw new IllegalStateException("a bean behind the socket");
            }
        });

        assertThatThrownBy(() -> start(connector, ConnectionTestBase::answerPath))
                .hasMessage("a bean behind the socket");

        assertThat(directory).isEmptyDirectory();
        assertThat(connector.getUnixDomainPath()).isEqualTo(path);
    }

    @Test
    void connectorStartsAfterItsSettingIsCorrected() throws Exception {
        connector.setMode("wrong");
        assertNotStarted("jetty.fastcgi.unix.mode: 'wrong' (expected: three octal digits, such as 0660)");

        connector.setMode("0600");
        start(connector, ConnectionTestBase::answerPath);

        assertThat(PosixFilePermissions.toString(attributes().permissions())).isEqualTo("rw-------");
    }

    @Test
    void pathIsBoundWhereASocketIsPreferredAndNoneInherited() throws Exception {
        connector.setInherit("prefer");

        start(connector, ConnectionTestBase::answerPath);

        assertServes();
        assertThat(connector.isInheritChannel()).isFalse();
        server.stop();
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void missingInheritedSocketIsTold() {
        connector.setInherit("require");

        assertNotStarted("jetty.fastcgi.unix.inherit: file descriptor 0 is no socket"
                + " (expected: a Unix-domain socket that listens, such as one of systemd with StandardInput=socket)");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void inheritedChannelOfJettyIsAPreference() {
        assertThat(connector.getInherit()).isEqualTo("off");

        connector.setInheritChannel(true);
        assertThat(connector.getInherit()).isEqualTo("prefer");

        connector.setInheritChannel(false);
        assertThat(connector.getInherit()).isEqualTo("off");
    }

    @Test
    void nothingButTheSocketIsLeftInItsDirectory() throws Exception {
        start(connector, ConnectionTestBase::answerPath);

        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).containsExactly(path);
        }
        assertThat(connector.toString()).endsWith("[" + path + "]");
    }

    @Test
    void defaultsSuitWebServers() {
        assertThat(connector.getIdleTimeout()).isEqualTo(90_000);
        assertThat(connector.getAcceptQueueSize()).isEqualTo(1024);
        assertThat(connector.getMode()).isEqualTo("0660");
        assertThat(connector.getName()).isEqualTo("fastcgi-unix");
        assertThat(new FastCGIUnixConnector(server, factory).getProtocols()).containsExactly("fastcgi");
    }

    private void assertServes() throws Exception {
        assertServes(path);
    }

    private static void assertServes(Path path) throws Exception {
        try (SocketPeer peer = new SocketPeer(UnixDomainSocketAddress.of(path))) {
            peer.get(1, "/served").send();
            peer.readAnswer(1).assertText("/served");
        }
    }

    /** Checks that the server doesn't start, with a message of one line. */
    private void assertNotStarted(String message) {
        assertThatThrownBy(() -> start(connector, ConnectionTestBase::answerPath))
                .isInstanceOf(IllegalArgumentException.class)
                .hasToString(message)
                .satisfies(failure -> assertThat(failure.getStackTrace()).isEmpty());
        assertThat(message).doesNotContain("\n");
        assertThat(server.isStarted()).isFalse();
        server.removeConnector(connector);
    }

    private static void leaveStaleFile(Path path) throws IOException {
        try (ServerSocketChannel other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            other.bind(UnixDomainSocketAddress.of(path));
        }
        assertThat(path).exists();
    }

    /** {@return another name of a socket, since Java can't connect to 107 bytes} */
    private Path shorter(Path socket) throws IOException {
        return Files.createSymbolicLink(directory.resolve("link"), socket.getFileName());
    }

    /** {@return a directory whose path has as many bytes} */
    private Path directoryOf(int length) throws IOException {
        return Files.createDirectory(pathOf(length));
    }

    private Path pathOf(int length) {
        int name = length - directory.toString().length() - 1;
        assumeTrue(name > 0, "the directory's name is too long");
        return directory.resolve("n".repeat(name));
    }

    private PosixFileAttributes attributes() throws IOException {
        return Files.readAttributes(path, PosixFileAttributes.class);
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }
}

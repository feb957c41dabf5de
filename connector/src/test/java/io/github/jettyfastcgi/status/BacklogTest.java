package io.github.jettyfastcgi.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BacklogTest {
    private static final Backlog SYSTEM = new Backlog(Path.of("/proc/self/net"));

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "0.0.0.0", "::1", "::"})
    @EnabledOnOs(OS.LINUX)
    void countsConnectionsThatWaitOnTCP(String host) throws Exception {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(host, 0));
            InetSocketAddress bound = (InetSocketAddress) server.getLocalAddress();
            InetAddress reached =
                    bound.getAddress().isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : bound.getAddress();

            assertCounts(server, new InetSocketAddress(reached, bound.getPort()));
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void countsConnectionsThatWaitOnAUnixSocketOfAnyName() throws Exception {
        SocketAddress address = UnixDomainSocketAddress.of(directory.resolve("a socket"));
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(address);

            assertCounts(server, address);
        }
    }

    private static void assertCounts(ServerSocketChannel server, SocketAddress address) throws Exception {
        SocketAddress bound = server.getLocalAddress();
        assertThat(SYSTEM.of(bound)).hasValue(0);
        List<SocketChannel> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) clients.add(SocketChannel.open(address));
            assertThat(SYSTEM.of(bound)).hasValue(3);
            clients.add(server.accept());
            assertThat(SYSTEM.of(bound)).hasValue(2);
        } finally {
            for (SocketChannel client : clients) client.close();
        }
    }

    @Test
    void isUnknownWhereTheSystemTellsNothing() {
        Backlog backlog = new Backlog(directory);

        assertThat(backlog.of(new InetSocketAddress("127.0.0.1", 9000))).isEmpty();
        assertThat(backlog.of(UnixDomainSocketAddress.of("/run/a.sock"))).isEmpty();
        assertThat(backlog.of(InetSocketAddress.createUnresolved("nowhere.example", 9000)))
                .isEmpty();
        assertThat(backlog.of(null)).isEmpty();
    }

    // Lines as a kernel 6 on a machine of little endian writes them
    @ParameterizedTest
    @CsvSource({"127.0.0.1, 9000, 5", "127.0.0.1, 9001, 7", "127.0.0.2, 9000,", "127.0.0.1, 9002,"})
    void readsWhatTheKernelWrites(String host, int port, Integer backlog) throws Exception {
        Files.writeString(directory.resolve("tcp"), """
                  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
                   0: 0100007F:2328 00000000:0000 0A 00000000:00000005 00:00000000 00000000     0        0 27 1
                   1: 0100007F:232A 0100007F:C350 01 00000000:00000009 00:00000000 00000000     0        0 28 1
                """);
        Files.writeString(directory.resolve("tcp6"), """
                  sl  local_address                         remote_address                        st tx_queue rx_queue
                   0: 0000000000000000FFFF00000100007F:2329 00000000000000000000000000000000:0000 0A 00000000:00000007 00:0
                """);

        assertThat(new Backlog(directory).of(new InetSocketAddress(host, port)))
                .isEqualTo(backlog == null ? OptionalInt.empty() : OptionalInt.of(backlog));
    }

    @Test
    void doesNotFallOverLinesItDoesNotKnow() throws Exception {
        Files.writeString(directory.resolve("tcp"), "heading\nx\n");
        Files.writeString(directory.resolve("tcp6"), "heading\n0: a b 0A rx:zz\n");
        Files.writeString(directory.resolve("unix"), "heading\nx\n0: 3 0 0 0001 02 0 /run/a.sock\n");

        Backlog backlog = new Backlog(directory);

        assertThat(backlog.of(new InetSocketAddress("127.0.0.1", 9000))).isEmpty();
        assertThat(backlog.of(UnixDomainSocketAddress.of("/run/a.sock"))).hasValue(1);
        assertThat(backlog.of(UnixDomainSocketAddress.of("/run/b.sock"))).isEmpty();
    }
}

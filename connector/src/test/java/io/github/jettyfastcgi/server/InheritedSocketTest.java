package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which channels are taken for the socket that the process was started with, and what is told of others. */
class InheritedSocketTest {
    @TempDir
    Path directory;

    @Test
    void listeningUnixSocketIsTaken() throws Exception {
        try (ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.bind(UnixDomainSocketAddress.of(directory.resolve("s")));

            assertThat(InheritedSocket.REQUIRE.isTaken(channel)).isTrue();
            assertThat(InheritedSocket.PREFER.isTaken(channel)).isTrue();
            assertThat(InheritedSocket.OFF.isTaken(channel)).isFalse();
        }
    }

    @Test
    void noSocketIsTold() throws Exception {
        assertTold(null, "no socket");
    }

    @Test
    void connectionIsTold() throws Exception {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            assertTold(channel, "a connection, as of a unit with Accept=yes");
        }
    }

    @Test
    void socketThatWasClosedIsTold() throws Exception {
        ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        channel.bind(UnixDomainSocketAddress.of(directory.resolve("s"))).close();

        assertTold(channel, "closed, since Java takes a socket once for each process");
    }

    @Test
    void socketsOfOtherFamiliesAreTold() throws Exception {
        try (ServerSocketChannel tcp = ServerSocketChannel.open();
                DatagramChannel udp = DatagramChannel.open()) {
            assertTold(tcp, "a socket of another family");
            assertTold(udp, "a socket of another family");
        }
    }

    @ParameterizedTest
    @NullAndEmptySource
    @ValueSource(strings = {"true", "REQUIRE", " off"})
    void unknownSettingIsTold(String setting) {
        assertThatThrownBy(() -> InheritedSocket.from(setting))
                .hasToString("jetty.fastcgi.unix.inherit: '" + setting + "' (expected: off, prefer or require)");
    }

    private static void assertTold(Channel channel, String kind) throws Exception {
        assertThat(InheritedSocket.OFF.isTaken(channel)).isFalse();
        assertThat(InheritedSocket.PREFER.isTaken(channel)).isFalse();
        assertThatThrownBy(() -> InheritedSocket.REQUIRE.isTaken(channel))
                .hasToString(
                        "jetty.fastcgi.unix.inherit: file descriptor 0 is " + kind
                                + " (expected: a Unix-domain socket that listens, such as one of systemd with StandardInput=socket)");
    }
}

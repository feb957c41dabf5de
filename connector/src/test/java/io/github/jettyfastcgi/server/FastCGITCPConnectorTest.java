package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.jettyfastcgi.protocol.RecordScript;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The TCP connector's defaults, who may connect, and what is told when it can't listen. */
class FastCGITCPConnectorTest extends ConnectionTestBase {
    private final FastCGITCPConnector tcp = new FastCGITCPConnector(server, factory);

    @Test
    void defaultsSuitWebServers() {
        assertThat(tcp.getName()).isEqualTo("fastcgi-tcp");
        assertThat(tcp.getHost()).isEqualTo("127.0.0.1");
        assertThat(tcp.getPort()).isEqualTo(9000);
        assertThat(tcp.getIdleTimeout()).isEqualTo(90_000);
        assertThat(tcp.getAcceptQueueSize()).isEqualTo(1024);
        assertThat(tcp.getProtocols()).containsExactly("fastcgi");
    }

    @Test
    void portInUseIsTold() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            tcp.setPort(other.getLocalPort());

            assertThatThrownBy(() -> start(tcp, ConnectionTestBase::answerPath))
                    .hasToString("jetty.fastcgi.tcp.host, jetty.fastcgi.tcp.port: can't listen on 127.0.0.1:"
                            + other.getLocalPort() + ": Address already in use");
        }
    }

    @Test
    void unknownHostIsTold() {
        tcp.setHost("no-such-host.invalid");
        tcp.setPort(0);

        assertThatThrownBy(() -> start(tcp, ConnectionTestBase::answerPath))
                .hasToString("jetty.fastcgi.tcp.host, jetty.fastcgi.tcp.port: can't listen on no-such-host.invalid:0:"
                        + " unknown host");
    }

    @Test
    void addressOfAnotherMachineIsTold() {
        tcp.setHost("192.0.2.1");
        tcp.setPort(0);

        assertThatThrownBy(() -> start(tcp, ConnectionTestBase::answerPath))
                .hasToString("jetty.fastcgi.tcp.host, jetty.fastcgi.tcp.port: can't listen on 192.0.2.1:0:"
                        + " Cannot assign requested address");
    }

    @Test
    void connectorStartsAgain() throws Exception {
        tcp.setPort(0);
        start(tcp, ConnectionTestBase::answerPath);
        server.stop();

        server.start();

        SocketPeer peer = connect();
        peer.get(1, "/served").send();
        peer.readAnswer(1).assertText("/served");
    }

    @Test
    void peersFromElsewhereAreClosedAndCounted() throws Exception {
        expectWarning("Connections refused: 1, the last one from 127.0.0.1,");
        tcp.setPort(0);
        tcp.setAllow("127.0.0.2");
        start(tcp, ConnectionTestBase::answerPath);

        assertRefused("127.0.0.1");
        assertRefused("127.0.0.1");
        assertServed("127.0.0.2");

        assertThat(counters.refusedConnections()).isEqualTo(2);
        assertThat(counters.openedConnections()).isEqualTo(1);
        assertThat(log().lines("Connections refused")).hasSize(1);
        assertThat(tcp.getAllow()).isEqualTo("127.0.0.2");
    }

    @Test
    void peersFromElsewhereAreClosedWithoutAcceptorThreads() throws Exception {
        expectWarning("Connections refused: 1, the last one from 127.0.0.1,");
        FastCGITCPConnector connector = new FastCGITCPConnector(server, 0, 1, factory);
        connector.setPort(0);
        connector.setAllow("192.0.2.0/24");
        start(connector, ConnectionTestBase::answerPath);

        try (Socket socket = new Socket("127.0.0.1", connector.getLocalPort())) {
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }

        assertThat(counters.refusedConnections()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.0.0.77"})
    void loopbackIsAllowedByDefault(String client) throws Exception {
        tcp.setPort(0);
        start(tcp, ConnectionTestBase::answerPath);

        assertServed(client);
        assertThat(tcp.getAllow()).isNull();
    }

    @Test
    void ipv4PeersOfAnIPv6SocketAreThoseOfIPv4Networks() throws Exception {
        expectWarning("Connections refused: 1, the last one from 0:0:0:0:0:0:0:1,");
        assumeTrue(NetworkInterface.getByInetAddress(InetAddress.getByName("::1")) != null, "no IPv6");
        tcp.setHost("::");
        tcp.setPort(0);
        tcp.setAllow("127.0.0.0/8");
        start(tcp, ConnectionTestBase::answerPath);

        assertServed("127.0.0.1");
        assertRefused("::1");
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"0.0.0.0", "::"})
    void addressThatLetsOthersConnectIsRefusedWithoutListOrSecret(String host) {
        tcp.setHost(host);
        tcp.setPort(0);

        assertThatThrownBy(() -> start(tcp, ConnectionTestBase::answerPath))
                .hasToString(
                        "jetty.fastcgi.tcp.host: " + host + " lets others connect (expected: a loopback address, or"
                                + " besides jetty.fastcgi.tcp.allow or jetty.fastcgi.secret)");
        assertThat(tcp.isOpen()).isFalse();
    }

    @Test
    void hostNameThatLetsOthersConnectIsRefusedWithoutListOrSecret() throws Exception {
        InetAddress other = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
                .findFirst()
                .orElse(null);
        assumeTrue(other != null, "no other address");
        tcp.setHost(other.getHostAddress());
        tcp.setPort(0);

        assertThatThrownBy(() -> start(tcp, ConnectionTestBase::answerPath))
                .hasMessageContainingAll("jetty.fastcgi.tcp.allow", "jetty.fastcgi.secret");
    }

    @Test
    void secretLetsAnybodyConnectToAnyAddress() throws Exception {
        expectWarning("Requests refused: 1, without the secret");
        factory.setSecret("open sesame");
        tcp.setHost("0.0.0.0");
        tcp.setPort(0);
        start(tcp, ConnectionTestBase::answerPath);

        SocketPeer peer = connect();
        peer.get(1, "/", "FASTCGI_SECRET", "open sesame").get(3, "/").send();

        peer.readAnswer(1).assertText("/");
        peer.readAnswer(3).assertStatus(403);
    }

    @Test
    void listCountsBesidesASecret() throws Exception {
        expectWarning("Connections refused: 1, the last one from 127.0.0.1,");
        factory.setSecret("open sesame");
        tcp.setHost("0.0.0.0");
        tcp.setPort(0);
        tcp.setAllow("127.0.0.2");
        start(tcp, ConnectionTestBase::answerPath);

        assertRefused("127.0.0.1");
    }

    @Test
    void channelThatIsGivenIsNoWayRound() throws Exception {
        tcp.setHost("127.0.0.1");
        try (ServerSocketChannel channel = ServerSocketChannel.open().bind(new InetSocketAddress(0))) {
            assertThatThrownBy(() -> tcp.open(channel)).hasMessageContaining("jetty.fastcgi.tcp.allow");

            assertThat(channel.isOpen()).isFalse();
        }
    }

    @Test
    void badListIsTold() {
        assertThatThrownBy(() -> tcp.setAllow("localhost"))
                .hasToString(
                        "jetty.fastcgi.tcp.allow: 'localhost' (expected: addresses and networks separated by commas,"
                                + " such as 10.0.0.0/8,::1)");
    }

    @Test
    void emptyListIsTheDefault() throws Exception {
        tcp.setAllow(" ");
        tcp.setPort(0);

        start(tcp, ConnectionTestBase::answerPath);

        assertServed("127.0.0.1");
    }

    /** A connection from an address to itself. */
    private Socket connectFrom(String address) throws Exception {
        InetAddress own = InetAddress.getByName(address);
        InetAddress target = own instanceof Inet6Address ? own : InetAddress.getByName("127.0.0.1");
        Socket socket = new Socket(target, tcp.getLocalPort(), own, 0);
        socket.setSoTimeout((int) Await.DEADLINE.toMillis());
        return socket;
    }

    private void assertRefused(String address) throws Exception {
        try (Socket socket = connectFrom(address)) {
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    private void assertServed(String address) throws Exception {
        try (Socket socket = connectFrom(address)) {
            socket.getOutputStream()
                    .write(new RecordScript().getValues("FCGI_MPXS_CONNS").bytes());

            assertThat(socket.getInputStream().read()).isEqualTo(1); // the version
        }
    }
}

package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

/** The TCP connector's defaults, and what is told when it can't listen. */
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
}

package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.eclipse.jetty.server.AbstractConnector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** More connections than allowed: they wait in the queue of the socket, and none is accepted to be closed. */
class ConnectionLimitTest extends ConnectionTestBase {
    private AbstractConnector start(Transport transport, int acceptors) throws Exception {
        factory.setMaxConnections(2);
        expectWarning("as many as jetty.fastcgi.maxConnections allows");
        switch (transport) {
            case UNIX -> {
                FastCGIUnixConnector unix = new FastCGIUnixConnector(server, acceptors, 1, factory);
                unix.setUnixDomainPath(directory.resolve("f.sock"));
                start(unix, ConnectionTestBase::answerPath);
            }
            case TCP -> {
                FastCGITCPConnector tcp = new FastCGITCPConnector(server, acceptors, 1, factory);
                tcp.setPort(0);
                start(tcp, ConnectionTestBase::answerPath);
            }
        }
        return (AbstractConnector) server.getConnectors()[0];
    }

    private SocketPeer served() throws Exception {
        SocketPeer peer = connect();
        peer.get(1, "/served").send();
        peer.readAnswer(1).assertText("/served");
        return peer;
    }

    @ParameterizedTest
    @CsvSource({"UNIX,1", "UNIX,0", "TCP,1", "TCP,0"})
    void connectionsAreAcceptedWhenOthersEnd(Transport transport, int acceptors) throws Exception {
        AbstractConnector connector = start(transport, acceptors);
        for (int round = 0; round < 3; round++) {
            SocketPeer first = served();
            SocketPeer second = served();
            assertThat(connector.isAccepting()).isFalse();
            SocketPeer waiting = connect();
            waiting.get(1, "/waited").send();
            second.get(1, "/meanwhile").send();
            second.readAnswer(1).assertText("/meanwhile");
            assertThat(connectedEndPoints()).isEqualTo(2);

            first.close();

            waiting.readAnswer(1).assertText("/waited");
            second.close();
            waiting.close();
            Await.until("all connections are closed", () -> connectedEndPoints() == 0 && connector.isAccepting());
        }
    }

    @Test
    void connectionThatCouldNotBeAcceptedTakesNoPlace() throws Exception {
        AbstractConnector connector = start(Transport.UNIX, 1);
        served();

        factory.connectionLimit().onAccepting(null);
        assertThat(connector.isAccepting()).isFalse();
        factory.connectionLimit().onAcceptFailed(null, new IOException("too many open files"));

        assertThat(connector.isAccepting()).isTrue();
        served();
    }

    @Test
    void limitHoldsAfterARestart() throws Exception {
        AbstractConnector connector = start(Transport.UNIX, 1);
        served();
        served();
        assertThat(connector.isAccepting()).isFalse();

        connector.stop();
        awaitIdleThreads(); // an acceptor of Jetty's that outlives the stop would go on after the start, interrupted
        connector.start();

        served();
        assertThat(connector.isAccepting()).isTrue();
        served();
        assertThat(connector.isAccepting()).isFalse();
    }

    @Test
    void limitIsLoggedOnceAMinute() throws Exception {
        start(Transport.UNIX, 1);

        for (int round = 0; round < 3; round++) {
            List<SocketPeer> peers = List.of(served(), served());
            for (SocketPeer peer : peers) peer.close();
            Await.until("all connections are closed", () -> connectedEndPoints() == 0);
        }

        assertThat(log().lines("maxConnections")).hasSize(1).first().asString().contains("2 FastCGI connections");
    }
}

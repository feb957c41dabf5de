package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.jettyfastcgi.protocol.RecordScript;
import java.io.IOException;
import java.util.Arrays;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.AbstractConnector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How a connection ends that isn't kept, and how long the leftovers of a request are waited for on one that is. */
class ConnectionEndTest extends ConnectionTestBase {
    private static final long SHORT = 150;
    private static final long NEVER = 3_600_000;

    /** The end of STDIN, with padding, after which more might come. */
    private static final byte[] PADDED_END =
            new RecordScript().padding(8).stdin(1, "").bytes();

    private final Exchanges exchanges = new Exchanges();

    @ParameterizedTest
    @EnumSource(Transport.class)
    void connectionEndsBehindTheResponseToAWholeRequest(Transport transport) throws Exception {
        factory.setDrainTimeout(NEVER);
        start(transport, ConnectionTestBase::answerPath);
        SocketPeer peer = connect();

        peer.head(1, Wire.CLOSE, "GET", "/x").endStdin(1).send();

        peer.readAnswer(1).assertText("/x");
        peer.assertEnd();
        Await.until("the connection is closed", () -> connectedEndPoints() == 0);
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void outputEndsBehindTheResponseAndTheConnectionWithThePeerThatMaySendOn(Transport transport) throws Exception {
        factory.setDrainTimeout(NEVER);
        start(transport, ConnectionTestBase::answerPath);
        SocketPeer peer = connect();
        peer.head(1, Wire.CLOSE, "GET", "/x")
                .raw(Arrays.copyOf(PADDED_END, WireRecord.HEADER_LENGTH))
                .send();

        peer.readAnswer(1).assertText("/x");
        peer.assertEnd();
        assertThat(connectedEndPoints()).isEqualTo(1);
        peer.raw(new byte[8]).send();
        peer.close();
        Await.until("the connection is closed", () -> connectedEndPoints() == 0);
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void noResetEatsTheResponseOfAnUploadThatIsNotRead(Transport transport) throws Exception {
        start(transport, ConnectionTestBase::answerPath);
        SocketPeer peer = connect();

        peer.head(1, Wire.CLOSE, "POST", "/early", "CONTENT_LENGTH", "3000000");
        peer.stdin(1, new byte[3_000_000]).endStdin(1).send();

        peer.readAnswer(1).assertText("/early");
        peer.assertEnd();
    }

    @ParameterizedTest
    @CsvSource({"UNIX,false", "UNIX,true", "TCP,false", "TCP,true"})
    void peerThatDoesNotCloseIsWaitedForNoLongerThanTheDrainTimeout(Transport transport, boolean asynchronous)
            throws Exception {
        factory.setDrainTimeout(SHORT);
        start(transport, exchanges);
        SocketPeer peer = connect();
        peer.head(1, Wire.CLOSE, "GET", "/").raw(PADDED_END);

        if (asynchronous) peer.getValues();
        peer.send();
        if (asynchronous) assertThat(peer.readRecord().type()).isEqualTo(Wire.GET_VALUES_RESULT);
        exchanges.next().answer("served");
        peer.readAnswer(1).assertText("served");
        peer.assertEnd();

        Await.until("the connection is closed", () -> connectedEndPoints() == 0);
    }

    @Test
    void peerThatSendsOnIsReadNoLongerThanTheDrainTimeout() throws Exception {
        factory.setDrainTimeout(SHORT);
        start(ConnectionTestBase::answerPath);
        SocketPeer peer = connect();
        peer.head(1, Wire.CLOSE, "POST", "/early").send();
        peer.readAnswer(1).assertText("/early");

        byte[] more = peer.stdin(1, new byte[1000]).take();
        assertThatThrownBy(() -> {
                    while (true) peer.write(more);
                })
                .isInstanceOf(IOException.class);
    }

    @Test
    void refusedPeerIsWaitedForNoLongerThanTheDrainTimeout() throws Exception {
        factory.setDrainTimeout(SHORT);
        start(ConnectionTestBase::answerPath);
        SocketPeer peer = connect();

        peer.begin(1, Wire.AUTHORIZER, Wire.CLOSE).send();
        peer.readAnswer(1);
        peer.assertEnd();

        Await.until("the connection is closed", () -> connectedEndPoints() == 0);
    }

    @Test
    void requestBehindTheLastIsNotServed() throws Exception {
        start(exchanges);
        SocketPeer peer = connect();

        peer.head(1, Wire.CLOSE, "GET", "/").endStdin(1).get(3, "/next").send();

        exchanges.next().answer("served");
        peer.readAnswer(1).assertText("served");
        peer.assertEnd();
        assertThat(exchanges.isEmpty()).isTrue();
    }

    @Test
    void connectionsAreNotKeptIfConfiguredSo() throws Exception {
        configuration.setPersistentConnectionsEnabled(false);
        start(ConnectionTestBase::answerPath);
        SocketPeer peer = connect();

        peer.get(1, "/x").send();

        peer.readAnswer(1).assertText("/x");
        peer.assertEnd();
    }

    @Test
    void leftoversOnAKeptConnectionAreReadNoLongerThanTheDrainTimeout() throws Exception {
        factory.setDrainTimeout(SHORT);
        start(ConnectionTestBase::answerPath);
        SocketPeer peer = connect();
        peer.postHead(1, "/early", 1_000_000_000).send();
        peer.readAnswer(1).assertText("/early");

        byte[] more = peer.stdin(1, new byte[1000]).take();
        assertThatThrownBy(() -> {
                    while (true) peer.write(more);
                })
                .isInstanceOf(IOException.class);
    }

    @Test
    void leftoversThatDoNotComeAreWaitedForNoLongerThanTheDrainTimeout() throws Exception {
        factory.setDrainTimeout(SHORT);
        start(ConnectionTestBase::answerPath);
        SocketPeer peer = connect();

        peer.postHead(1, "/early", 10).send();

        peer.readAnswer(1).assertText("/early");
        peer.assertEnd();
    }

    @Test
    void restOfARecordWithinWhichTheAnswerCameIsSkipped() throws Exception {
        start(exchanges);
        SocketPeer peer = connect();
        byte[] record = peer.stdin(1, "0".repeat(32_768)).endStdin(1).take();
        byte[] head = peer.postHead(1, "/", 32_768).take();
        byte[] begun = Arrays.copyOf(head, head.length + 8_000);
        System.arraycopy(record, 0, begun, head.length, 8_000);

        peer.write(begun);
        Exchanges.Exchange early = exchanges.next();
        assertThat(early.readText()).isNotEmpty();
        early.answer("early");
        peer.readAnswer(1).assertText("early");
        peer.write(Arrays.copyOfRange(record, 8_000, record.length));
        peer.get(1, "/next").send();

        exchanges.next().answer("next");
        peer.readAnswer(1).assertText("next");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 60_000})
    void idleTimeoutIsTheFullOneAgainAfterLeftovers(long full) throws Exception {
        factory.setDrainTimeout(SHORT);
        idleTimeout = full;
        start(exchanges);
        SocketPeer peer = connect();
        peer.postHead(1, "/", 10).send();
        exchanges.next().answer("early");
        peer.readAnswer(1).assertText("early");

        peer.stdin(1, "0123456789").endStdin(1).get(3, "/next").send();
        Exchanges.Exchange exchange = exchanges.next();

        assertThat(exchange.request()
                        .getConnectionMetaData()
                        .getConnection()
                        .getEndPoint()
                        .getIdleTimeout())
                .isEqualTo(full);
        exchange.answer("served");
        peer.readAnswer(3).assertText("served");
    }

    @Test
    void idleTimeoutIsTheFullOneWhereNoRequestFollowsTheLeftovers() throws Exception {
        factory.setDrainTimeout(5_000);
        start(exchanges);
        SocketPeer peer = connect();
        peer.postHead(1, "/", 10).send();
        Exchanges.Exchange exchange = exchanges.next();
        EndPoint endPoint =
                exchange.request().getConnectionMetaData().getConnection().getEndPoint();
        exchange.answer("early");
        peer.readAnswer(1).assertText("early");
        Await.until("leftovers are waited for", () -> endPoint.getIdleTimeout() <= 5_000);

        peer.stdin(1, "0123456789").endStdin(1).send();

        Await.until("the next request is", () -> endPoint.getIdleTimeout() == idleTimeout);
    }

    @Test
    void shutdownEndsAKeptConnectionAfterItsRequest() throws Exception {
        start(exchanges);
        SocketPeer peer = connect();
        peer.get(1, "/").send();
        Exchanges.Exchange exchange = exchanges.next();

        ((AbstractConnector) server.getConnectors()[0]).setShutdownIdleTimeout(60_000);
        server.getConnectors()[0].shutdown();
        exchange.answer("served");

        peer.readAnswer(1).assertText("served");
        peer.readNotKept(1);
        peer.assertEnd();
    }
}

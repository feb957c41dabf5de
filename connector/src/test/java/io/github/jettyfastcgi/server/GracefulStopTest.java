package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.SocketAddress;
import java.net.SocketException;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server with Jetty's graceful module that stops while web servers keep connections, and send requests on them. */
class GracefulStopTest extends ConnectionTestBase {
    private static final long LONG = 60_000;
    private final Exchanges exchanges = new Exchanges();
    private CompletableFuture<Void> stopped;

    @BeforeEach
    void setStopTimeout() {
        server.setStopTimeout(LONG);
        factory.setShutdownDrainTimeout(LONG);
    }

    private void startGraceful(Transport transport) throws Exception {
        start(transport, exchanges);
        server.stop();
        GracefulHandler graceful = new GracefulHandler(new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                return exchanges.handle(request, response, callback);
            }
        });
        server.setHandler(graceful);
        server.start();
    }

    private void stop() {
        stopInTheBackground();
        Await.until("connections are ending", factory.connections()::areEnding);
    }

    private void stopInTheBackground() {
        stopped = CompletableFuture.runAsync(() -> {
            try {
                server.stop();
            } catch (Exception x) {
                throw new IllegalStateException(x);
            }
        });
    }

    private void awaitStopped() throws Exception {
        stopped.get(Await.DEADLINE.toSeconds(), TimeUnit.SECONDS);
        assertThat(server.isStopped()).isTrue();
    }

    private SocketPeer idle() throws Exception {
        SocketPeer peer = connect();
        peer.get(1, "/").send();
        exchanges.next().answer("served");
        peer.readAnswer(1).assertText("served");
        return peer;
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void requestOnAnIdleConnectionIsServedAndTheLast(Transport transport) throws Exception {
        startGraceful(transport);
        SocketPeer peer = idle();

        stop();
        peer.post(3, "/last", "content").send();
        Exchanges.Exchange last = exchanges.next();
        last.answer(last.readAll());

        peer.readAnswer(3).assertText("content");
        peer.readNotKept(3);
        peer.assertEnd();
        peer.close();
        awaitStopped();
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void requestsThatRunFinish(Transport transport) throws Exception {
        factory.setShutdownDrainTimeout(0);
        startGraceful(transport);
        SocketPeer peer = connect();
        peer.get(1, "/").send();
        Exchanges.Exchange running = exchanges.next();

        stop();
        Await.until(
                "Jetty shuts down",
                () -> server.getDescendant(GracefulHandler.class).isShutdown());
        running.answer("finished");

        peer.readAnswer(1).assertText("finished");
        peer.readNotKept(1);
        peer.assertEnd();
        peer.close();
        awaitStopped();
    }

    @Test
    void requestThatWaitsForItsTurnIsServed() throws Exception {
        factory.setMaxRequests(1);
        startGraceful(Transport.UNIX);
        SocketPeer first = connect();
        first.get(1, "/").send();
        Exchanges.Exchange running = exchanges.next();
        SocketPeer second = connect();
        second.get(1, "/").send();
        Await.until("a request waits", () -> factory.getQueuedRequests() == 1);

        stop();
        running.answer("first");
        exchanges.next().answer("second");

        first.readAnswer(1).assertText("first");
        first.readNotKept(1);
        second.readAnswer(1).assertText("second");
        second.readNotKept(1);
        first.assertEnd();
        second.assertEnd();
        first.close();
        second.close();
        awaitStopped();
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void nobodyConnectsAnyMore(Transport transport) throws Exception {
        startGraceful(transport);
        SocketPeer peer = idle();
        SocketAddress address = address();

        stop();

        Await.until("connections are refused", () -> isRefused(address));
        peer.close();
        awaitStopped();
    }

    private boolean isRefused(SocketAddress address) {
        try {
            connect(address).close();
            return false;
        } catch (SocketException x) {
            return true;
        } catch (Exception x) {
            throw new IllegalStateException(x);
        }
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void whatConnectedBeforeIsAccepted(Transport transport) throws Exception {
        factory.setMaxConnections(1);
        expectWarning("as many as jetty.fastcgi.maxConnections allows");
        startGraceful(transport);
        SocketPeer accepted = idle();
        SocketPeer waiting = connect();
        waiting.get(1, "/").send();

        stop();
        accepted.close();
        exchanges.next().answer("served");

        waiting.readAnswer(1).assertText("served");
        waiting.readNotKept(1);
        waiting.assertEnd();
        waiting.close();
        awaitStopped();
    }

    @Test
    void whatIsNeverAcceptedIsNotWaitedForLongerThanIdleConnections() throws Exception {
        factory.setMaxConnections(1);
        factory.setShutdownDrainTimeout(200);
        expectWarning("as many as jetty.fastcgi.maxConnections allows");
        startGraceful(Transport.TCP);
        SocketPeer accepted = idle();
        SocketPeer waiting = connect();

        stop();

        accepted.assertEnd();
        waiting.readToClose();
        awaitStopped();
    }

    /** The connector's own connection, by which it knows that its queue is empty, is none of a peer's. */
    @Test
    void nothingIsCountedOfTheStopItself() throws Exception {
        FastCGITCPConnector tcp = new FastCGITCPConnector(server, 1, 1, factory);
        tcp.setHost("0.0.0.0");
        tcp.setPort(0);
        tcp.setAllow("192.0.2.1");
        start(tcp, exchanges);

        server.stop();

        assertThat(counters.refusedConnections()).isZero();
        assertThat(counters.openedConnections()).isZero();
    }

    @Test
    void connectionsThatStayIdleAreClosedInTheEnd() throws Exception {
        factory.setShutdownDrainTimeout(100);
        startGraceful(Transport.UNIX);
        SocketPeer peer = idle();

        stop();

        peer.assertEnd();
        awaitStopped();
        assertThat(counters.closedConnectionsByReason()).containsEntry("stopped", 1L);
    }

    @Test
    void timeoutsOfRequestsThatWaitStayAsTheyAre() throws Exception {
        factory.setShutdownDrainTimeout(0);
        startGraceful(Transport.UNIX);
        SocketPeer peer = connect();
        peer.get(1, "/").send();
        Exchanges.Exchange running = exchanges.next();
        EndPoint endPoint =
                running.request().getConnectionMetaData().getConnection().getEndPoint();

        stop();
        Await.until(
                "Jetty shuts down",
                () -> server.getDescendant(GracefulHandler.class).isShutdown());

        assertThat(endPoint.getIdleTimeout()).isEqualTo(idleTimeout);
        running.answer("finished");
        peer.readAnswer(1).assertText("finished");
        peer.close();
        awaitStopped();
    }

    @Test
    void withoutAStopTimeoutNothingIsWaitedFor() throws Exception {
        server.setStopTimeout(0);
        startGraceful(Transport.UNIX);
        SocketPeer peer = idle();

        stopInTheBackground();

        awaitStopped();
        peer.assertEnd();
    }

    @Test
    void connectionsAreKeptAfterARestart() throws Exception {
        factory.setShutdownDrainTimeout(0);
        startGraceful(Transport.UNIX);
        server.stop();
        server.start();

        SocketPeer peer = idle();
        peer.get(3, "/").send();
        exchanges.next().answer("again");

        peer.readAnswer(3).assertText("again");
    }

    @Test
    void requestWhoseFirstBytesHaveComeIsNotIdle() throws Exception {
        start(ConnectionTestBase::answerPath);
        SocketPeer peer = connect();
        byte[] request = peer.get(1, "/begun").take();
        peer.raw(Arrays.copyOf(request, 5)).send();
        Await.until("its first bytes are read", () -> bytesRead() == 5);
        EndPoint endPoint =
                server.getConnectors()[0].getConnectedEndPoints().iterator().next();
        Await.until("the rest is waited for", endPoint::isFillInterested);

        ((FastCGIConnection) endPoint.getConnection()).closeIfIdle();

        assertThat(endPoint.isOpen()).isTrue();
        peer.raw(Arrays.copyOfRange(request, 5, request.length)).send();
        peer.readAnswer(1).assertText("/begun");
    }
}

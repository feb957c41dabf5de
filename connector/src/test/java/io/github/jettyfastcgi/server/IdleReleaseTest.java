package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import org.eclipse.jetty.http.HttpURI;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a connection remembers of its last request, seen by the URI that a repeated target shares, goes when it idles. */
class IdleReleaseTest extends ConnectionTestBase {
    private final BlockingQueue<Runnable> checks = scheduler.keep(Connections.IDLE_CHECK_INTERVAL);
    private final List<HttpURI> uris = new ArrayList<>();

    @BeforeEach
    void startServer() throws Exception {
        startLocal((request, response, callback) -> {
            uris.add(request.getHttpURI());
            return answerPath(request, response, callback);
        });
    }

    @Test
    void busyConnectionRemembers() throws Exception {
        LocalPeer peer = connectLocal();

        for (int i = 0; i < 5; i++) {
            request(peer);
            Await.next("a check", checks).run();
        }

        assertThat(uris).hasSize(5).allMatch(uri -> uri == uris.get(0));
        peer.end();
    }

    @Test
    void idleConnectionForgets() throws Exception {
        LocalPeer peer = connectLocal();
        request(peer);

        Await.next("a check", checks).run();
        Await.next("a check", checks).run();
        request(peer);
        request(peer);

        assertThat(uris.get(1)).isEqualTo(uris.get(0)).isNotSameAs(uris.get(0));
        assertThat(uris.get(2)).isSameAs(uris.get(1));
        peer.end();
    }

    @Test
    void connectionWithinVariablesKeepsThem() throws Exception {
        LocalPeer peer = connectLocal();
        peer.begin(1, Wire.RESPONDER, Wire.KEEP)
                .params(1, "REQUEST_METHOD", "GET")
                .send();

        for (int i = 0; i < 3; i++) Await.next("a check", checks).run();
        peer.params(1, "REQUEST_URI", "/x").endParams(1).endStdin(1).send();

        peer.readAnswer(1).assertText("/x");
        peer.end();
    }

    @Test
    void connectionWithinARecordKeepsIt() throws Exception {
        LocalPeer peer = connectLocal();
        byte[] request = peer.get(1, "/x").take();
        peer.raw(Arrays.copyOf(request, 5)).send();

        for (int i = 0; i < 3; i++) Await.next("a check", checks).run();
        peer.raw(Arrays.copyOfRange(request, 5, request.length)).send();

        peer.readAnswer(1).assertText("/x");
        peer.end();
    }

    /** Else the rest of what an answered request has sent would be taken for another request's. */
    @Test
    void connectionThatWaitsForLeftoversKeepsThem() throws Exception {
        LocalPeer peer = connectLocal();
        peer.postHead(1, "/early", 4).send();
        peer.readAnswer(1).assertText("/early");

        for (int i = 0; i < 3; i++) Await.next("a check", checks).run();
        peer.stdin(1, "1234").endStdin(1).get(1, "/next").send();

        peer.readAnswer(1).assertText("/next");
        peer.end();
    }

    @Test
    void checksEndWithTheLastConnectionAndBeginWithTheNext() throws Exception {
        LocalPeer first = connectLocal();
        LocalPeer second = connectLocal();
        assertThat(checks).hasSize(1);
        first.end();
        checks.remove().run();
        assertThat(checks).hasSize(1);

        second.end();
        checks.remove().run();
        assertThat(checks).isEmpty();

        LocalPeer third = connectLocal();
        assertThat(checks).hasSize(1);
        third.end();
    }

    @Test
    void checksBeginAgainWithTheServer() throws Exception {
        connectLocal().end();
        assertThat(checks).hasSize(1);
        server.stop();
        checks.clear(); // as the scheduler does that has stopped

        server.start();
        connectLocal().end();

        assertThat(checks).hasSize(1);
    }

    private static void request(LocalPeer peer) throws Exception {
        peer.get(1, "/repeated").send();
        peer.readAnswer(1).assertText("/repeated");
    }
}

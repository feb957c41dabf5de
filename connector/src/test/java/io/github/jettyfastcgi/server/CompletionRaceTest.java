package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Promise;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Requests that other threads complete, before, while and after their handlers return, with the next request waiting or
 * about to come: no answer gets lost, and none comes twice.
 */
class CompletionRaceTest extends ConnectionTestBase {
    private static final int REQUESTS = 3000;

    private final ExecutorService executor = Executors.newFixedThreadPool(4);
    private final AtomicInteger handled = new AtomicInteger();

    @AfterEach
    void stopExecutor() {
        executor.shutdownNow();
    }

    /** How many requests are on their way at the same time. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void completionRacesTheReturnOfTheHandler(int ahead) throws Exception {
        start((request, response, callback) -> {
            handled.incrementAndGet();
            String path = request.getHttpURI().getPath();
            executor.execute(() -> answer(response, callback, path));
            spin();
            return true;
        });

        exchange(ahead, "");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void readsAndCompletionRaceTheReturnOfTheHandler(int ahead) throws Exception {
        start((request, response, callback) -> {
            handled.incrementAndGet();
            executor.execute(() -> answerPathAndContent(request, response, callback));
            spin();
            return true;
        });

        exchange(ahead, "some content");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void answersThatReadNothingRaceTheContent(int ahead) throws Exception {
        start((request, response, callback) -> {
            handled.incrementAndGet();
            String path = request.getHttpURI().getPath();
            executor.execute(() -> answer(response, callback, path));
            spin();
            return true;
        });
        SocketPeer peer = connect();
        Queue<Integer> expected = new ArrayDeque<>();

        for (int id = 1; id <= REQUESTS; id++) {
            peer.postHead(id, "/" + id, 4).send();
            spin();
            peer.stdin(id, "1234").endStdin(id).send();
            expected.add(id);
            if (expected.size() == ahead) readAnswer(peer, expected.remove(), "");
        }

        while (!expected.isEmpty()) readAnswer(peer, expected.remove(), "");
        assertThat(handled).hasValue(REQUESTS);
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void contentInPiecesRacesItsReader(Transport transport) throws Exception {
        start(transport, (request, response, callback) -> {
            handled.incrementAndGet();
            executor.execute(() -> answerPathAndContent(request, response, callback));
            return true;
        });
        SocketPeer peer = connect();

        for (int id = 1; id <= REQUESTS / 5; id++) {
            peer.postHead(id, "/" + id, 12).send();
            for (int i = 0; i < 6; i++) {
                spin();
                peer.stdin(id, i + "x").send();
            }
            peer.endStdin(id).send();
            readAnswer(peer, id, "0x1x2x3x4x5x");
        }

        assertThat(handled).hasValue(REQUESTS / 5);
    }

    /** The check that the peer is still there comes all the time, and takes nothing from whoever reads. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void watchingRacesTheReaderAndTheCompletion(int ahead) throws Exception {
        start((request, response, callback) -> {
            handled.incrementAndGet();
            FastCGIConnection connection = (FastCGIConnection) request.getConnectionMetaData();
            executor.execute(() -> {
                for (int i = 0; i < 20; i++) connection.checkRequest();
            });
            executor.execute(() -> {
                spin();
                answerPathAndContent(request, response, callback);
            });
            return true;
        });
        SocketPeer peer = connect();
        Queue<Integer> expected = new ArrayDeque<>();

        for (int id = 1; id <= REQUESTS; id++) {
            peer.postHead(id, "/" + id, 4).send();
            spin();
            peer.stdin(id, "12").stdin(id, "34").endStdin(id).send();
            expected.add(id);
            if (expected.size() == ahead) readAnswer(peer, expected.remove(), "1234");
        }

        while (!expected.isEmpty()) readAnswer(peer, expected.remove(), "1234");
        assertThat(handled).hasValue(REQUESTS);
    }

    @Test
    void peerThatGoesAwayRacesTheCompletion() throws Exception {
        Set<String> paths = ConcurrentHashMap.newKeySet();
        start((request, response, callback) -> {
            paths.add(request.getHttpURI().getPath());
            request.addFailureListener(failure -> spin());
            executor.execute(() -> {
                spin();
                answer(response, callback, "nobody may read it");
            });
            return true;
        });

        for (int i = 0; i < 1000; i++) {
            String path = "/" + i;
            try (SocketPeer peer = connect()) {
                peer.get(1, path).get(3, "/next").send();
                Await.until("the request is handled", () -> paths.contains(path));
                spin();
            }
        }

        Await.until("all connections are closed", () -> connectedEndPoints() == 0);
    }

    private void exchange(int ahead, String content) throws Exception {
        SocketPeer peer = connect();
        Queue<Integer> expected = new ArrayDeque<>();

        for (int id = 1; id <= REQUESTS; id++) {
            peer.post(id, "/" + id, content).send();
            expected.add(id);
            if (expected.size() == ahead) readAnswer(peer, expected.remove(), content);
        }

        while (!expected.isEmpty()) readAnswer(peer, expected.remove(), content);
        assertThat(handled).hasValue(REQUESTS);
    }

    private static void readAnswer(SocketPeer peer, int id, String content) throws Exception {
        Answer answer = peer.readAnswer(id);
        if (!answer.text().equals("/" + id + content)) answer.assertText("/" + id + content);
    }

    private static void answerPathAndContent(Request request, Response response, Callback callback) {
        String path = request.getHttpURI().getPath();
        Content.Source.asString(
                request,
                StandardCharsets.ISO_8859_1,
                Promise.from(content -> answer(response, callback, path + content), callback::failed));
    }

    /** Passes a short time, now longer, now shorter than what other threads do meanwhile. */
    private static void spin() {
        int spins = ThreadLocalRandom.current().nextInt(2000);
        for (int i = 0; i < spins; i++) Thread.onSpinWait();
    }
}

package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ContextHandler;
import org.eclipse.jetty.server.handler.ContextHandlerCollection;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Web applications that are replaced and taken away while requests run in them. */
class ContextChangeTest extends ConnectionTestBase {
    private static final long LONG = 60_000;
    private final ContextHandlerCollection contexts = new ContextHandlerCollection(true);
    private final Exchanges oldExchanges = new Exchanges();
    private final ContextHandler old = context("/app", oldExchanges);

    @BeforeEach
    void startServer() throws Exception {
        server.setStopTimeout(LONG);
        factory.setShutdownDrainTimeout(0);
        contexts.setHandlers(old, context("/other", oldExchanges));
        FastCGIUnixConnector unix = new FastCGIUnixConnector(server, 1, 1, factory);
        unix.setUnixDomainPath(directory.resolve("f.sock"));
        startWith(unix, contexts);
    }

    private static ContextHandler context(String path, Request.Handler handler) {
        return new ContextHandler(
                new Handler.Abstract() {
                    @Override
                    public boolean handle(Request request, Response response, Callback callback) throws Exception {
                        return handler.handle(request, response, callback);
                    }
                },
                path);
    }

    private static ContextHandler answering(String text) {
        return context("/app", (request, response, callback) -> answer(response, callback, text));
    }

    /** As Jetty's deployer does. */
    private CompletableFuture<Void> replace(ContextHandler replaced, ContextHandler by) throws Exception {
        by.setServer(server);
        by.start();
        return CompletableFuture.runAsync(() -> {
            Callback.Completable done = new Callback.Completable();
            contexts.redeployHandler(replaced, by, done);
            done.join();
            contexts.manage(by);
        });
    }

    private CompletableFuture<Void> remove(ContextHandler removed) {
        return CompletableFuture.runAsync(() -> {
            try {
                removed.stop();
                contexts.removeHandler(removed);
            } catch (Exception x) {
                throw new IllegalStateException(x);
            }
        });
    }

    private Exchanges.Exchange run(SocketPeer peer, String path) throws Exception {
        peer.get(1, path).send();
        return oldExchanges.next();
    }

    private static void await(CompletableFuture<Void> change) throws Exception {
        change.get(Await.DEADLINE.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void requestOfTheOldOneFinishesWhileTheNewOneServes() throws Exception {
        SocketPeer first = connect();
        Exchanges.Exchange running = run(first, "/app/x");

        AtomicInteger served = new AtomicInteger();
        CompletableFuture<Void> change = replace(old, context("/app", (request, response, callback) -> {
            served.incrementAndGet();
            return answer(response, callback, "new");
        }));
        SocketPeer second = connect();
        Await.until("the new one serves", () -> {
            try {
                second.get(1, "/app/y").send();
                Await.until("one of them is asked", () -> served.get() > 0 || !oldExchanges.isEmpty());
                if (served.get() > 0) return second.readAnswer(1).text().equals("new");
                oldExchanges.next().answer("old");
                second.readAnswer(1).assertText("old");
                return false;
            } catch (Exception x) {
                throw new IllegalStateException(x);
            }
        });

        assertThat(change).isNotDone();
        assertThat(old.isStarted()).isTrue();
        running.answer("old");
        first.readAnswer(1).assertText("old");
        await(change);
        assertThat(old.isStopped()).isTrue();
        first.get(3, "/app/x").send();
        first.readAnswer(3).assertText("new");
    }

    @Test
    void requestsOfOtherOnesAreNotWaitedFor() throws Exception {
        SocketPeer peer = connect();
        Exchanges.Exchange running = run(peer, "/other/x");

        await(replace(old, answering("new")));

        assertThat(old.isStopped()).isTrue();
        running.answer("other");
        peer.readAnswer(1).assertText("other");
    }

    @Test
    void requestOfOneThatIsTakenAwayFinishes() throws Exception {
        SocketPeer peer = connect();
        Exchanges.Exchange running = run(peer, "/app/x");

        CompletableFuture<Void> change = remove(old);
        Await.until("the old one is to stop", old::isStopping);
        assertThat(change).isNotDone();
        running.answer("old");

        peer.readAnswer(1).assertText("old");
        await(change);
        peer.get(3, "/app/x").send();
        peer.readAnswer(3).assertStatus(404);
    }

    @Test
    void oneThatServedAfterAReplacementFinishesRequestsToo() throws Exception {
        Exchanges newExchanges = new Exchanges();
        ContextHandler replacement = context("/app", newExchanges);
        await(replace(old, replacement));
        SocketPeer peer = connect();
        peer.get(1, "/app/x").send();
        Exchanges.Exchange running = newExchanges.next();

        CompletableFuture<Void> change = replace(replacement, answering("newest"));
        Await.until("the mapping changes", () -> !contexts.getHandlers().contains(replacement));
        assertThat(change).isNotDone();
        running.answer("new");

        peer.readAnswer(1).assertText("new");
        await(change);
    }

    @Test
    void requestsAreWaitedForNoLongerThanTheStopTimeout() throws Exception {
        server.setStopTimeout(50);
        SocketPeer peer = connect();
        Exchanges.Exchange running = run(peer, "/app/x");

        await(replace(old, answering("new")));

        assertThat(old.isStopped()).isTrue();
        running.answer("late");
        peer.readAnswer(1).assertText("late");
    }

    @Test
    void serverThatStopsDoesNotWaitForEachOne() throws Exception {
        server.setStopTimeout(0);
        SocketPeer peer = connect();
        Exchanges.Exchange running = run(peer, "/app/x");

        server.stop();

        running.callback().failed(new EofException("The server has stopped"));
        assertThat(peer.readToClose()).isZero();
    }

    /** Replacements come all the time; each request is served by one that isn't stopped. */
    @Test
    void replacementRacesRequests() throws Exception {
        AtomicInteger generation = new AtomicInteger();
        AtomicInteger requests = new AtomicInteger();
        CompletableFuture<Void> changes = CompletableFuture.runAsync(() -> {
            ContextHandler current = old;
            while (generation.get() < 100 || requests.get() < 100) {
                ContextHandler next = generation(generation);
                try {
                    await(replace(current, next));
                } catch (Exception x) {
                    throw new IllegalStateException(x);
                }
                current = next;
            }
        });
        SocketPeer peer = connect();
        Await.until("the first replacement", () -> generation.get() > 0 && old.isStopped());

        try {
            while (!changes.isDone()) {
                peer.post(1, "/app/x", "content").send();
                peer.readAnswer(1).assertText("content");
                requests.incrementAndGet();
            }
        } finally {
            requests.set(100);
            changes.join();
        }
    }

    private static ContextHandler generation(AtomicInteger generation) {
        generation.incrementAndGet();
        ContextHandler[] self = new ContextHandler[1];
        self[0] = context("/app", (request, response, callback) -> {
            List<String> states = List.of(self[0].getState());
            String content = Content.Source.asString(request);
            return answer(response, callback, self[0].isStarted() ? content : "within " + states);
        });
        return self[0];
    }
}

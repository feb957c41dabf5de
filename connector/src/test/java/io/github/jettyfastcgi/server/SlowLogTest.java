package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Slow requests in a log of their own: once each, with the stack of the thread that handles them, and of no other. */
class SlowLogTest extends ConnectionTestBase {
    private static final String ENTRY = ":WARN :igj.slowlog:";
    private static final long THRESHOLD = 20;

    private final BlockingQueue<Runnable> sweeps = scheduler.keep(THRESHOLD / 2);
    private final Exchanges exchanges = new Exchanges();
    private final Semaphore blocked = new Semaphore(0);
    private final Semaphore released = new Semaphore(0);

    @BeforeEach
    void expectEntries() {
        factory.setSlowLogThreshold(THRESHOLD);
        expectWarning(ENTRY);
    }

    private boolean blockThenAnswer(Request request, Response response, Callback callback) throws Exception {
        blocked.release();
        released.acquire();
        return answerPath(request, response, callback);
    }

    private void awaitBlocked() throws InterruptedException {
        assertThat(blocked.tryAcquire(Await.DEADLINE.toMillis(), TimeUnit.MILLISECONDS))
                .isTrue();
    }

    private void sweep() throws InterruptedException {
        Await.next("a sweep", sweeps).run();
    }

    /** Lets requests that have begun become slow. */
    private static void awaitThreshold() {
        long begin = System.nanoTime();
        Await.until("it is late", () -> System.nanoTime() - begin > TimeUnit.MILLISECONDS.toNanos(THRESHOLD));
    }

    /** {@return the entries of the log, each with the lines of its stack} */
    private List<String> entries() {
        List<String> entries = new ArrayList<>();
        log().text().lines().forEach(line -> {
            if (line.contains(ENTRY)) entries.add(line.replaceFirst(".*" + ENTRY + "[^:]*: ", ""));
            else if (!entries.isEmpty()) entries.add(entries.remove(entries.size() - 1) + "\n" + line);
        });
        return entries;
    }

    private static String firstLine(String entry) {
        return entry.lines().findFirst().orElseThrow();
    }

    @Test
    void entryHasRequestAgeThreadAndItsStack() throws Exception {
        start(this::blockThenAnswer);
        SocketPeer peer = connect();
        peer.head(1, Wire.KEEP, "PUT", "/a%20b;session=secret?password=secret", "REMOTE_USER", "secret")
                .endStdin(1)
                .send();
        awaitBlocked();
        awaitThreshold();

        sweep();

        String entry = entries().get(0);
        assertThat(entries()).hasSize(1);
        assertThat(firstLine(entry)).matches("PUT /a%20b, [2-9]\\d+ ms: handled by thread qtp\\S+, response not begun");
        String thread = entry.replaceAll("(?s).*by thread (\\S+),.*", "$1");
        assertThat(entry.lines().skip(1).findFirst()).contains(thread + " WAITING");
        assertThat(entry)
                .contains("/java.util.concurrent.Semaphore.acquire(")
                .contains("SlowLogTest.blockThenAnswer(SlowLogTest.java:")
                .contains("FastCGIConnection.run(")
                .doesNotContain("secret");
        released.release();
        peer.readAnswer(1);
    }

    @ParameterizedTest
    @CsvSource({"false, GET /a", "true, GET /a?b=c"})
    void queryIsLoggedWhereItIsAllowed(boolean allowed, String target) throws Exception {
        factory.setSlowLogQuery(allowed);
        start(this::blockThenAnswer);
        SocketPeer peer = connect();
        peer.get(1, "/a?b=c").send();
        awaitBlocked();
        awaitThreshold();

        sweep();

        assertThat(entries()).singleElement().asString().startsWith(target + ", ");
        released.release();
        peer.readAnswer(1);
    }

    /** No path looks like an entry of its own, or gives orders to the terminal that shows it. */
    @Test
    void pathIsPrintable() throws Exception {
        start(this::blockThenAnswer);
        SocketPeer peer = connect();
        peer.get(1, "/%C2%9B2J%E2%80%A8%C3%BC").send();
        awaitBlocked();
        awaitThreshold();

        sweep();

        assertThat(entries()).singleElement().asString().startsWith("GET /\\u009b2J\\u2028\\u00fc, ");
        released.release();
        peer.readAnswer(1);
    }

    @Test
    void requestWithoutPathHasNone() throws Exception {
        start(this::blockThenAnswer);
        SocketPeer peer = connect();
        peer.head(1, Wire.KEEP, "OPTIONS", "*").endStdin(1).send();
        awaitBlocked();
        awaitThreshold();

        sweep();

        assertThat(entries()).singleElement().asString().startsWith("OPTIONS *, ");
        released.release();
        peer.readAnswer(1);
    }

    @Test
    void requestIsLoggedOnceAndTheNextOfItsConnectionAnew() throws Exception {
        start(this::blockThenAnswer);
        SocketPeer peer = connect();

        for (String path : List.of("/a", "/b")) {
            peer.get(1, path).send();
            awaitBlocked();
            awaitThreshold();
            for (int i = 0; i < 3; i++) sweep();
            released.release();
            peer.readAnswer(1);
            sweep();
        }

        assertThat(entries()).hasSize(2);
        assertThat(entries().get(0)).startsWith("GET /a, ");
        assertThat(entries().get(1)).startsWith("GET /b, ");
    }

    @Test
    void quickRequestIsNotLogged() throws Exception {
        scheduler.keep(1000);
        factory.setSlowLogThreshold(TimeUnit.HOURS.toMillis(1));
        start(this::blockThenAnswer);
        SocketPeer peer = connect();
        peer.get(1, "/").send();
        awaitBlocked();

        sweep();

        assertThat(entries()).isEmpty();
        released.release();
        peer.readAnswer(1);
    }

    @Test
    void finishedRequestIsNotLogged() throws Exception {
        start(ConnectionTestBase::answerPath);
        SocketPeer peer = connect();
        peer.get(1, "/").send();
        peer.readAnswer(1);
        Await.until("no request runs", () -> factory.getRunningRequests() == 0);
        awaitThreshold();

        sweep();

        assertThat(entries()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"false, response not begun", "true, response begun"})
    void asynchronousRequestHasNoThreadAndNoStack(boolean committed, String response) throws Exception {
        start(exchanges);
        SocketPeer peer = connect();
        peer.get(1, "/a").send();
        Exchanges.Exchange exchange = exchanges.next();
        if (committed) exchange.commit("x");
        awaitIdleThreads();
        awaitThreshold();

        sweep();

        assertThat(entries())
                .singleElement()
                .asString()
                .matches("GET /a, \\d+ ms: asynchronous, no thread handles it, " + response);
        exchange.answer("");
        peer.readAnswer(1);
    }

    @Test
    void requestThatWaitsForAThreadIsToldApart() throws Exception {
        start(this::blockThenAnswer);
        List<SocketPeer> peers = new ArrayList<>();
        while (blocked.availablePermits() < threads.getMaxThreads() - threads.getLeasedThreads()) {
            SocketPeer peer = connect();
            peer.get(1, "/a").send();
            peers.add(peer);
            Await.until(
                    "it is handled, or waits",
                    () -> blocked.availablePermits() + counters.requestsWaitingForThread() == peers.size());
        }
        SocketPeer last = connect();
        last.get(1, "/b").send();
        peers.add(last);
        Await.until("it waits", () -> blocked.availablePermits() + counters.requestsWaitingForThread() == peers.size());
        awaitThreshold();

        sweep();

        assertThat(entries()).anyMatch(entry -> entry.matches("GET /b, \\d+ ms: waits for a thread"));
        released.release(peers.size());
        for (SocketPeer peer : peers) peer.readAnswer(1);
    }

    /** Threads that go from request to request are never seen in one by what was found in another. */
    @Test
    void stackIsNeverThatOfAnotherRequest() throws Exception {
        scheduler.keep(10);
        factory.setSlowLogThreshold(1);
        start((request, response, callback) -> switch (request.getHttpURI().getPath()) {
            case "/one" -> one(response, callback);
            default -> two(response, callback);
        });
        AtomicInteger answered = new AtomicInteger();
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            SocketPeer peer = connect();
            Thread client = new Thread(() -> request(peer, answered));
            client.start();
            clients.add(client);
        }

        Await.until("all are answered", () -> {
            Runnable sweep = sweeps.poll(); // none before the first connection
            if (sweep != null) sweep.run();
            return answered.get() == 4 * 100;
        });

        for (Thread client : clients) client.join(Await.DEADLINE.toMillis());
        List<String> entries = entries();
        assertThat(entries).anyMatch(entry -> entry.startsWith("GET /one, ") && entry.contains("SlowLogTest.one("));
        assertThat(entries).noneMatch(entry -> entry.startsWith("GET /one, ") && entry.contains("SlowLogTest.two("));
        assertThat(entries).noneMatch(entry -> entry.startsWith("GET /two, ") && entry.contains("SlowLogTest.one("));
    }

    private static void request(SocketPeer peer, AtomicInteger answered) {
        try {
            for (int i = 0; i < 100; i++) {
                peer.get(1, i % 2 == 0 ? "/one" : "/two").send();
                peer.readAnswer(1);
                answered.incrementAndGet();
            }
        } catch (Exception x) {
            throw new AssertionError(x);
        }
    }

    private static boolean one(Response response, Callback callback) {
        LockSupport.parkNanos(1_500_000);
        return answer(response, callback, "1");
    }

    private static boolean two(Response response, Callback callback) {
        LockSupport.parkNanos(1_500_000);
        return answer(response, callback, "2");
    }

    @Test
    void nothingIsSweptUnlessAskedFor() throws Exception {
        factory.setSlowLogThreshold(0);
        start(this::blockThenAnswer);
        SocketPeer peer = connect();
        peer.get(1, "/").send();
        awaitBlocked();

        assertThat(sweeps).isEmpty();
        released.release();
        peer.readAnswer(1);
    }

    @Test
    void sweepsEndWithTheLastConnection() throws Exception {
        start(this::blockThenAnswer);
        SocketPeer peer = connect();
        Runnable first = Await.next("a sweep", sweeps);
        peer.close();
        Await.until("the connection is closed", () -> connectedEndPoints() == 0);

        first.run();

        assertThat(sweeps).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 10", "20, 10", "21, 10", "500, 250", "2000, 1000", "60000, 1000"})
    void sweepsCostNextToNothing(long threshold, long interval) {
        SlowLog slowLog = new SlowLog();
        slowLog.setThreshold(threshold);

        assertThat(slowLog.interval()).isEqualTo(interval);
    }
}

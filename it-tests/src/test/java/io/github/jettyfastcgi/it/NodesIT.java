package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two nodes that share their sessions: what one knows the other knows, and the death of either costs no session and no
 * answer. The profile {@code soak} raises the number of requests.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class NodesIT {
    private static final int REQUESTS = Integer.getInteger("it.nodes.requests", 1_000);
    private static final int VISITORS = 8;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    @TempDir
    static Path directory;

    private static DatabaseStore store;
    private static NodesSite site;

    @RegisterExtension
    static final DescribeFailure DESCRIBE_FAILURE = new DescribeFailure(() -> site.describe());

    @BeforeAll
    static void startSite() throws Exception {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
        store = new DatabaseStore(directory.resolve("database"));
        site = new NodesSite(directory, store);
    }

    @AfterAll
    static void stopSite() {
        if (site != null) {
            site.close();
        }
    }

    @Test
    void sessionStaysWithItsNode() throws Exception {
        SessionVisitor.Session session = new SessionVisitor.Session(site.port());
        session.visit();
        String node = session.node();

        for (int i = 0; i < 10; i++) {
            session.visit();
            assertThat(session.node()).isEqualTo(node);
        }
        assertThat(session.counter()).isEqualTo(11);
    }

    @Test
    void databaseKnowsItsCommands() throws Exception {
        PostgreSQLServer database = store.server();

        // Here there is a user of that name.
        database.shell(Documentation.snippet("nodes/NODES.md", "nodes-database").replace("jetty", "owner"));
        assertThat(database.query(
                        "select rolname from pg_database join pg_roles r on datdba = r.oid where datname = 'sessions'"))
                .containsExactly("owner");
    }

    @Test
    void nodeReadsAgainWhatAnotherHasMadeOfASession() throws Exception {
        SessionVisitor.Session session = new SessionVisitor.Session(site.port());
        session.visit();

        site.awaitShared(session);
    }

    @Test
    @Order(Integer.MAX_VALUE)
    void deathOfEitherNodeCostsNoSessionAndNoAnswer() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger visits = new AtomicInteger();
        List<SessionVisitor> visitors = new ArrayList<>();
        for (int i = 0; i < VISITORS; i++) {
            visitors.add(new SessionVisitor(site.port(), stop, visits));
        }
        ExecutorService threads = Executors.newFixedThreadPool(VISITORS);
        try {
            List<Future<?>> running = new ArrayList<>();
            visitors.forEach(visitor -> running.add(threads.submit(visitor)));
            awaitVisits(visits);
            assertThat(site.passed().get("node1")).isPositive();
            assertThat(site.passed().get("node2")).isPositive();

            site.kill(0);
            awaitVisits(visits);
            site.start(0);
            awaitNewSessionsOn("node1");
            awaitVisits(visits);
            site.kill(1);
            awaitVisits(visits);

            stop.set(true);
            for (Future<?> each : running) {
                each.get();
            }
        } finally {
            stop.set(true);
            threads.shutdown();
        }
        visitors.forEach(SessionVisitor::visitAll);

        assertThat(visitors).flatExtracting(SessionVisitor::failures).isEmpty();
        int sessions = visitors.stream().mapToInt(SessionVisitor::sessions).sum();
        String stored =
                store.server().query("select count(*) from JettySessions").get(0);
        assertThat(Integer.parseInt(stored)).isGreaterThanOrEqualTo(sessions);
        assertThat(site.passed().get("both"))
                .as("requests that went on to the other node")
                .isPositive();
    }

    private static void awaitVisits(AtomicInteger visits) throws InterruptedException {
        int wanted = visits.get() + REQUESTS;
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (visits.get() < wanted) {
            assertThat(System.nanoTime()).as("only " + visits + " visits").isLessThan(deadline);
            Thread.sleep(10);
        }
    }

    /** Waits until nginx sends newcomers to a node. */
    private static void awaitNewSessionsOn(String node) throws Exception {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        String last;
        do {
            assertThat(System.nanoTime()).as("no new session on " + node).isLessThan(deadline);
            SessionVisitor.Session session = new SessionVisitor.Session(site.port());
            session.visit();
            last = session.node();
        } while (!last.equals(node));
    }
}

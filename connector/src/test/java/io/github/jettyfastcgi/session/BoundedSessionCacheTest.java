package io.github.jettyfastcgi.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.jettyfastcgi.session.SessionServer.Visitor;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.server.Session;
import org.eclipse.jetty.session.AbstractSessionDataStore;
import org.eclipse.jetty.session.FileSessionDataStoreFactory;
import org.eclipse.jetty.session.SessionData;
import org.eclipse.jetty.session.SessionDataStoreFactory;
import org.eclipse.jetty.session.SessionHandler;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which sessions go when there are too many, and what becomes of them. */
class BoundedSessionCacheTest {
    private static final String LOSS = "Visitors lose their sessions";

    @TempDir
    Path directory;

    private final AtomicInteger ended = new AtomicInteger();
    private final Session.LifeCycleListener endCounter = new Session.LifeCycleListener() {
        @Override
        public void onSessionDestroyed(Session session) {
            assertThat(session.getAttribute("count")).isNotNull();
            ended.incrementAndGet();
        }
    };
    private SessionServer site;

    @AfterEach
    void stop() throws Exception {
        if (site != null) site.stop();
    }

    private BoundedSessionCache start(int maxSessions) throws Exception {
        site = new SessionServer(maxSessions).add("/", endCounter).start();
        return site.cache();
    }

    @Test
    void sessionsWithoutASecondRequestGoFirst() throws Exception {
        BoundedSessionCache cache = start(20);
        List<Visitor> visitors = new ArrayList<>();
        for (int i = 0; i < 15; i++) visitors.add(returnedVisitor());

        site.flood("/", 500);

        assertThat(cache.getSessionsCurrent()).isEqualTo(20);
        for (Visitor visitor : visitors) assertThat(visitor.visit("/")).isEqualTo(3);
        assertThat(cache.getUnreturnedSessionsEvicted()).isEqualTo(495);
        assertThat(cache.getReturnedSessionsEvicted()).isZero();
        assertThat(site.log.lines("WARN")).isEmpty();
    }

    @Test
    void thenTheLeastRecentlyUsed() throws Exception {
        BoundedSessionCache cache = start(5);
        Visitor first = returnedVisitor();
        Visitor second = returnedVisitor();
        Visitor third = returnedVisitor();
        first.visit("/");

        returnedVisitor();
        returnedVisitor();
        site.flood("/");

        assertThat(second.visit("/")).as("the second, whose session is new").isEqualTo(1);
        assertThat(first.visit("/")).isEqualTo(4);
        assertThat(third.visit("/")).isEqualTo(3);
        assertThat(cache.getReturnedSessionsEvicted()).isEqualTo(1);
    }

    @Test
    void aTenthIsLeftToNewcomersWhoMayComeBack() throws Exception {
        BoundedSessionCache cache = start(20);
        for (int i = 0; i < 20; i++) returnedVisitor();

        Visitor newcomer = site.visitor();
        newcomer.visit("/");
        site.flood("/");

        assertThat(newcomer.visit("/")).isEqualTo(2);
        assertThat(cache.getReturnedSessionsEvicted()).isEqualTo(2);
        site.flood("/", 100);
        assertThat(newcomer.visit("/")).isEqualTo(3);
        assertThat(site.log.lines(LOSS)).as("one warning a minute").hasSize(1);
        assertThat(site.log.text()).contains("maxSessions=20");
    }

    @Test
    void sessionInUseStays() throws Exception {
        BoundedSessionCache cache = start(3);
        ExecutorService clients = Executors.newFixedThreadPool(5);
        try {
            List<Visitor> visitors = new ArrayList<>();
            List<Future<Integer>> visits = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                Visitor visitor = site.visitor();
                visitors.add(visitor);
                visits.add(clients.submit(() -> visitor.visit("/wait")));
            }
            List<Callback> waiting = new ArrayList<>();
            for (int i = 0; i < 5; i++) waiting.add(next());

            site.flood("/", 10);

            assertThat(cache.getSessionsCurrent()).as("5 in use, 3 idle").isEqualTo(8);
            assertThat(ended).hasValue(7);
            waiting.forEach(Callback::succeeded);
            for (Future<Integer> visit : visits) assertThat(visit.get()).isEqualTo(1);
            assertThat(cache.getSessionsCurrent()).isEqualTo(3);
            assertThat(ended).hasValue(12);
        } finally {
            clients.shutdownNow();
        }
    }

    @Test
    void evictedSessionEndsAndListenersHearOfIt() throws Exception {
        BoundedSessionCache cache = start(1);
        Visitor visitor = site.visitor();
        visitor.visit("/");
        assertThat(ended).hasValue(0);

        site.flood("/");

        assertThat(ended).hasValue(1);
        assertThat(cache.getSessionsCurrent()).isEqualTo(1);
        assertThat(visitor.visit("/")).isEqualTo(1);
    }

    @Test
    void listenerThatFailsHarmsNobodyElse() throws Exception {
        site = new SessionServer(1)
                .add("/", new Session.LifeCycleListener() {
                    @Override
                    public void onSessionDestroyed(Session session) {
                        throw new IllegalStateException("from the listener");
                    }
                })
                .start();
        Visitor visitor = site.visitor();
        site.flood("/");

        assertThat(visitor.visit("/")).isEqualTo(1);

        assertThat(visitor.visit("/")).isEqualTo(2);
        assertThat(site.log.text()).contains("A listener failed", "from the listener");
    }

    @Test
    void sessionOfTheSameIdInAnotherContextStays() throws Exception {
        site = new SessionServer(1)
                .add("/one", endCounter)
                .add("/two", endCounter)
                .start();
        Visitor visitor = site.visitor();
        assertThat(visitor.visit("/one/")).isEqualTo(1);
        assertThat(visitor.visit("/two/")).isEqualTo(1);

        site.flood("/one/", 2);

        assertThat(visitor.visit("/two/")).isEqualTo(2);
        assertThat(visitor.visit("/one/")).isEqualTo(1);
    }

    @Test
    void renewedIdKeepsItsPlace() throws Exception {
        start(5);
        Visitor visitor = site.visitor();
        assertThat(visitor.visit("/")).isEqualTo(1);
        assertThat(visitor.visit("/renew")).isEqualTo(2);

        site.flood("/", 20);

        assertThat(visitor.visit("/")).isEqualTo(3);
        assertThat(ended).hasValue(16);
    }

    @Test
    void endedSessionLeavesRoom() throws Exception {
        BoundedSessionCache cache = start(3);
        Visitor visitor = returnedVisitor();
        site.flood("/end", 50);
        site.flood("/", 2);

        assertThat(cache.getSessionsCurrent()).isEqualTo(3);
        assertThat(cache.getUnreturnedSessionsEvicted()).isZero();
        assertThat(visitor.visit("/")).isEqualTo(3);
    }

    @Test
    void storedSessionComesBack() throws Exception {
        site = new SessionServer(3);
        site.server.addBean(fileStores());
        site.add("/", endCounter).start();
        List<Visitor> visitors = new ArrayList<>();
        for (int i = 0; i < 10; i++) visitors.add(returnedVisitor());

        site.flood("/", 20);

        assertThat(site.cache().getSessionsCurrent()).isEqualTo(3);
        for (Visitor visitor : visitors) assertThat(visitor.visit("/")).isEqualTo(3);
        assertThat(ended).hasValue(0);
        assertThat(site.log.lines("WARN")).isEmpty();
    }

    @Test
    void boundHoldsWhenTheStoreFails() throws Exception {
        site = new SessionServer(2);
        site.server.addBean((SessionDataStoreFactory) manager -> new FailingStore());
        site.add("/", endCounter).start();

        site.flood("/", 10);

        assertThat(site.cache().getSessionsCurrent()).isEqualTo(2);
        assertThat(ended).hasValue(8);
        assertThat(site.log.lines("The store doesn't take")).hasSize(8);
    }

    /** Visitors of whom some are evicted at any moment, while their requests come. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void visitorsKeepTheirSessionsInAFloodFromManyThreads(boolean isStored) throws Exception {
        int threads = 8;
        int maxSessions = isStored ? 5 : 60;
        site = new SessionServer(maxSessions);
        if (isStored) site.server.addBean(fileStores());
        site.add("/", endCounter).start();
        ExecutorService clients = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<Void>> tasks = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                tasks.add(() -> {
                    List<Visitor> visitors = List.of(returnedVisitor(), returnedVisitor(), returnedVisitor());
                    for (int visit = 3; visit < 20; visit++) {
                        for (Visitor visitor : visitors) {
                            site.flood("/", 2);
                            assertThat(visitor.visit("/")).isEqualTo(visit);
                        }
                    }
                    return null;
                });
            }
            for (Future<Void> task : clients.invokeAll(tasks)) task.get();
        } finally {
            clients.shutdownNow();
        }
        assertThat(site.cache().getSessionsCurrent()).isEqualTo(maxSessions);
        assertThat(site.log.lines("WARN")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1})
    void boundHasToBePositive(int maxSessions) {
        assertThatThrownBy(() -> new BoundedSessionCacheFactory().setMaxSessions(maxSessions))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("jetty.fastcgi.sessions.maxSessions: " + maxSessions + " (expected: >= 1)");
    }

    @Test
    void settingsOfJettysCacheHold() {
        BoundedSessionCacheFactory factory = new BoundedSessionCacheFactory();
        factory.setEvictionPolicy(60);
        factory.setSaveOnCreate(true);

        BoundedSessionCache cache = (BoundedSessionCache) factory.getSessionCache(new SessionHandler());

        assertThat(cache.getMaxSessions()).isEqualTo(10_000);
        assertThat(cache.getEvictionPolicy()).isEqualTo(60);
        assertThat(cache.isSaveOnCreate()).isTrue();
    }

    private Visitor returnedVisitor() throws Exception {
        Visitor visitor = site.visitor();
        assertThat(visitor.visit("/")).isEqualTo(1);
        assertThat(visitor.visit("/")).isEqualTo(2);
        return visitor;
    }

    private Callback next() throws InterruptedException {
        return site.waiting.poll(SessionServer.DEADLINE_SECONDS, TimeUnit.SECONDS);
    }

    private FileSessionDataStoreFactory fileStores() {
        FileSessionDataStoreFactory stores = new FileSessionDataStoreFactory();
        stores.setStoreDir(new File(directory.toFile(), "sessions"));
        return stores;
    }

    /** Takes nothing, and has nothing. */
    private static final class FailingStore extends AbstractSessionDataStore {
        @Override
        public void doStore(String id, SessionData data, long lastSaveTime) throws IOException {
            throw new IOException("No space left on device");
        }

        @Override
        public SessionData doLoad(String id) {
            return null;
        }

        @Override
        public boolean doExists(String id) {
            return false;
        }

        @Override
        public boolean delete(String id) {
            return false;
        }

        @Override
        public Set<String> doCheckExpired(Set<String> candidates, long time) {
            return Set.of();
        }

        @Override
        public Set<String> doGetExpired(long before) {
            return Set.of();
        }

        @Override
        public void doCleanOrphans(long time) {
            // there are none
        }

        @Override
        public boolean isPassivating() {
            return true;
        }
    }
}

package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The recipes of NODES.md for stores other than a database alone, followed: either node has the sessions of both. */
class SessionStoresIT {
    @TempDir
    Path directory;

    @BeforeEach
    void letOthersEnter() throws Exception {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
    }

    @Test
    void hazelcastInEachNode() throws Exception {
        sharesSessions(HazelcastStore.embedded());
    }

    @Test
    void hazelcastInAClusterOfItsOwn() throws Exception {
        sharesSessions(HazelcastStore.remote(directory));
    }

    @Test
    void infinispanInEachNode() throws Exception {
        sharesSessions(new InfinispanStore());
    }

    @Test
    void memcachedInFrontOfTheDatabase() throws Exception {
        MemcachedStore store = new MemcachedStore(directory);
        try (NodesSite site = new NodesSite(directory, store)) {
            String trigger = Documentation.snippet(SessionStore.RECIPES, "memcached-trigger");
            assertThat(store.database().query(trigger)).containsExactly("CREATE FUNCTION", "CREATE TRIGGER");

            sharesSessions(site);
            assertThat(store.statistic("get_hits")).as("loads from memcached").isPositive();
            assertThat(store.database().query("select count(*) from JettySessions"))
                    .containsExactly("1");
        }
    }

    private void sharesSessions(SessionStore store) throws Exception {
        try (NodesSite site = new NodesSite(directory, store)) {
            sharesSessions(site);
        }
    }

    private static void sharesSessions(NodesSite site) throws Exception {
        SessionVisitor.Session session = new SessionVisitor.Session(site.port());
        try {
            session.visit();
            site.awaitShared(session);
            site.kill(0);

            session.visit();
            assertThat(session.node()).isEqualTo("node2");
            // Its first visit, and at least four by which the nodes have shown that they share it.
            assertThat(session.counter()).isGreaterThan(5);
        } catch (Exception | AssertionError e) {
            throw new AssertionError(site.describe(), e);
        }
    }
}

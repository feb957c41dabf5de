package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Connections: the client's to the web server, and the web server's to Jetty. */
interface ConnectionTests extends WebServerTests {
    int PARALLEL = 100;
    int REQUESTS = 3 * PARALLEL;
    Duration LIMIT = Duration.ofSeconds(20);

    @Test
    default void manyRequestsOnAClientsConnection() throws Exception {
        try (RawConnection connection = open()) {
            for (int i = 0; i < 50; i++) {
                connection.sendHead(WebServerTests.head("GET", "/info/" + i + "?format=json"));
                assertThat(Info.of(connection.read()).get("pathInfo")).isEqualTo("/" + i);
            }
        }
    }

    /** Every answer of this suite shows that the secret came; the application sees the other variables alone. */
    @Test
    default void secretIsForNobodyElse() throws Exception {
        RawConnection.Response response = get("/probe/variables.jsp");

        assertThat(response.text()).contains("REQUEST_METHOD=GET").doesNotContain("secret", "SECRET");
    }

    @Test
    default void requestsSentAheadAreAnsweredInTurn() throws Exception {
        try (RawConnection connection = open()) {
            for (int i = 0; i < 5; i++) {
                connection.sendHead(WebServerTests.head("GET", "/info/" + i + "?format=json"));
            }
            for (int i = 0; i < 5; i++) {
                assertThat(Info.of(connection.read()).get("pathInfo")).isEqualTo("/" + i);
            }
        }
    }

    @Test
    default void parallelRequestsKeepTheirContentsApart() throws Exception {
        List<Callable<Void>> requests = new ArrayList<>();
        for (int i = 0; i < PARALLEL; i++) {
            byte[] content = WebServerTests.ascii(("request " + i + ",").repeat(1 + 37 * i));
            String type = "text/x-" + i;
            requests.add(() -> {
                RawConnection.Response response = send("POST", "/echo", content, "Content-Type: " + type);
                assertThat(response.status()).isEqualTo(200);
                assertThat(response.field("Content-Type")).contains(type);
                assertThat(response.content()).isEqualTo(content);
                return null;
            });
        }
        ExecutorService clients = Executors.newFixedThreadPool(requests.size());
        try {
            for (Future<Void> request : clients.invokeAll(requests)) {
                request.get();
            }
        } finally {
            clients.shutdownNow();
        }
    }

    /** More requests than there ever were connections at once: one that is kept comes again. */
    @Test
    default void connectionsToJettyAreKeptOrClosed() throws Exception {
        Set<String> connections = new HashSet<>();
        boolean kept = false;
        for (int i = 0; i < REQUESTS && !kept; i++) {
            RawConnection.Response response = get("/probe/connection.jsp");
            assertThat(response.status()).isEqualTo(200);
            kept = !connections.add(response.text().strip());
        }

        check(WebServerDifference.KEPT_CONNECTIONS, kept ? "kept" : "one for each request");
        if (kept) {
            assertThat(site().openSockets()).isGreaterThan(site().idleSockets());
        } else {
            awaitNoConnections();
        }
    }

    private void awaitNoConnections() throws Exception {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (site().openSockets() > site().idleSockets()) {
            assertThat(System.nanoTime()).as("connections stay open").isLessThan(deadline);
            Thread.sleep(10);
        }
    }
}

package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Answers in time, and answers that end otherwise than planned. */
interface ProgressTests extends WebServerTests {
    Duration INTERVAL = Duration.ofMillis(800);

    @Test
    default void asynchronousAnswer() throws Exception {
        RawConnection.Response response = get("/async?delay=50");

        assertThat(response.status()).isEqualTo(200);
        assertThat(response.text()).isEqualTo("Answered after 50 ms\n");
    }

    @Test
    default void asynchronousTimeout() throws Exception {
        RawConnection.Response response = get("/async?timeout=50");

        assertThat(response.status()).isEqualTo(503);
        assertThat(response.text()).isEqualTo("No answer within 50 ms\n");
    }

    @Test
    default void serverSentEvents() throws Exception {
        RawConnection.Response response = get("/events?count=3&interval=10");

        assertThat(response.field("Content-Type").orElseThrow()).startsWith("text/event-stream");
        assertThat(response.text()).isEqualTo("id: 1\ndata: 1\n\nid: 2\ndata: 2\n\nid: 3\ndata: 3\n\n");
    }

    @Test
    default void eventsComeOneByOne() throws Exception {
        try (RawConnection connection = open()) {
            connection.sendHead(WebServerTests.head("GET", "/events?count=2&interval=" + INTERVAL.toMillis()));
            InputStream content = connection.body(connection.readHead());
            byte[] firstEvent = WebServerTests.ascii("id: 1\ndata: 1\n\n");
            byte[] secondEvent = WebServerTests.ascii("id: 2\ndata: 2\n\n");

            assertThat(content.readNBytes(firstEvent.length)).isEqualTo(firstEvent);
            long first = System.nanoTime();
            assertThat(content.readNBytes(secondEvent.length)).isEqualTo(secondEvent);
            assertThat(Duration.ofNanos(System.nanoTime() - first)).isGreaterThan(INTERVAL.dividedBy(4));
        }
    }

    @Test
    default void earlyAnswerToALargeUpload() throws Exception {
        int length = 5_000_000;
        try (RawConnection connection = open()) {
            connection.sendHead(
                    WebServerTests.head("POST", "/status?code=403", "Content-Type: x/y", "Content-Length: " + length));
            CompletableFuture.runAsync(() -> {
                try {
                    connection.send(Pattern251.bytes(0, length));
                } catch (IOException e) {
                    // A web server that has the answer needn't take everything.
                }
            });

            RawConnection.Response response = connection.read();
            assertThat(response.status()).isEqualTo(403);
            assertThat(response.text()).isEqualTo("Status 403\n");
        }
        assertThat(info().get("method")).isEqualTo("GET");
    }

    @Test
    default void responseOfUnknownLengthThatIsCutOff() throws Exception {
        check(WebServerDifference.TRUNCATED_RESPONSE, looks("/fail?when=committed"));
        assertThat(info().get("method")).isEqualTo("GET");
    }

    @Test
    default void responseOfKnownLengthThatIsCutOff() throws Exception {
        assertThat(looks("/probe/truncated.jsp")).isEqualTo("failed");
        assertThat(info().get("method")).isEqualTo("GET");
    }

    /** A response that ends too early may be cut off, or replaced by the web server's own: then it's seen to have failed. */
    private String looks(String target) throws Exception {
        try (RawConnection connection = open()) {
            connection.sendHead(WebServerTests.head("GET", target));
            try {
                return connection.read().status() == 200 ? "whole" : "failed";
            } catch (IOException e) {
                return "failed";
            }
        }
    }

    @Test
    default void clientsThatLeaveDoNoHarm() throws Exception {
        for (int i = 0; i < 5; i++) {
            try (RawConnection connection = open()) {
                connection.sendHead(WebServerTests.head("GET", "/download?size=20000000&chunk=65536"));
                RawConnection.Head head = connection.readHead();
                assertThat(head.status()).isEqualTo(200);
                assertThat(connection.body(head).readNBytes(1_000)).isEqualTo(Pattern251.bytes(0, 1_000));
            }
            try (RawConnection connection = open()) {
                connection.sendHead(WebServerTests.head("POST", "/echo", "Content-Length: 1000000"));
                connection.send(Pattern251.bytes(0, 100_000));
            }
        }
        assertThat(info().get("method")).isEqualTo("GET");
    }
}

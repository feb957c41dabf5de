package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Content that comes in time with the client, and answers that end otherwise than planned. */
class StreamingIT extends SampleSiteTestBase {

    /** Each piece is sent only when the one before has come back: nothing on the way may hold it for more. */
    @ParameterizedTest
    @EnumSource(mode = Mode.MATCH_ALL, names = ".*_UNBUFFERED")
    void chunkedUploadIsEchoedPieceByPiece(Front front) throws Exception {
        try (RawConnection connection = new RawConnection(site.port(front))) {
            connection.sendHead("POST /echo HTTP/1.1", "Host: example.com", "Transfer-Encoding: chunked");
            InputStream echo = null;
            for (int i = 0; i < 5; i++) {
                byte[] piece = ("piece " + i).getBytes(StandardCharsets.US_ASCII);
                connection.sendChunk(piece);
                if (echo == null) {
                    RawConnection.Head head = connection.readHead();
                    assertThat(head.status()).isEqualTo(200);
                    echo = connection.body(head);
                }
                assertThat(echo.readNBytes(piece.length)).isEqualTo(piece);
            }
            connection.sendChunk(new byte[0]);
            assertThat(echo.read()).isEqualTo(-1);
        }
    }

    /** The second event is due long after this test would have failed: the first must not wait for it. */
    @EachFront
    void firstEventDoesNotWaitForTheSecond(Front front) throws Exception {
        HttpRequest request = request(front, "/events?count=2&interval=60000").build();

        HttpResponse<InputStream> response = CLIENT.send(request, BodyHandlers.ofInputStream());

        assertThat(response.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/event-stream");
        try (InputStream content = response.body()) {
            CompletableFuture<String> event = CompletableFuture.supplyAsync(() -> firstData(content));
            assertThat(event.get(30, TimeUnit.SECONDS)).isEqualTo("data: 1");
        }
    }

    private static String firstData(InputStream content) {
        return new BufferedReader(new InputStreamReader(content, StandardCharsets.UTF_8))
                .lines()
                .filter(line -> line.startsWith("data:"))
                .findFirst()
                .orElseThrow();
    }

    /** The next event is a long way off when one arrives: it can't have waited for it. */
    @EachFront
    void eventComesBeforeTheNextIsSent(Front front) throws Exception {
        Duration interval = Duration.ofMinutes(1);
        long begin = System.nanoTime();
        HttpRequest request = request(front, "/events?count=2&interval=" + interval.toMillis())
                .build();

        HttpResponse<InputStream> response = CLIENT.send(request, BodyHandlers.ofInputStream());

        try (InputStream content = response.body()) {
            assertThat(firstData(content)).isEqualTo("data: 1");
        }
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(interval);
    }

    @EachFront
    void eventsComeInOrder(Front front) throws Exception {
        HttpRequest request = request(front, "/events?count=4&interval=20").build();

        HttpResponse<Stream<String>> response = CLIENT.send(request, BodyHandlers.ofLines());

        assertThat(response.body().filter(line -> line.startsWith("data:")))
                .containsExactly("data: 1", "data: 2", "data: 3", "data: 4");
    }

    @EachFront
    void earlyAnswerToALargeUpload(Front front) throws Exception {
        long length = 20_000_000;
        try (RawConnection connection = new RawConnection(site.port(front))) {
            connection.sendHead("POST /status?code=403 HTTP/1.1", "Host: example.com", "Content-Length: " + length);
            CompletableFuture<Boolean> sent = CompletableFuture.supplyAsync(() -> {
                try {
                    Pattern251.stream(length).transferTo(connection.output());
                    return true;
                } catch (IOException e) {
                    return false;
                }
            });

            assertThat(connection.read().status()).isEqualTo(403);
            boolean whole = sent.get(1, TimeUnit.MINUTES);

            // Without buffering nginx discards what still comes, and ends the client's connection.
            if (!front.streams()) {
                assertThat(whole).isTrue();
                connection.sendHead("GET /info?format=json HTTP/1.1", "Host: example.com");
                assertThat(Info.of(connection.read()).get("method")).isEqualTo("GET");
            }
        }
        assertThat(get(front, "/info").statusCode()).isEqualTo(200);
    }

    /** nginx tells a truncated response from a whole one where it keeps connections and buffers. */
    @ParameterizedTest
    @EnumSource(names = {"UNIX_KEPT", "TCP_KEPT"})
    void failureAfterTheResponseBeganIsSeenByTheClient(Front front) throws Exception {
        try (RawConnection connection = new RawConnection(site.port(front))) {
            connection.sendHead("GET /fail?when=committed HTTP/1.1", "Host: example.com");

            assertThatThrownBy(connection::read).isInstanceOf(EOFException.class);
        }
        assertThat(site.nginx().takeErrors())
                .singleElement()
                .asString()
                .containsAnyOf("upstream prematurely closed connection", "Connection reset by peer");
        assertThat(get(front, "/info").statusCode()).isEqualTo(200);
    }

    @EachFront
    void serverIsUnharmedByClientsThatLeave(Front front) throws Exception {
        for (int i = 0; i < 20; i++) {
            try (RawConnection connection = new RawConnection(site.port(front))) {
                connection.sendHead("GET /download?size=100000000&chunk=65536 HTTP/1.1", "Host: example.com");
                RawConnection.Head head = connection.readHead();
                assertThat(head.status()).isEqualTo(200);
                assertThat(connection.body(head).readNBytes(1_000)).isEqualTo(Pattern251.bytes(0, 1_000));
            }
            try (RawConnection connection = new RawConnection(site.port(front))) {
                connection.sendHead("POST /echo HTTP/1.1", "Host: example.com", "Content-Length: 1000000");
                connection.send(Pattern251.bytes(0, 10_000));
            }
        }
        assertThat(get(front, "/info").statusCode()).isEqualTo(200);
    }
}

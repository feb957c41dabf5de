package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.util.ajax.JSON;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Content of every size, both ways, in a JVM whose heap holds little of it. */
class BodyIT extends SampleSiteTestBase {
    private static final long LARGE = 100_000_000;
    private static final byte[] NOTE = "gr\u00fc\u00dfe".getBytes(StandardCharsets.UTF_8);

    @EachFront
    void downloadOf100Megabytes(Front front) throws Exception {
        HttpRequest request = request(front, "/download?size=" + LARGE + "&chunk=65536").build();

        HttpResponse<InputStream> response = CLIENT.send(request, BodyHandlers.ofInputStream());

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValueAsLong("Content-Length")).hasValue(LARGE);
        try (InputStream content = response.body()) {
            Pattern251.assertIsPattern(content, LARGE);
        }
    }

    @EachFront
    void downloadWithoutLength(Front front) throws Exception {
        HttpRequest request = request(front, "/download?size=3000001&chunk=777&length=false").build();

        HttpResponse<InputStream> response = CLIENT.send(request, BodyHandlers.ofInputStream());

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValueAsLong("Content-Length")).isEmpty();
        try (InputStream content = response.body()) {
            Pattern251.assertIsPattern(content, 3_000_001);
        }
    }

    @EachFront
    void downloadsOfSizesAroundTheLimitsOfRecordsAndBuffers(Front front) throws Exception {
        for (int limit : List.of(0, 8_192, 16_384, 32_768, 65_528, 65_536, 131_072)) {
            for (int size = Math.max(0, limit - 1); size <= limit + 1; size++) {
                HttpRequest request = request(front, "/download?size=" + size + "&chunk=100000").build();
                HttpResponse<InputStream> response = CLIENT.send(request, BodyHandlers.ofInputStream());

                assertThat(response.statusCode()).isEqualTo(200);
                try (InputStream content = response.body()) {
                    Pattern251.assertIsPattern(content, size);
                }
            }
        }
    }

    @EachFront
    void uploadOf100Megabytes(Front front) throws Exception {
        Multipart multipart = new Multipart();
        multipart.add("form-data; name=\"note\"", "text/plain; charset=UTF-8", NOTE);
        multipart.add("form-data; name=\"file\"; filename=\"large.bin\"", "application/octet-stream", LARGE);

        HttpResponse<String> response = send(request(front, "/upload")
                .header("Content-Type", multipart.contentType())
                .header("Accept", "application/json")
                .POST(multipart.publisher()));

        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        Map<?, ?> answer = (Map<?, ?>) new JSON().fromJSON(response.body());
        assertThat((Object[]) answer.get("parts"))
                .containsExactly(
                        part("note", null, NOTE.length, sha256(new ByteArrayInputStream(NOTE))),
                        part("file", "large.bin", LARGE, sha256(Pattern251.stream(LARGE))));
    }

    private static Map<String, Object> part(String name, String fileName, long size, String sha256) {
        Map<String, Object> part = new HashMap<>();
        part.put("name", name);
        part.put("submittedFileName", fileName);
        part.put("size", size);
        part.put("sha256", sha256);
        return part;
    }

    /** Without buffering nginx stops passing a request on while its response waits for the client. */
    @ParameterizedTest
    @EnumSource(mode = Mode.MATCH_NONE, names = ".*_UNBUFFERED")
    void echoOf100Megabytes(Front front) throws Exception {
        try (RawConnection connection = new RawConnection(site.port(front))) {
            connection.sendHead("POST /echo HTTP/1.1", "Host: example.com", "Content-Length: " + LARGE);
            CompletableFuture<Void> sending = sendAside(connection.output(), LARGE);

            RawConnection.Head head = connection.readHead();
            assertThat(head.status()).isEqualTo(200);
            Pattern251.assertIsPattern(connection.body(head), LARGE);
            sending.get(1, TimeUnit.MINUTES);
        }
    }

    private static CompletableFuture<Void> sendAside(OutputStream output, long length) {
        return CompletableFuture.runAsync(() -> {
            try {
                Pattern251.stream(length).transferTo(output);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @EachFront
    void chunkedUploadOfUnknownLength(Front front) throws Exception {
        HttpRequest request = request(front, "/echo")
                .POST(BodyPublishers.ofInputStream(() -> Pattern251.stream(1_000_003)))
                .build();

        HttpResponse<InputStream> response = CLIENT.send(request, BodyHandlers.ofInputStream());

        assertThat(response.statusCode()).isEqualTo(200);
        try (InputStream content = response.body()) {
            Pattern251.assertIsPattern(content, 1_000_003);
        }
    }

    @EachFront
    void uploadsOfSizesAroundTheLimitsOfRecordsAndBuffers(Front front) throws Exception {
        for (int limit : List.of(0, 8_192, 16_384, 32_768, 65_528, 65_536, 131_072)) {
            for (int size = Math.max(0, limit - 1); size <= limit + 1; size++) {
                HttpRequest request = request(front, "/echo")
                        .POST(BodyPublishers.ofByteArray(Pattern251.bytes(0, size)))
                        .build();
                HttpResponse<InputStream> response = CLIENT.send(request, BodyHandlers.ofInputStream());

                assertThat(response.statusCode()).isEqualTo(200);
                try (InputStream content = response.body()) {
                    Pattern251.assertIsPattern(content, size);
                }
            }
        }
    }

    @EachFront
    void parallelRequestsKeepTheirContentsApart(Front front) throws Exception {
        List<Callable<Void>> requests = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            String content = ("request " + i + ",").repeat(1 + i % 400);
            requests.add(() -> {
                HttpResponse<String> response =
                        send(request(front, "/echo?" + content.hashCode()).POST(BodyPublishers.ofString(content)));
                assertThat(response.statusCode()).isEqualTo(200);
                assertThat(response.body()).isEqualTo(content);
                return null;
            });
        }
        ExecutorService clients = Executors.newFixedThreadPool(32);
        try {
            for (Future<Void> request : clients.invokeAll(requests)) {
                request.get();
            }
        } finally {
            clients.shutdownNow();
        }
    }

    private static String sha256(InputStream input) throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        byte[] buffer = new byte[65_536];
        for (int count = input.read(buffer); count >= 0; count = input.read(buffer)) {
            digest.update(buffer, 0, count);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** A multipart/form-data body that isn't kept in memory, of known length. */
    private static final class Multipart {
        private static final String BOUNDARY = "boundary-of-the-tests";

        private final List<InputStream> pieces = new ArrayList<>();
        private long length;

        void add(String disposition, String contentType, byte[] content) {
            add(disposition, contentType, new ByteArrayInputStream(content), content.length);
        }

        void add(String disposition, String contentType, long patternLength) {
            add(disposition, contentType, Pattern251.stream(patternLength), patternLength);
        }

        private void add(String disposition, String contentType, InputStream content, long contentLength) {
            addText("--" + BOUNDARY + "\r\nContent-Disposition: " + disposition + "\r\nContent-Type: " + contentType
                    + "\r\n\r\n");
            pieces.add(content);
            length += contentLength;
            addText("\r\n");
        }

        private void addText(String text) {
            byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
            pieces.add(new ByteArrayInputStream(bytes));
            length += bytes.length;
        }

        String contentType() {
            return "multipart/form-data; boundary=" + BOUNDARY;
        }

        BodyPublisher publisher() {
            addText("--" + BOUNDARY + "--\r\n");
            InputStream all = new SequenceInputStream(Collections.enumeration(pieces));
            return BodyPublishers.fromPublisher(BodyPublishers.ofInputStream(() -> all), length);
        }
    }
}

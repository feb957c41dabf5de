package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.eclipse.jetty.util.ajax.JSON;

/** Content of every size, both ways, in a JVM whose heap holds little of it. */
class BodyIT extends SampleSiteTestBase {
    private static final long LARGE = 100_000_000;
    private static final byte[] NOTE = "gr\u00fc\u00dfe".getBytes(StandardCharsets.UTF_8);

    @EachFront
    void downloadOf100Megabytes(Front front) throws Exception {
        HttpRequest request =
                request(front, "/download?size=" + LARGE + "&chunk=65536").build();

        HttpResponse<InputStream> response = CLIENT.send(request, BodyHandlers.ofInputStream());

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValueAsLong("Content-Length")).hasValue(LARGE);
        try (InputStream content = response.body()) {
            Pattern251.assertIsPattern(content, LARGE);
        }
    }

    @EachFront
    void downloadWithoutLength(Front front) throws Exception {
        HttpRequest request =
                request(front, "/download?size=3000001&chunk=777&length=false").build();

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
                HttpRequest request = request(front, "/download?size=" + size + "&chunk=100000")
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
    void uploadOf100Megabytes(Front front) throws Exception {
        Multipart multipart = new Multipart();
        multipart.add("form-data; name=\"note\"", "text/plain; charset=UTF-8", NOTE);
        multipart.add("form-data; name=\"file\"; filename=\"large.bin\"", "application/octet-stream", LARGE);

        assertThat(upload(front, multipart.publisher()))
                .containsExactly(
                        part("note", null, NOTE.length, sha256(new ByteArrayInputStream(NOTE))),
                        part("file", "large.bin", LARGE, sha256(Pattern251.stream(LARGE))));
    }

    @EachFront
    void chunkedUploadOfUnknownLength(Front front) throws Exception {
        long length = 10_000_003;
        Multipart multipart = new Multipart();
        multipart.add("form-data; name=\"file\"; filename=\"stream.bin\"", "application/octet-stream", length);

        assertThat(upload(front, multipart.publisherOfUnknownLength()))
                .containsExactly(part("file", "stream.bin", length, sha256(Pattern251.stream(length))));
    }

    /** Uploads, and returns what the application says of each part. */
    private static Object[] upload(Front front, BodyPublisher content) throws Exception {
        HttpResponse<String> response = send(request(front, "/upload")
                .header("Content-Type", Multipart.CONTENT_TYPE)
                .header("Accept", "application/json")
                .POST(content));

        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return (Object[]) ((Map<?, ?>) new JSON().fromJSON(response.body())).get("parts");
    }

    private static Map<String, Object> part(String name, String fileName, long size, String sha256) {
        Map<String, Object> part = new HashMap<>();
        part.put("name", name);
        part.put("submittedFileName", fileName);
        part.put("size", size);
        part.put("sha256", sha256);
        return part;
    }

    /** nginx doesn't pass on more of a request once its response began, so these fit into the socket's buffers. */
    @EachFront
    void echoesOfSizesAroundTheLimitsOfRecordsAndBuffers(Front front) throws Exception {
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
        static final String CONTENT_TYPE = "multipart/form-data; boundary=" + Multipart.BOUNDARY;

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

        BodyPublisher publisher() {
            BodyPublisher publisher = publisherOfUnknownLength();
            return BodyPublishers.fromPublisher(publisher, length);
        }

        BodyPublisher publisherOfUnknownLength() {
            addText("--" + BOUNDARY + "--\r\n");
            InputStream all = new SequenceInputStream(Collections.enumeration(pieces));
            return BodyPublishers.ofInputStream(() -> all);
        }
    }
}

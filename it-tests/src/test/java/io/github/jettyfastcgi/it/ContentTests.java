package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.util.ajax.JSON;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Content, both ways. */
interface ContentTests extends WebServerTests {
    int LARGE = 5_000_000;
    Duration ARRIVAL_LIMIT = Duration.ofSeconds(2);
    String MULTIPART = "Content-Type: multipart/form-data; boundary=boundary";
    String ACCEPT_JSON = "Accept: application/json";

    @Test
    default void formFieldsJoinTheQuery() throws Exception {
        Info info = Info.of(send(
                "POST",
                "/info?a=0&q=1",
                WebServerTests.ascii("a=1&a=2&b=%C3%A9+%26&empty="),
                "Accept: application/json",
                "Content-Type: application/x-www-form-urlencoded"));

        assertThat(info.get("contentType")).isEqualTo("application/x-www-form-urlencoded");
        assertThat(info.parameter("a")).containsExactly("0", "1", "2");
        assertThat(info.parameter("b")).containsExactly("\u00e9 &");
        assertThat(info.parameter("q")).containsExactly("1");
        assertThat(info.parameter("empty")).containsExactly("");
    }

    @Test
    default void multipartForm() throws Exception {
        byte[] note = WebServerTests.utf8("gr\u00fc\u00dfe");
        byte[] file = Pattern251.bytes(0, LARGE);

        RawConnection.Response response = send("POST", "/upload", multipart(note, file), MULTIPART, ACCEPT_JSON);

        assertUploaded(response, note, file);
    }

    private static byte[] multipart(byte[] note, byte[] file) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        addPart(content, "name=\"note\"", "text/plain; charset=UTF-8", note);
        addPart(content, "name=\"file\"; filename=\"file.bin\"", "application/octet-stream", file);
        content.writeBytes(WebServerTests.ascii("--boundary--\r\n"));
        return content.toByteArray();
    }

    private static void addPart(ByteArrayOutputStream content, String disposition, String type, byte[] part) {
        content.writeBytes(WebServerTests.ascii("--boundary\r\nContent-Disposition: form-data; " + disposition
                + "\r\nContent-Type: " + type + "\r\n\r\n"));
        content.writeBytes(part);
        content.writeBytes(WebServerTests.ascii("\r\n"));
    }

    private static void assertUploaded(RawConnection.Response response, byte[] note, byte[] file) throws Exception {
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        Object[] parts = (Object[]) ((Map<?, ?>) new JSON().fromJSON(response.text())).get("parts");
        assertThat(parts).hasSize(2);
        assertPart(parts[0], "note", null, note);
        assertPart(parts[1], "file", "file.bin", file);
    }

    private static void assertPart(Object part, String name, String fileName, byte[] content) throws Exception {
        Map<?, ?> members = (Map<?, ?>) part;
        assertThat(members.get("name")).isEqualTo(name);
        assertThat(members.get("submittedFileName")).isEqualTo(fileName);
        assertThat(members.get("size")).isEqualTo((long) content.length);
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
        assertThat(members.get("sha256")).isEqualTo(HexFormat.of().formatHex(digest));
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT"})
    default void contentAndItsType(String method) throws Exception {
        byte[] json = WebServerTests.utf8("{\"caf\u00e9\": \"\u20ac\"}");

        RawConnection.Response response = send(method, "/echo", json, "Content-Type: application/json");

        assertThat(response.status()).isEqualTo(200);
        assertThat(response.field("Content-Type")).contains("application/json");
        assertThat(response.content()).isEqualTo(json);
    }

    @Test
    default void contentWithoutType() throws Exception {
        Info info = Info.of(send("POST", INFO, WebServerTests.ascii("content")));

        check(WebServerDifference.CONTENT_WITHOUT_TYPE, WebServerTests.typeOf(info));
    }

    @Test
    default void emptyContent() throws Exception {
        Info info = Info.of(send("POST", INFO, new byte[0]));
        RawConnection.Response echo = send("POST", "/echo", new byte[0], "Content-Type: text/plain");

        assertThat(info.get("contentLength")).isEqualTo(0L);
        assertThat(echo.status()).isEqualTo(200);
        assertThat(echo.content()).isEmpty();
    }

    @Test
    default void noContentHasNoLength() throws Exception {
        Info info = info();

        assertThat(info.get("contentLength")).isEqualTo(-1L);
        assertThat(info.header("Content-Length")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8_191, 8_192, 8_193, 16_384, 32_768, 65_528, 65_535, 65_536, 131_072})
    default void uploadOfEverySize(int size) throws Exception {
        RawConnection.Response response = send("POST", "/echo", Pattern251.bytes(0, size), "Content-Type: x/y");

        assertThat(response.status()).isEqualTo(200);
        assertThat(response.content()).isEqualTo(Pattern251.bytes(0, size));
    }

    @Test
    default void emptyDownload() throws Exception {
        RawConnection.Response response = get("/download?size=0");

        assertThat(response.status()).isEqualTo(200);
        assertThat(response.content()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8_191, 8_192, 8_193, 16_384, 32_768, 65_528, 65_535, 65_536, 131_072, LARGE})
    default void downloadOfEverySize(int size) throws Exception {
        RawConnection.Response response = get("/download?chunk=100000&size=" + size);

        assertThat(response.status()).isEqualTo(200);
        assertThat(response.content()).isEqualTo(Pattern251.bytes(0, size));
        assertThat(response.field("Content-Length")).contains(Integer.toString(size));
    }

    @Test
    default void downloadWithoutLength() throws Exception {
        RawConnection.Response response = get("/download?chunk=777&length=false&size=" + LARGE);

        assertThat(response.status()).isEqualTo(200);
        assertThat(response.field("Content-Length")).isEmpty();
        assertThat(response.content()).isEqualTo(Pattern251.bytes(0, LARGE));
    }

    @Test
    default void chunkedContentOf5Kilobytes() throws Exception {
        assertThat(chunkedUpload(5_000)).isEqualTo("passed");
    }

    @Test
    default void chunkedContentOf1Megabyte() throws Exception {
        check(WebServerDifference.LARGE_CHUNKED_CONTENT, chunkedUpload(1_000_000));
    }

    private String chunkedUpload(int size) throws Exception {
        byte[] note = WebServerTests.utf8("gr\u00fc\u00dfe");
        byte[] file = Pattern251.bytes(0, size);
        try (RawConnection connection = open()) {
            connection.sendHead(
                    WebServerTests.head("POST", "/upload", MULTIPART, ACCEPT_JSON, "Transfer-Encoding: chunked"));
            CompletableFuture.runAsync(() -> sendInChunks(connection, multipart(note, file)));
            RawConnection.Response response = connection.read();
            if (response.status() == 200) {
                assertUploaded(response, note, file);
            }
            return WebServerTests.outcome(response);
        }
    }

    private static void sendInChunks(RawConnection connection, byte[] content) {
        try {
            for (int position = 0; position < content.length; position += 4_000) {
                connection.sendChunk(Arrays.copyOfRange(content, position, Math.min(content.length, position + 4_000)));
            }
            connection.sendChunk(new byte[0]);
        } catch (IOException e) {
            // A web server that refuses doesn't take everything.
        }
    }

    /** The end of the content is sent when the application has the request, or has been asked for that in vain. */
    @Test
    default void contentWhileItComes() throws Exception {
        int half = 40_000;
        String target = "/probe/upload.jsp?id=" + UUID.randomUUID();
        assertThat(get(target).text().strip()).isEqualTo("not begun");
        try (RawConnection connection = open()) {
            connection.sendHead(
                    WebServerTests.head("POST", target, "Content-Type: x/y", "Content-Length: " + 2 * half));
            connection.send(Pattern251.bytes(0, half));
            boolean arrives = false;
            long deadline = System.nanoTime() + ARRIVAL_LIMIT.toNanos();
            while (!arrives && System.nanoTime() < deadline) {
                arrives = get(target).text().strip().equals("begun");
            }
            connection.send(Pattern251.bytes(half, half));

            assertThat(connection.read().text().strip()).isEqualTo(Integer.toString(2 * half));
            check(WebServerDifference.CONTENT_WHILE_IT_COMES, arrives ? "while it comes" : "when it is whole");
        }
    }

    @Test
    default void contentInPieces() throws Exception {
        try (RawConnection connection = open()) {
            connection.sendHead(WebServerTests.head("POST", "/echo", "Content-Length: 20"));
            connection.send(WebServerTests.ascii("0123456789"));
            RawConnection.Response other = get(INFO);
            assertThat(other.status()).isEqualTo(200);
            connection.send(WebServerTests.ascii("abcdefghij"));

            assertThat(connection.read().text()).isEqualTo("0123456789abcdefghij");
        }
    }

    @Test
    default void contentAfterContinue() throws Exception {
        try (RawConnection connection = open()) {
            connection.sendHead(WebServerTests.head("POST", "/echo", "Content-Length: 10", "Expect: 100-continue"));
            assertThat(connection.readHead().status()).isEqualTo(100);
            connection.send(WebServerTests.ascii("0123456789"));

            assertThat(connection.read().text()).isEqualTo("0123456789");
        }
    }
}

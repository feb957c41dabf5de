package io.github.jettyfastcgi.cgi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseHeadTest {
    @Test
    void fieldsComeInTheirOrderAndStatusLast() {
        HttpFields fields = HttpFields.build()
                .add(HttpHeader.LOCATION, "/next")
                .add("X-Custom", "value")
                .add(HttpHeader.CONTENT_TYPE, "text/html;charset=utf-8")
                .add(HttpHeader.CONTENT_LENGTH, 17)
                .add("X-Custom", "")
                .asImmutable();

        assertThat(head(302, fields)).isEqualTo("""
                Location: /next\r
                X-Custom: value\r
                Content-Type: text/html;charset=utf-8\r
                Content-Length: 17\r
                X-Custom: \r
                Status: 302 Found\r
                \r
                """);
    }

    @Test
    void headWithoutFieldsIsItsStatus() {
        assertThat(head(200, HttpFields.EMPTY)).isEqualTo("Status: 200 OK\r\n\r\n");
    }

    @Test
    void eachCookieHasItsLine() {
        HttpFields fields = HttpFields.build()
                .add(HttpHeader.SET_COOKIE, "a=1; Path=/")
                .add(HttpHeader.SET_COOKIE, "b=2")
                .asImmutable();

        assertThat(head(200, fields)).isEqualTo("Set-Cookie: a=1; Path=/\r\nSet-Cookie: b=2\r\nStatus: 200 OK\r\n\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Connection",
                "connection",
                "Keep-Alive",
                "Proxy-Authenticate",
                "Proxy-Authorization",
                "Proxy-Connection",
                "proxy-anything",
                "Proxy-",
                "TE",
                "Trailer",
                "Transfer-Encoding",
                "TRANSFER-ENCODING",
                "Upgrade",
                ":path",
                ":status",
                "Status",
                "STATUS",
                "status"
            })
    void fieldOfTheConnectionAndStatusNeverLeave(String name) {
        HttpFields fields = HttpFields.build()
                .add("X-Before", "1")
                .add(name, "500")
                .add(new PreEncodedHttpField(name, "501"))
                .add("X-After", "2")
                .asImmutable();

        assertThat(head(200, fields)).isEqualTo("X-Before: 1\r\nX-After: 2\r\nStatus: 200 OK\r\n\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Proxy",
                "Proxying",
                "Status-Text",
                "X-Status",
                "Server",
                "Date",
                "Via",
                "ETag",
                "Vary",
                "Warning"
            })
    void fieldOfTheResponseLeaves(String name) {
        HttpFields fields = HttpFields.build().add(name, "value").asImmutable();

        assertThat(head(200, fields)).isEqualTo(name + ": value\r\nStatus: 200 OK\r\n\r\n");
    }

    @ParameterizedTest
    @CsvSource({"204, No Content", "304, Not Modified"})
    void responseWithoutContentHasNoLength(int status, String reason) {
        HttpFields fields = HttpFields.build()
                .add(HttpHeader.ETAG, "\"1\"")
                .add(HttpHeader.CONTENT_LENGTH, 17)
                .add(new PreEncodedHttpField(HttpHeader.CONTENT_LENGTH, "17"))
                .add("content-length", "17")
                .asImmutable();

        assertThat(ResponseHead.hasContent(status)).isFalse();
        assertThat(head(status, fields)).isEqualTo("ETag: \"1\"\r\nStatus: " + status + " " + reason + "\r\n\r\n");
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 201, 205, 206, 300, 301, 400, 404, 500})
    void anyOtherResponseHasItsLength(int status) {
        HttpFields fields = HttpFields.build().add(HttpHeader.CONTENT_LENGTH, 0).asImmutable();

        assertThat(ResponseHead.hasContent(status)).isTrue();
        assertThat(head(status, fields)).startsWith("Content-Length: 0\r\nStatus: " + status + " ");
    }

    @ParameterizedTest
    @CsvSource({
        "200, OK",
        "418, I'm a Teapot",
        "500, Server Error",
        "511, Network Authentication Required",
        "299, 299",
        "599, 599",
        "600, 600",
        "999, 999"
    })
    void statusHasAReasonAlsoWhereItIsUnknown(int status, String reason) {
        assertThat(head(status, HttpFields.EMPTY)).isEqualTo("Status: " + status + " " + reason + "\r\n\r\n");
    }

    @Test
    void preEncodedFieldIsWrittenLikeAnyOther() {
        HttpFields fields = HttpFields.build()
                .add(new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, "text/plain"))
                .add(new PreEncodedHttpField("X-Custom", "p\u00e4th"))
                .asImmutable();

        assertThat(head(200, fields))
                .isEqualTo("Content-Type: text/plain\r\nX-Custom: p\u00e4th\r\nStatus: 200 OK\r\n\r\n");
    }

    @Test
    void bytesBeyondAsciiLeaveAsTheyAre() {
        HttpFields fields =
                HttpFields.build().add("X-Utf8", "p\u00c3\u00a4th\t\u00ff").asImmutable();

        assertThat(head(200, fields)).startsWith("X-Utf8: p\u00c3\u00a4th\t\u00ff\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a\r\nX-Evil: 1",
                "a\nX-Evil: 1",
                "a\rX-Evil: 1",
                "\r\n\r\n<html>",
                "a\0b",
                "\r",
                "\n",
                "\0",
                "a\u010ab\u010d",
                "a\r\n b"
            })
    void valueCannotEndItsLine(String value) {
        for (HttpField field : List.of(
                new HttpField(HttpHeader.LOCATION, value),
                new HttpField("X-Value", value),
                new PreEncodedHttpField(HttpHeader.LOCATION, value),
                new PreEncodedHttpField("X-Value", value))) {
            String head = head(200, HttpFields.build().add(field).asImmutable());

            assertOneLineAndStatus(head);
            assertThat(head).startsWith(field.getName() + ": ");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"X\r\nX-Evil: 1", "X\nY", "X\rY", "X\0Y", "\r\n\r\n", "X\u010aY", "X: 1\r\nY"})
    void nameCannotEndItsLine(String name) {
        for (HttpField field : List.of(new HttpField(name, "value"), new PreEncodedHttpField(name, "value")))
            assertOneLineAndStatus(head(200, HttpFields.build().add(field).asImmutable()));
    }

    @Test
    void bufferThatIsTooSmallOverflows() {
        HttpFields fields = HttpFields.build()
                .add(HttpHeader.CONTENT_TYPE, "text/plain")
                .add(new PreEncodedHttpField("X-Custom", "value"))
                .asImmutable();
        int length = head(200, fields).length();

        for (int capacity = 0; capacity < length; capacity++) {
            ByteBuffer buffer = ByteBuffer.allocate(capacity);
            assertThatThrownBy(() -> ResponseHead.putTo(200, fields, buffer))
                    .isInstanceOf(BufferOverflowException.class);
        }
        ByteBuffer exact = ByteBuffer.allocate(length);
        ResponseHead.putTo(200, fields, exact);
        assertThat(exact.hasRemaining()).isFalse();
    }

    @Test
    void headIsWrittenBehindWhatTheBufferHolds() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(100);
        buffer.put(new byte[8]);

        ResponseHead.putTo(404, HttpFields.EMPTY, buffer);

        byte[] bytes = new byte[buffer.position() - 8];
        buffer.get(8, bytes);
        assertThat(bytes).asString(StandardCharsets.ISO_8859_1).isEqualTo("Status: 404 Not Found\r\n\r\n");
    }

    private static void assertOneLineAndStatus(String head) {
        assertThat(head).endsWith("\r\nStatus: 200 OK\r\n\r\n");
        assertThat(head.substring(0, head.indexOf("\r\nStatus: "))).doesNotContain("\r", "\n", "\0");
    }

    private static String head(int status, HttpFields fields) {
        ByteBuffer buffer = ByteBuffer.allocate(4096);
        ResponseHead.putTo(status, fields, buffer);
        return new String(buffer.array(), 0, buffer.position(), StandardCharsets.ISO_8859_1);
    }
}

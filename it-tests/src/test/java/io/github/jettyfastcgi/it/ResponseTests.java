package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.eclipse.jetty.util.ajax.JSON;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Status, fields and pages of responses. */
interface ResponseTests extends WebServerTests {

    @ParameterizedTest
    @ValueSource(ints = {200, 201, 202, 204, 301, 302, 304, 400, 403, 404, 409, 410, 418, 451, 500, 502, 503, 504, 599})
    default void status(int status) throws Exception {
        try (RawConnection connection = open()) {
            connection.sendHead(WebServerTests.head("GET", "/status?code=" + status));
            RawConnection.Response response = connection.read();

            assertThat(response.status()).isEqualTo(status);
            boolean hasContent = status != 204 && status != 304;
            assertThat(response.text()).isEqualTo(hasContent ? "Status " + status + "\n" : "");

            assertServesFurther(connection, response.head());
        }
    }

    /** What follows on the connection isn't taken for content, where the web server keeps it. */
    private void assertServesFurther(RawConnection connection, RawConnection.Head head) throws Exception {
        if (!head.field("Connection").equals(Optional.of("close"))) {
            connection.sendHead(WebServerTests.head("GET", INFO));
            assertThat(Info.of(connection.read()).get("servletPath")).isEqualTo("/info");
        }
    }

    @Test
    default void redirectToAPath() throws Exception {
        RawConnection.Response response =
                exchange("GET /redirect?to=/info%3Fformat%3Djson HTTP/1.1", "Host: www.example.com:8080");

        assertThat(response.status()).isEqualTo(302);
        URI location = URI.create(response.field("Location").orElseThrow());
        assertThat(URI.create("http://www.example.com:8080/redirect").resolve(location))
                .hasToString("http://www.example.com:8080/info?format=json");
    }

    @Test
    default void redirectToAUrl() throws Exception {
        RawConnection.Response response =
                exchange("GET /redirect?to=http://www.example.com:8080/info HTTP/1.1", "Host: www.example.com:8080");

        assertThat(response.status()).isEqualTo(302);
        assertThat(response.field("Location")).contains("http://www.example.com:8080/info");
    }

    @Test
    default void redirectToTheContext() throws Exception {
        RawConnection.Response response = exchange("GET /probe HTTP/1.1", "Host: www.example.com:8080");

        assertThat(response.status()).isEqualTo(301);
        URI location = URI.create(response.field("Location").orElseThrow());
        assertThat(URI.create("http://www.example.com:8080/probe").resolve(location))
                .hasToString("http://www.example.com:8080/probe/");
    }

    @Test
    default void headHasTheFieldsOfGetAndNoContent() throws Exception {
        try (RawConnection connection = open()) {
            connection.sendHead(WebServerTests.head("HEAD", "/download?size=123456"));
            RawConnection.Head head = connection.readHead();

            assertThat(head.status()).isEqualTo(200);
            assertThat(head.field("Content-Type")).contains("application/octet-stream");
            assertThat(head.field("Content-Length")).contains("123456");

            assertServesFurther(connection, head);
        }
    }

    @Test
    default void fieldsOfAllKinds() throws Exception {
        RawConnection.Response response = get("/probe/fields.jsp");

        assertThat(response.text()).isEqualToIgnoringWhitespace("fields");
        assertThat(values(response, "Set-Cookie")).containsExactly("first=1; Path=/", "second=2; Path=/");
        assertThat(values(response, "X-Latin")).containsExactly("caf\u00e9");
        assertThat(values(response, "X-Quoted")).containsExactly("a,b;c=\"d\" (e) %41");
        check(WebServerDifference.REPEATED_RESPONSE_FIELD, WebServerTests.repetition(values(response, "X-Twice")));
        check(
                WebServerDifference.EMPTY_RESPONSE_FIELD,
                values(response, "X-Empty").equals(List.of("")) ? "passed" : "dropped");
    }

    @Test
    default void fieldsOfTheWebServerAreThereOnce() throws Exception {
        RawConnection.Response response = get("/");

        assertThat(values(response, "Date")).hasSize(1);
        List<String> servers = values(response, "Server");
        assertThat(servers).hasSizeLessThan(2).noneMatch(server -> server.contains("Jetty"));
        check(WebServerDifference.SERVER_FIELD, servers.isEmpty() ? "none" : "the web server's");
        check(WebServerDifference.STATUS_FIELD, values(response, "Status").isEmpty() ? "none" : "there");
        assertThat(values(response, "Content-Type")).hasSize(1);
    }

    @Test
    default void fieldOf7KilobytesInAResponse() throws Exception {
        RawConnection.Response response = get("/probe/fields.jsp?long=7000");

        assertThat(response.status()).isEqualTo(200);
        assertThat(response.field("X-Long")).contains("0123456789".repeat(700));
    }

    @Test
    default void fieldOf15KilobytesInAResponse() throws Exception {
        RawConnection.Response response = get("/probe/fields.jsp?long=15000");

        check(WebServerDifference.LONG_RESPONSE_FIELD, WebServerTests.outcome(response));
    }

    @Test
    default void manyFieldsInAResponse() throws Exception {
        RawConnection.Response response = get("/probe/fields.jsp?many=150");

        check(WebServerDifference.MANY_RESPONSE_FIELDS, WebServerTests.outcome(response));
        if (response.status() == 200) {
            assertThat(response.field("X-Many-149")).contains("value 149");
        }
    }

    private static List<String> values(RawConnection.Response response, String name) {
        return response.head().fields().stream()
                .filter(field -> field.name().equalsIgnoreCase(name))
                .map(RawConnection.Field::value)
                .toList();
    }

    @Test
    default void staticFile() throws Exception {
        RawConnection.Response direct = exchangeDirectly(WebServerTests.head("GET", "/index.html"));

        RawConnection.Response response = get("/index.html");

        assertThat(response.status()).isEqualTo(200);
        assertThat(response.content()).isEqualTo(direct.content());
        for (String name : List.of("Content-Type", "Last-Modified", "Accept-Ranges", "ETag")) {
            assertThat(response.field(name)).as(name).isEqualTo(direct.field(name));
        }
    }

    @Test
    default void unmodifiedStaticFile() throws Exception {
        String lastModified = get("/index.html").field("Last-Modified").orElseThrow();

        RawConnection.Response response = get("/index.html", "If-Modified-Since: " + lastModified);

        assertThat(response.status()).isEqualTo(304);
        assertThat(response.content()).isEmpty();
    }

    @Test
    default void staticFileModifiedSince() throws Exception {
        RawConnection.Response response = get("/index.html", "If-Modified-Since: Sat, 01 Jan 2000 00:00:00 GMT");

        assertThat(response.status()).isEqualTo(200);
        assertThat(response.text()).contains("</html>");
    }

    @Test
    default void failedPreconditionOfAStaticFile() throws Exception {
        RawConnection.Response response = get("/index.html", "If-Unmodified-Since: Sat, 01 Jan 2000 00:00:00 GMT");

        assertThat(response.status()).isEqualTo(412);
    }

    @ParameterizedTest
    @CsvSource({"bytes=0-9, 0, 10", "bytes=100-199, 100, 200", "bytes=100-, 100, -1", "bytes=-50, -51, -1"})
    default void rangeOfAStaticFile(String range, int from, int to) throws Exception {
        byte[] whole = get("/index.html").content();
        int begin = from < 0 ? whole.length + from + 1 : from;
        int end = to < 0 ? whole.length : to;

        RawConnection.Response response = get("/index.html", "Range: " + range);

        assertThat(response.status()).isEqualTo(206);
        assertThat(response.content()).isEqualTo(Arrays.copyOfRange(whole, begin, end));
        assertThat(response.field("Content-Range")).contains("bytes " + begin + "-" + (end - 1) + "/" + whole.length);
    }

    @Test
    default void severalRangesOfAStaticFile() throws Exception {
        byte[] whole = get("/index.html").content();

        RawConnection.Response response = get("/index.html", "Range: bytes=0-9,20-29");

        assertThat(response.status()).isEqualTo(206);
        assertThat(response.field("Content-Type").orElseThrow()).startsWith("multipart/byteranges");
        assertThat(response.text())
                .contains("Content-Range: bytes 0-9/" + whole.length, "Content-Range: bytes 20-29/" + whole.length)
                .contains(new String(whole, 20, 10, StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Range: bytes=1000000-", "Range: bytes=9-0", "Range: lines=1-2", "If-None-Match: *"})
    default void oddConditionMeansTheSameAsOverHttp(String field) throws Exception {
        RawConnection.Response direct = exchangeDirectly(WebServerTests.head("GET", "/index.html", field));

        RawConnection.Response response = get("/index.html", field);

        assertThat(response.status()).isEqualTo(direct.status());
        assertThat(response.content()).isEqualTo(direct.content());
        assertThat(response.field("Content-Range")).isEqualTo(direct.field("Content-Range"));
    }

    @Test
    default void rangeOfAnUnmodifiedStaticFile() throws Exception {
        String lastModified = get("/index.html").field("Last-Modified").orElseThrow();

        RawConnection.Response response = get("/index.html", "Range: bytes=0-9", "If-Range: " + lastModified);

        assertThat(response.status()).isEqualTo(206);
        assertThat(response.content()).hasSize(10);
    }

    @Test
    default void contentIsCompressedOnce() throws Exception {
        byte[] plain = get("/index.html").content();

        RawConnection.Response response = get("/index.html", "Accept-Encoding: gzip");

        assertThat(response.status()).isEqualTo(200);
        assertThat(values(response, "Content-Encoding")).containsExactly("gzip");
        byte[] content = new GZIPInputStream(new ByteArrayInputStream(response.content())).readAllBytes();
        assertThat(content).isEqualTo(plain);
    }

    @Test
    default void pageMadeByAJsp() throws Exception {
        RawConnection.Response response = get("/jsp/hello.jsp?name=J%C3%B6rg");

        assertThat(response.status()).isEqualTo(200);
        assertThat(response.field("Content-Type").orElseThrow()).startsWith("text/html");
        assertThat(response.text()).contains("J\u00f6rg", "</html>").doesNotContain("<%");
    }

    @Test
    default void errorPageForAMissingResource() throws Exception {
        RawConnection.Response response = get("/no/such/page");

        assertThat(response.status()).isEqualTo(404);
        assertThat(response.field("Content-Type").orElseThrow()).startsWith("text/html");
        assertThat(response.text()).contains("Error 404", "/no/such/page", "</html>");
    }

    @Test
    default void errorPageForAnException() throws Exception {
        RawConnection.Response response = get("/fail");

        assertThat(response.status()).isEqualTo(500);
        assertThat(response.text()).contains("Error 500", "This page fails on purpose", "</html>");
    }

    @Test
    default void sessionByCookieGoesOnUntilLogout() throws Exception {
        RawConnection.Response first = get("/session?format=json");
        assertThat(counter(first)).isEqualTo(1);
        String setCookie = values(first, "Set-Cookie").get(0);
        assertThat(setCookie).startsWith("JSESSIONID=").contains("HttpOnly", "SameSite=Lax");
        String cookie = "Cookie: " + setCookie.substring(0, setCookie.indexOf(';'));

        assertThat(counter(get("/session?format=json", cookie))).isEqualTo(2);
        assertThat(send("POST", "/session", new byte[0], cookie).status()).isEqualTo(302);
        assertThat(counter(get("/session?format=json", cookie))).isEqualTo(1);
    }

    @Test
    default void sessionByUrl() throws Exception {
        String page = get("/session").text();
        int link = page.indexOf("/session;jsessionid=");
        assertThat(link).as(page).isPositive();
        String target = page.substring(link, page.indexOf('"', link));

        assertThat(counter(get(target + "?format=json"))).isEqualTo(2);
    }

    private static long counter(RawConnection.Response response) {
        assertThat(response.status()).isEqualTo(200);
        return (Long) ((Map<?, ?>) new JSON().fromJSON(response.text())).get("counter");
    }

    @ParameterizedTest
    @ValueSource(strings = {"HEAD", "OPTIONS"})
    default void optionsAndHeadOfAServletThatDoesNotKnowThem(String method) throws Exception {
        try (RawConnection connection = open()) {
            connection.sendHead(WebServerTests.head(method, "/session"));
            RawConnection.Head head = connection.readHead();

            assertThat(head.status()).isEqualTo(200);
            if (method.equals("OPTIONS")) {
                assertThat(head.field("Allow").orElseThrow()).contains("GET", "HEAD", "OPTIONS");
            }
        }
    }
}

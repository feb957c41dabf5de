package io.github.jettyfastcgi.it;

import static java.net.http.HttpRequest.BodyPublishers.noBody;
import static java.net.http.HttpRequest.BodyPublishers.ofString;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What of a client's request reaches the application. */
class RequestIT extends SampleSiteTestBase {

    @EachFront
    void requestLineAndAddresses(Front front) throws Exception {
        int port = site.port(front);

        try (RawConnection connection = new RawConnection(port)) {
            connection.sendHead(
                    "GET /info/deep?format=json&q=1 HTTP/1.1", "Host: 127.0.0.1:" + port, "Accept: application/json");
            Info info = Info.of(connection.read());

            assertThat(info.get("method")).isEqualTo("GET");
            assertThat(info.get("requestURI")).isEqualTo("/info/deep");
            assertThat(info.get("requestURL")).isEqualTo("http://127.0.0.1:" + port + "/info/deep");
            assertThat(info.get("contextPath")).isEqualTo("");
            assertThat(info.get("servletPath")).isEqualTo("/info");
            assertThat(info.get("pathInfo")).isEqualTo("/deep");
            assertThat(info.get("queryString")).isEqualTo("format=json&q=1");
            assertThat(info.get("protocol")).isEqualTo("HTTP/1.1");
            assertThat(info.get("scheme")).isEqualTo("http");
            assertThat(info.get("secure")).isEqualTo(false);
            assertThat(info.get("serverName")).isEqualTo("127.0.0.1");
            assertThat(info.get("serverPort")).isEqualTo((long) port);
            assertThat(info.get("remoteAddr")).isEqualTo("127.0.0.1");
            assertThat(info.get("remoteHost")).isEqualTo("127.0.0.1");
            assertThat(info.get("remotePort")).isEqualTo((long) connection.localPort());
            assertThat(info.get("localAddr")).isEqualTo("127.0.0.1");
            assertThat(info.get("localPort")).isEqualTo((long) port);
            assertThat(info.get("remoteUser")).isNull();
            assertThat(info.get("authType")).isNull();
            assertThat(info.get("userPrincipal")).isNull();
            assertThat(info.get("contentType")).isNull();
            assertThat(info.get("contentLength")).isEqualTo(-1L);
        }
    }

    @EachFront
    void addressesBelongToTheRequestNotToTheKeptConnection(Front front) throws Exception {
        for (int i = 0; i < 3; i++) {
            try (RawConnection connection = new RawConnection(site.port(front))) {
                connection.sendHead("GET /info?format=json HTTP/1.1", "Host: host" + i + ".example:80" + i);
                Info info = Info.of(connection.read());

                assertThat(info.get("remotePort")).isEqualTo((long) connection.localPort());
                assertThat(info.get("serverName")).isEqualTo("host" + i + ".example");
                assertThat(info.get("serverPort")).isEqualTo(800L + i);
            }
        }
    }

    @EachFront
    void hostWithoutPortMeansTheDefaultPort(Front front) throws Exception {
        try (RawConnection connection = new RawConnection(site.port(front))) {
            connection.sendHead("GET /info?format=json HTTP/1.1", "Host: www.example.com");
            Info info = Info.of(connection.read());

            assertThat(info.get("serverName")).isEqualTo("www.example.com");
            assertThat(info.get("serverPort")).isEqualTo(80L);
            assertThat(info.get("requestURL")).isEqualTo("http://www.example.com/info");
        }
    }

    /** Each on a connection of its own: nginx ends one whose response comes before it has read and passed on all content. */
    @EachFront
    void everyMethod(Front front) throws Exception {
        for (String method : List.of("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND")) {
            String content = "content of " + method;
            try (RawConnection connection = new RawConnection(site.port(front))) {
                connection.sendHead(
                        method + " /info?format=json HTTP/1.1",
                        "Host: www.example.com",
                        "Content-Type: text/plain",
                        "Content-Length: " + content.length());
                connection.send(content.getBytes(StandardCharsets.US_ASCII));
                Info info = Info.of(connection.read());

                assertThat(info.get("method")).isEqualTo(method);
                assertThat(info.get("contentType")).isEqualTo("text/plain");
                assertThat(info.get("contentLength")).isEqualTo((long) content.length());
            }
        }
    }

    @EachFront
    void contentOfPostAndPut(Front front) throws Exception {
        for (String method : List.of("POST", "PUT")) {
            String content = "content of " + method + " \u00e9\u20ac";

            HttpResponse<String> response = send(request(front, "/echo").method(method, ofString(content)));

            assertThat(response.statusCode()).as(method).isEqualTo(200);
            assertThat(response.body()).isEqualTo(content);
        }
    }

    @EachFront
    void optionsListsTheMethods(Front front) throws Exception {
        HttpResponse<String> response = send(request(front, "/session").method("OPTIONS", noBody()));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Allow").orElseThrow()).contains("GET", "HEAD", "OPTIONS");
    }

    @EachFront
    void headHasTheFieldsOfGetAndNoContent(Front front) throws Exception {
        try (RawConnection connection = new RawConnection(site.port(front))) {
            String host = "Host: 127.0.0.1:" + site.port(front);
            connection.sendHead("HEAD /download?size=123456&chunk=1000 HTTP/1.1", host);
            RawConnection.Head head = connection.readHead();

            assertThat(head.status()).isEqualTo(200);
            assertThat(head.field("Content-Length")).contains("123456");

            connection.sendHead("GET /info?format=json HTTP/1.1", host);
            assertThat(Info.of(connection.read()).get("method")).isEqualTo("GET");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/info/a%20b",
                "/info/%C3%A9/%E2%82%AC",
                "/info/plus+sign",
                "/info/semi;v=1/x",
                "/info/q%3Fmark%23hash%25percent",
                "/info//double",
                "/info/./dot/../up",
                "/info/%2E%2E/info",
                "/info/a%2Fb",
                "/info/%c3%a9?caf%C3%A9=%E2%82%AC&x=a+b&empty=&flag",
                "/info?a=1&a=2&b=%26%3D",
                "/info/~tilde/!$&'()*,=:@",
                "/info/",
                "/info?",
            })
    void pathMeansTheSameAsOverHttp(String target) throws Exception {
        String separator = target.contains("?") ? "&" : "?";
        String head = "GET " + target + separator + "format=json HTTP/1.1";
        RawConnection.Response direct = rawGet(site.directUri("/").getPort(), head);

        for (Front front : Front.values()) {
            RawConnection.Response response = rawGet(site.port(front), head);

            assertThat(response.status()).as(front + " " + response.text()).isEqualTo(direct.status());
            if (direct.status() == 200) {
                Info expected = Info.of(direct);
                Info actual = Info.of(response);
                for (String name : List.of("requestURI", "servletPath", "pathInfo", "queryString", "parameters")) {
                    assertThat(actual.get(name))
                            .as(front + " " + name)
                            .usingRecursiveComparison()
                            .isEqualTo(expected.get(name));
                }
            }
        }
    }

    private static RawConnection.Response rawGet(int port, String head) throws Exception {
        try (RawConnection connection = new RawConnection(port)) {
            connection.sendHead(head, "Host: example.com");
            return connection.read();
        }
    }

    @EachFront
    void encodedPathIsKeptRawAndDecodedOnce(Front front) throws Exception {
        Info info = info(request(front, "/info/a%20b/%C3%A9/x%3Fy?n%C3%A4me=v%20%C3%A9+%E2%82%AC"));

        assertThat(info.get("requestURI")).isEqualTo("/info/a%20b/%C3%A9/x%3Fy");
        assertThat(info.get("pathInfo")).isEqualTo("/a b/\u00e9/x?y");
        assertThat(info.get("queryString")).isEqualTo("n%C3%A4me=v%20%C3%A9+%E2%82%AC");
        assertThat(info.parameter("n\u00e4me")).containsExactly("v \u00e9 \u20ac");
    }

    @EachFront
    void formFieldsJoinTheQuery(Front front) throws Exception {
        Info info = info(request(front, "/info?a=0&q=1")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(ofString("a=1&a=2&b=%C3%A9+%26&empty=")));

        assertThat(info.get("contentType")).isEqualTo("application/x-www-form-urlencoded");
        assertThat(info.parameter("a")).containsExactly("0", "1", "2");
        assertThat(info.parameter("b")).containsExactly("\u00e9 &");
        assertThat(info.parameter("q")).containsExactly("1");
        assertThat(info.parameter("empty")).containsExactly("");
    }

    @EachFront
    void repeatedEmptyAndOddHeaderFields(Front front) throws Exception {
        try (RawConnection connection = new RawConnection(site.port(front))) {
            connection.sendHead(
                    "GET /info?format=json HTTP/1.1",
                    "Host: example.com",
                    "X-Twice: one",
                    "X-Between: between",
                    "X-Twice: two",
                    "X-Empty:",
                    "X-Latin1: caf\u00e9",
                    "X-Separators: a,b;c=\"d\" (e) %41",
                    "X-1-2-3: digits");
            Info info = Info.of(connection.read());

            assertThat(info.header("X-Twice")).containsExactly("one", "two");
            assertThat(info.header("X-Between")).containsExactly("between");
            assertThat(info.header("X-Empty")).containsExactly("");
            assertThat(info.header("X-Latin1")).containsExactly("caf\u00e9");
            assertThat(info.header("X-Separators")).containsExactly("a,b;c=\"d\" (e) %41");
            assertThat(info.header("X-1-2-3")).containsExactly("digits");
            assertThat(info.header("Host")).containsExactly("example.com");
        }
    }

    @EachFront
    void headerFieldOf30Kilobytes(Front front) throws Exception {
        String value = "0123456789".repeat(3_000);

        Info info = info(request(front, "/info").header("X-Large", value));

        assertThat(info.header("X-Large")).containsExactly(value);
    }

    @EachFront
    void nothingThatAClientSaysIsTakenForTheWebServersWord(Front front) throws Exception {
        try (RawConnection connection = new RawConnection(site.port(front))) {
            connection.sendHead(
                    "GET /info?format=json HTTP/1.1",
                    "Host: example.com",
                    "Proxy: http://evil.example",
                    "X-Forwarded-For: 192.0.2.1",
                    "X-Forwarded-Host: evil.example",
                    "X-Forwarded-Proto: https",
                    "Forwarded: for=192.0.2.1;proto=https;host=evil.example",
                    "Authorization: Basic YTpi",
                    "Remote-Addr: 192.0.2.1",
                    "Https: on");
            Info info = Info.of(connection.read());

            assertThat(info.header("Proxy")).isEmpty();
            assertThat(info.get("remoteAddr")).isEqualTo("127.0.0.1");
            assertThat(info.get("serverName")).isEqualTo("example.com");
            assertThat(info.get("scheme")).isEqualTo("http");
            assertThat(info.get("secure")).isEqualTo(false);
            assertThat(info.get("remoteUser")).isNull();
            assertThat(info.header("Authorization")).containsExactly("Basic YTpi");
        }
    }

    @EachFront
    void hopByHopFieldsStayWithTheHop(Front front) throws Exception {
        try (RawConnection connection = new RawConnection(site.port(front))) {
            connection.sendHead(
                    "POST /info?format=json HTTP/1.1",
                    "Host: example.com",
                    "Connection: keep-alive",
                    "Keep-Alive: timeout=5",
                    "TE: trailers",
                    "Transfer-Encoding: chunked");
            connection.sendChunk("chunked content".getBytes(StandardCharsets.US_ASCII));
            connection.sendChunk(new byte[0]);
            Info info = Info.of(connection.read());

            for (String name : List.of("Connection", "Keep-Alive", "TE", "Transfer-Encoding")) {
                assertThat(info.header(name)).as(name).isEmpty();
            }
        }
    }

    @EachFront
    void cookies(Front front) throws Exception {
        Info info = info(request(front, "/info").header("Cookie", "first=1; second=two words; third=\"quoted\""));

        assertThat(info.cookie("first")).containsExactly("1");
        assertThat(info.cookie("second")).hasSize(1);
        assertThat(info.header("Cookie")).hasSize(1);
    }

    @Test
    void tlsOfTheWebServerMakesTheRequestSecure() throws Exception {
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(site.clientTls())
                .build();
        URI uri = site.tlsUri("/info");

        Info info = Info.of(client.send(
                HttpRequest.newBuilder(uri).header("Accept", "application/json").build(), BodyHandlers.ofString()));

        assertThat(info.get("scheme")).isEqualTo("https");
        assertThat(info.get("secure")).isEqualTo(true);
        assertThat(info.get("serverPort")).isEqualTo((long) uri.getPort());
        assertThat(info.get("requestURL")).isEqualTo(uri.toString());
    }

    @Test
    void httpConnectorServesBeside() throws Exception {
        URI uri = site.directUri("/info");

        Info info = Info.of(CLIENT.send(
                HttpRequest.newBuilder(uri).header("Accept", "application/json").build(), BodyHandlers.ofString()));

        assertThat(info.get("requestURL")).isEqualTo(uri.toString());
    }
}

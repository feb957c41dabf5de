package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Method, target, host, protocol and addresses. */
interface RequestLineTests extends WebServerTests {

    @Test
    default void requestLineAndAddresses() throws Exception {
        long port = site().port();
        try (RawConnection connection = open()) {
            connection.sendHead("GET /info/deep?format=json&q=1 HTTP/1.1", "Host: 127.0.0.1:" + port);
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
            assertThat(info.get("serverPort")).isEqualTo(port);
            assertThat(info.get("remoteAddr")).isEqualTo("127.0.0.1");
            assertThat(info.get("remoteHost")).isEqualTo("127.0.0.1");
            assertThat(info.get("remotePort")).isEqualTo((long) connection.localPort());
            boolean local = info.get("localAddr").equals("127.0.0.1")
                    && info.get("localPort").equals(port);
            check(WebServerDifference.LOCAL_ADDRESS, local ? "the web server's" : "Jetty's own");
        }
    }

    @Test
    default void portIsTheListenersWhateverTheHostFieldSays() throws Exception {
        Info info = Info.of(exchange("GET /info?format=json HTTP/1.1", "Host: www.example.com:81"));

        boolean local = info.get("localPort").equals((long) site().port());
        check(WebServerDifference.LOCAL_ADDRESS, local ? "the web server's" : "Jetty's own");
    }

    @Test
    default void addressesBelongToTheRequestNotToTheConnection() throws Exception {
        for (int i = 0; i < 3; i++) {
            try (RawConnection connection = open()) {
                connection.sendHead("GET /info?format=json HTTP/1.1", "Host: host" + i + ".example:80" + i);
                Info info = Info.of(connection.read());

                assertThat(info.get("remotePort")).isEqualTo((long) connection.localPort());
                assertThat(info.get("serverName")).isEqualTo("host" + i + ".example");
                assertThat(info.get("serverPort")).isEqualTo(800L + i);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "DELETE", "OPTIONS", "PROPFIND"})
    default void methodWithoutContent(String method) throws Exception {
        Info info = Info.of(exchange(WebServerTests.head(method, INFO)));

        assertThat(info.get("method")).isEqualTo(method);
        assertThat(info.get("contentLength")).isEqualTo(-1L);
        assertThat(info.header("Content-Length")).isEmpty();
        if (List.of("GET", "OPTIONS").contains(method)) {
            assertThat(info.header("Content-Type")).isEmpty();
        } else {
            check(WebServerDifference.CONTENT_TYPE_OF_NO_CONTENT, WebServerTests.typeOf(info));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "PATCH", "DELETE", "PROPFIND", "REPORT"})
    default void methodWithContent(String method) throws Exception {
        byte[] content = WebServerTests.ascii("content of " + method);

        Info info = Info.of(send(method, INFO, content, "Content-Type: text/plain"));

        assertThat(info.get("method")).isEqualTo(method);
        assertThat(info.get("contentType")).isEqualTo("text/plain");
        assertThat(info.get("contentLength")).isEqualTo((long) content.length);
    }

    @Test
    default void getWithContent() throws Exception {
        check(
                WebServerDifference.GET_WITH_CONTENT,
                WebServerTests.outcome(send("GET", INFO, WebServerTests.ascii("content"))));
    }

    @Test
    default void methodOfNoStandard() throws Exception {
        check(WebServerDifference.UNKNOWN_METHOD, WebServerTests.outcome(exchange(WebServerTests.head("FOO", INFO))));
    }

    @Test
    default void trace() throws Exception {
        check(WebServerDifference.TRACE, answerer(WebServerTests.head("TRACE", INFO)));
    }

    @Test
    default void optionsOfTheServer() throws Exception {
        check(WebServerDifference.OPTIONS_OF_SERVER, answerer("OPTIONS * HTTP/1.1", HOST));
    }

    @Test
    default void connect() throws Exception {
        check(
                WebServerDifference.CONNECT,
                answerer("CONNECT www.example.com:443 HTTP/1.1", "Host: www.example.com:443"));
    }

    /** Who answered: Jetty, as it does over HTTP, or the web server itself. */
    private String answerer(String... lines) throws Exception {
        RawConnection.Response direct = exchangeDirectly(lines);
        RawConnection.Response response = exchange(lines);
        boolean isJettys = response.status() == direct.status()
                && response.field("Allow").equals(direct.field("Allow"))
                && Arrays.equals(response.content(), direct.content());
        return isJettys ? "Jetty: " + response.status() : "itself: " + response.status();
    }

    @Test
    default void absoluteTarget() throws Exception {
        RawConnection.Response response = exchange("GET http://a:81/info?format=json HTTP/1.1", "Host: b");

        String seen = response.status() == 200
                ? ((String) Info.of(response).get("requestURL")).replace("/info", "/")
                : WebServerTests.outcome(response);
        check(WebServerDifference.ABSOLUTE_TARGET_OF_ANOTHER_HOST, seen);
    }

    @Test
    default void http10() throws Exception {
        Info info = Info.of(exchange("GET /info?format=json HTTP/1.0", HOST));

        assertThat(info.get("protocol")).isEqualTo("HTTP/1.0");
        assertThat(info.get("serverName")).isEqualTo("www.example.com");
    }

    @Test
    default void http10WithoutHost() throws Exception {
        Object url = Info.of(exchange("GET /info?format=json HTTP/1.0")).get("requestURL");

        String host = URI.create((String) url).getHost();
        boolean isSite = "www.example.com".equals(host);
        boolean isAddress = "127.0.0.1".equals(host);
        assertThat(isSite || isAddress || host == null).as(host).isTrue();
        check(WebServerDifference.NO_HOST, isSite ? "the site's" : isAddress ? "an address" : "none");
    }

    @Test
    default void twoHosts() throws Exception {
        RawConnection.Response response =
                exchange("GET /info?format=json HTTP/1.1", "Host: first.example", "Host: last.example");

        boolean lastCounts = response.status() == 200
                && Info.of(response).get("serverName").equals("last.example")
                && Info.of(response).header("Host").equals(List.of("last.example"));
        check(WebServerDifference.TWO_HOSTS, lastCounts ? "the last counts" : WebServerTests.outcome(response));
    }

    @Test
    default void hostWithoutPortMeansTheDefaultPort() throws Exception {
        Info info = info();

        assertThat(info.get("serverName")).isEqualTo("www.example.com");
        assertThat(info.get("serverPort")).isEqualTo(80L);
        assertThat(info.get("requestURL")).isEqualTo("http://www.example.com/info");
        assertThat(info.header("Host")).containsExactly("www.example.com");
    }

    @Test
    default void hostInUpperCase() throws Exception {
        Info info = Info.of(exchange("GET /info?format=json HTTP/1.1", "Host: WWW.Example.COM:8080"));

        assertThat((String) info.get("serverName")).isEqualToIgnoringCase("www.example.com");
        assertThat(info.get("serverPort")).isEqualTo(8080L);
    }

    @Test
    default void hostAsAddress() throws Exception {
        Info info = Info.of(exchange("GET /info?format=json HTTP/1.1", "Host: [::1]:8080"));

        assertThat(info.get("serverName")).isEqualTo("[::1]");
        assertThat(info.get("serverPort")).isEqualTo(8080L);
        assertThat(info.get("requestURL")).isEqualTo("http://[::1]:8080/info");
    }

    @ParameterizedTest
    @ValueSource(strings = {"www.example.com/x", "a b", "user@www.example.com", "[::1"})
    default void hostThatIsNone(String host) throws Exception {
        RawConnection.Response response = exchange("GET /info?format=json HTTP/1.1", "Host: " + host);

        assertThat(response.status()).as(response.text()).isEqualTo(400);
    }

    @Test
    default void hostWithAPortThatIsNone() throws Exception {
        RawConnection.Response response = exchange("GET /info?format=json HTTP/1.1", "Host: www.example.com:x");

        check(WebServerDifference.BAD_PORT_IN_HOST, WebServerTests.outcome(response));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/info/a%20b",
                "/info/%C3%A9/%E2%82%AC",
                "/info/%c3%a9",
                "/info/plus+sign",
                "/info/semi;v=1/x",
                "/info;v=1/x;w",
                "/info/q%3Fmark",
                "/info/hash%23",
                "/info/percent%25",
                "/info/semi%3Bcolon",
                "/info/back%5Cslash",
                "/info//double",
                "//info/double",
                "/info/./dot/../up",
                "/info/%2E%2E/info",
                "/info/a%2Fb",
                "/info/%41%7E",
                "/info/~tilde/!$&'()*,=:@",
                "/info/",
                "/info/.",
                "/info/..;/info",
                "/style.css",
                "/no/such/page",
            })
    default void pathMeansTheSameAsOverHttp(String target) throws Exception {
        assertMeansTheSame(target + "?format=json");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a=1&a=2&b=%26%3D",
                "caf%C3%A9=%E2%82%AC&x=a+b&empty=&flag",
                "?a=b?c",
                "a=/../b//c;d",
                "a=%2F%2f%41",
                "a='()*,:@$!~",
            })
    default void queryMeansTheSameAsOverHttp(String query) throws Exception {
        assertMeansTheSame("/info?format=json&" + query);
    }

    private void assertMeansTheSame(String target) throws Exception {
        String[] lines = WebServerTests.head("GET", target);
        RawConnection.Response direct = exchangeDirectly(lines);

        RawConnection.Response response = exchange(lines);

        assertThat(response.status()).as(response.text()).isEqualTo(direct.status());
        assertThat(response.field("Content-Type")).isEqualTo(direct.field("Content-Type"));
        if (direct.status() == 200 && target.startsWith("/info")) {
            Info expected = Info.of(direct);
            Info actual = Info.of(response);
            for (String name : List.of("requestURI", "servletPath", "pathInfo", "queryString", "parameters")) {
                assertThat(actual.get(name)).as(name).usingRecursiveComparison().isEqualTo(expected.get(name));
            }
        }
    }

    @Test
    default void emptyQuery() throws Exception {
        Info info = Info.of(get("/info?", "Accept: application/json"));

        assertThat(info.get("requestURI")).isEqualTo("/info");
        assertThat((String) info.get("queryString")).isNullOrEmpty();
    }

    @Test
    default void queryOf7Kilobytes() throws Exception {
        String query = "q=" + "0123456789".repeat(700);

        Info info = Info.of(get("/info?" + query, "Accept: application/json"));

        assertThat(info.get("queryString")).isEqualTo(query);
    }

    @Test
    default void nulInThePath() throws Exception {
        check(WebServerDifference.NUL_IN_PATH, get("/info/%00?format=json").status());
    }

    @Test
    default void characterThatBelongsEncoded() throws Exception {
        RawConnection.Response response = get("/info/a|b?format=json");

        check(
                WebServerDifference.ILLEGAL_CHARACTER_IN_PATH,
                response.status() == 200
                        ? Info.of(response).get("requestURI").toString().substring("/info".length())
                        : WebServerTests.outcome(response));
    }

    @Test
    default void pathOfRawUtf8() throws Exception {
        RawConnection.Response response = get("/info/" + WebServerTests.utf8Bytes("\u00e9") + "?format=json");

        check(WebServerDifference.RAW_UTF8_IN_PATH, WebServerTests.outcome(response));
        if (response.status() == 200) {
            assertThat(Info.of(response).get("pathInfo")).isEqualTo("/\u00e9");
        }
    }
}

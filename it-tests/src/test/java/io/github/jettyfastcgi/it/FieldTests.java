package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The fields of a request: what arrives, and what of them isn't believed. */
interface FieldTests extends WebServerTests {

    @Test
    default void fieldsOfABrowser() throws Exception {
        List<String> names = List.of("Accept", "Accept-Language", "User-Agent", "Referer", "Origin", "Cache-Control");
        String[] fields =
                names.stream().map(name -> name + ": the value of " + name).toArray(String[]::new);

        Info info = info(fields);

        for (String name : names) {
            assertThat(info.header(name)).as(name).containsExactly("the value of " + name);
        }
    }

    @Test
    default void repeatedField() throws Exception {
        List<String> values =
                info("X-Twice: one", "X-Between: between", "X-Twice: two").header("X-Twice");

        check(WebServerDifference.REPEATED_FIELD, WebServerTests.repetition(values));
    }

    @Test
    default void emptyField() throws Exception {
        List<String> values = info("X-Empty:").header("X-Empty");

        check(WebServerDifference.EMPTY_FIELD, values.equals(List.of("")) ? "passed" : "dropped");
    }

    @Test
    default void blanksAroundAValueAreNone() throws Exception {
        assertThat(info("X-Blank: \t a  b \t ").header("X-Blank")).containsExactly("a  b");
    }

    @Test
    default void valueOfEveryPrintableCharacter() throws Exception {
        StringBuilder value = new StringBuilder();
        for (char c = '!'; c <= '~'; c++) {
            value.append(c);
        }

        assertThat(info("X-Printable: " + value).header("X-Printable")).containsExactly(value.toString());
    }

    /** Bytes above 127 mean what they mean over HTTP, whether they are ISO-8859-1 or UTF-8. */
    @ParameterizedTest
    @ValueSource(strings = {"caf\u00e9", "caf\u00c3\u00a9 \u00e2\u0082\u00ac", "\u0080\u00ff"})
    default void valueOf8BitCharacters(String bytes) throws Exception {
        Info direct = Info.of(exchangeDirectly(WebServerTests.head("GET", INFO, "X-Text: " + bytes)));

        assertThat(info("X-Text: " + bytes).header("X-Text")).isEqualTo(direct.header("X-Text"));
    }

    @Test
    default void foldedField() throws Exception {
        check(WebServerDifference.FOLDED_FIELD, WebServerTests.outcome(get(INFO, "X-Folded: one", " two")));
    }

    @Test
    default void fieldOf7Kilobytes() throws Exception {
        String value = "0123456789".repeat(700);

        assertThat(info("X-Long: " + value).header("X-Long")).containsExactly(value);
    }

    @Test
    default void fieldOf15Kilobytes() throws Exception {
        String value = "0123456789".repeat(1500);

        RawConnection.Response response = get(INFO, "X-Long: " + value);

        check(WebServerDifference.LONG_FIELD, WebServerTests.outcome(response));
        if (response.status() == 200) {
            assertThat(Info.of(response).header("X-Long")).containsExactly(value);
        }
    }

    @Test
    default void eightyFields() throws Exception {
        String[] fields = new String[80];
        for (int i = 0; i < fields.length; i++) {
            fields[i] = "X-Many-" + i + ": value " + i;
        }

        Info info = info(fields);

        for (int i = 0; i < fields.length; i++) {
            assertThat(info.header("X-Many-" + i)).containsExactly("value " + i);
        }
    }

    @Test
    default void underscoreInAName() throws Exception {
        List<String> values = info("X_Under: value").header("X-Under");

        check(WebServerDifference.UNDERSCORE_IN_NAME, values.isEmpty() ? "dropped" : "as X-Under");
    }

    @Test
    default void oddName() throws Exception {
        RawConnection.Response response = get(INFO, "X-Odd.Name~1: value");

        if (response.status() != 200) {
            check(WebServerDifference.ODD_NAME, WebServerTests.outcome(response));
        } else if (Info.of(response).header("X-Odd.Name~1").equals(List.of("value"))) {
            check(WebServerDifference.ODD_NAME, "passed");
        } else {
            boolean renamed = Info.of(response).header("X-Odd-Name-1").equals(List.of("value"));
            check(WebServerDifference.ODD_NAME, renamed ? "as X-Odd-Name-1" : "dropped");
        }
    }

    @Test
    default void cookies() throws Exception {
        Info info = info("Cookie: first=1; second=two+words; third=a%20b; fourth=x=y");

        assertThat(info.cookie("first")).containsExactly("1");
        assertThat(info.cookie("second")).containsExactly("two+words");
        assertThat(info.cookie("third")).containsExactly("a%20b");
        assertThat(info.cookie("fourth")).containsExactly("x=y");
    }

    @Test
    default void cookiesInSeveralFields() throws Exception {
        Info info = info("Cookie: first=1", "Cookie: second=2");

        List<String> values = Stream.concat(info.cookie("first").stream(), info.cookie("second").stream())
                .toList();
        if (values.equals(List.of("1", "2"))) {
            check(WebServerDifference.SEVERAL_COOKIE_FIELDS, "two cookies");
        } else {
            check(WebServerDifference.SEVERAL_COOKIE_FIELDS, values.isEmpty() ? "none" : values);
        }
    }

    @Test
    default void authorizationIsPassedAndProvesNothing() throws Exception {
        Info info = info("Authorization: Basic YTpi");

        assertThat(info.header("Authorization")).containsExactly("Basic YTpi");
        assertThat(info.get("remoteUser")).isNull();
        assertThat(info.get("userPrincipal")).isNull();
        assertThat(info.get("authType")).isNull();
    }

    @Test
    default void proxyFieldNeverArrives() throws Exception {
        Info info = info("Proxy: http://evil.example", "Proxy-Authorization: Basic YTpi");

        assertThat(info.header("Proxy")).isEmpty();
        assertThat(info.header("Proxy-Authorization")).isEmpty();
    }

    @Test
    default void hopByHopFieldsStayWithTheHop() throws Exception {
        Info info = info("Connection: keep-alive", "Keep-Alive: timeout=5", "TE: trailers");

        for (String name : List.of("Connection", "Keep-Alive", "TE", "Transfer-Encoding", "Upgrade")) {
            assertThat(info.header(name)).as(name).isEmpty();
        }
    }

    @Test
    default void forgedAddressesAreNotBelieved() throws Exception {
        try (RawConnection connection = open()) {
            connection.sendHead(WebServerTests.head(
                    "GET",
                    INFO,
                    "X-Forwarded-For: 192.0.2.1",
                    "X-Forwarded-Host: evil.example",
                    "X-Forwarded-Port: 4711",
                    "X-Forwarded-Proto: https",
                    "X-Forwarded-Server: evil.example",
                    "X-Real-IP: 192.0.2.1",
                    "Forwarded: for=192.0.2.1;proto=https;host=evil.example",
                    "Remote-Addr: 192.0.2.1",
                    "Remote-User: admin",
                    "Server-Name: evil.example",
                    "Https: on",
                    "SSL-Cipher: TLS_AES_256_GCM_SHA384",
                    "SSL-Client-Cert: forged"));
            Info info = Info.of(connection.read());

            assertThat(info.get("remoteAddr")).isEqualTo("127.0.0.1");
            assertThat(info.get("remoteHost")).isEqualTo("127.0.0.1");
            assertThat(info.get("remotePort")).isEqualTo((long) connection.localPort());
            assertThat(info.get("remoteUser")).isNull();
            assertThat(info.get("serverName")).isEqualTo("www.example.com");
            assertThat(info.get("serverPort")).isEqualTo(80L);
            assertThat(info.get("scheme")).isEqualTo("http");
            assertThat(info.get("secure")).isEqualTo(false);
            assertThat(info.get("cipherSuite")).isNull();
            assertThat((Object[]) info.get("clientCertificates")).isEmpty();
        }
    }

    @Test
    default void forwardedForAsTheApplicationReadsIt() throws Exception {
        List<String> values = info("X-Forwarded-For: 192.0.2.1").header("X-Forwarded-For");

        assertThat(values).hasSize(1);
        boolean isClients = values.get(0).equals("192.0.2.1");
        check(WebServerDifference.FORWARDED_FOR, isClients ? "the client's" : "the web server's");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content_Length: 3", "Content_Length: 4711", "Content_Type: text/html"})
    default void forgedContentFieldsAreNotBelieved(String forged) throws Exception {
        byte[] content = WebServerTests.ascii("exactly this");

        Info info = Info.of(send("POST", INFO, content, forged, "Content-Type: text/plain"));
        RawConnection.Response echo = send("POST", "/echo", content, forged, "Content-Type: text/plain");

        assertThat(info.get("contentLength")).isEqualTo((long) content.length);
        assertThat(info.header("Content-Length")).containsExactly(Integer.toString(content.length));
        assertThat(info.header("Content-Type")).containsExactly("text/plain");
        assertThat(echo.status()).isEqualTo(200);
        assertThat(echo.content()).isEqualTo(content);
        assertThat(echo.field("Content-Type")).contains("text/plain");
    }

    /** All in one packet: who refuses it closes the connection, and a reset because of unread content could eat the answer. */
    @Test
    default void twoContentLengths() throws Exception {
        String[] head =
                WebServerTests.head("POST", "/echo", "Content-Length: 3", "Content-Length: 4", "Connection: close");
        try (RawConnection connection = open()) {
            connection.send(WebServerTests.ascii(String.join("\r\n", head) + "\r\n\r\n1234"));
            RawConnection.Response response = connection.read();

            String counted = response.content().length == 4 ? "the last counts" : "the first counts";
            check(
                    WebServerDifference.TWO_CONTENT_LENGTHS,
                    response.status() == 200 ? counted : WebServerTests.outcome(response));
        }
    }
}

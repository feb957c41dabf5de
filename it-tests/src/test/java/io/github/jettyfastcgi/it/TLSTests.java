package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the application gets to know of a TLS connection that ends at the web server. */
interface TLSTests extends WebServerTests {
    Pattern AES = Pattern.compile("AES_?(128|256)");

    @Test
    default void tlsMakesTheRequestSecure() throws Exception {
        Info info = tlsInfo(HttpClient.Version.HTTP_1_1);

        URI uri = site().tlsUri("/info");
        assertThat(info.get("scheme")).isEqualTo("https");
        assertThat(info.get("secure")).isEqualTo(true);
        assertThat(info.get("protocol")).isEqualTo("HTTP/1.1");
        assertThat(info.get("serverName")).isEqualTo("127.0.0.1");
        assertThat(info.get("serverPort")).isEqualTo((long) uri.getPort());
        assertThat(info.get("requestURL")).isEqualTo(uri.toString());
    }

    @Test
    default void redirectStaysOnHttps() throws Exception {
        HttpClient client = site().tlsClient(HttpClient.Version.HTTP_1_1);
        HttpRequest request =
                HttpRequest.newBuilder(site().tlsUri("/redirect?to=/info")).build();

        HttpResponse<String> response = client.send(request, BodyHandlers.ofString());

        assertThat(response.statusCode()).isEqualTo(302);
        URI location = URI.create(response.headers().firstValue("Location").orElseThrow());
        assertThat(site().tlsUri("/redirect").resolve(location)).isEqualTo(site().tlsUri("/info"));
    }

    @Test
    default void http2() throws Exception {
        Info info = tlsInfo(HttpClient.Version.HTTP_2);

        check(WebServerDifference.HTTP_2, info.get("protocol"));
        assertThat(info.get("serverName")).isEqualTo("127.0.0.1");
        assertThat(info.header("Host"))
                .containsExactly("127.0.0.1:" + site().tlsUri("/").getPort());
    }

    @Test
    default void cipherSuiteAndKeySize() throws Exception {
        Info info = tlsInfo(HttpClient.Version.HTTP_1_1);

        String cipherSuite = (String) info.get("cipherSuite");
        if (cipherSuite != null) {
            Matcher aes = AES.matcher(cipherSuite);
            assertThat(aes.find()).as(cipherSuite).isTrue();
            assertThat(info.get("keySize")).isEqualTo(Long.parseLong(aes.group(1)));
        }
        check(WebServerDifference.CIPHER_SUITE, cipherSuite == null ? "not told" : "told");
    }

    @Test
    default void session() throws Exception {
        String session = (String) tlsInfo(HttpClient.Version.HTTP_1_1).get("sslSessionId");

        if (session != null) {
            assertThat(session).matches("(?i)[0-9a-f]{64}");
        }
        check(WebServerDifference.TLS_SESSION, session == null ? "not told" : "told");
    }

    @Test
    default void clientCertificate() throws Exception {
        Object[] subjects = (Object[]) tlsInfo(HttpClient.Version.HTTP_1_1).get("clientCertificates");

        if (subjects.length > 0) {
            assertThat(subjects).containsExactly("CN=127.0.0.1");
        }
        check(WebServerDifference.CLIENT_CERTIFICATE, subjects.length == 0 ? "not told" : "told");
    }

    @Test
    default void noTlsNoSession() throws Exception {
        Info info = info();

        assertThat(info.get("cipherSuite")).isNull();
        assertThat(info.get("keySize")).isNull();
        assertThat(info.get("sslSessionId")).isNull();
        assertThat((Object[]) info.get("clientCertificates")).isEmpty();
    }

    private Info tlsInfo(HttpClient.Version version) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(site().tlsUri("/info"))
                .header("Accept", "application/json")
                .timeout(SampleSiteTestBase.REQUEST_LIMIT)
                .build();
        return Info.of(site().tlsClient(version).send(request, BodyHandlers.ofString()));
    }
}

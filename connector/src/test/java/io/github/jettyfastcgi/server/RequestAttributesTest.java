package io.github.jettyfastcgi.server;

import static io.github.jettyfastcgi.server.FastCGIConnectionFactory.VARIABLES_ATTRIBUTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.jettyfastcgi.protocol.Capture;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.ForwardedRequestCustomizer;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a request answers for beside HTTP. */
class RequestAttributesTest extends ConnectionTestBase {
    private static final String TLS = EndPoint.SslSessionData.ATTRIBUTE;
    private static final String PROTOCOL = "jakarta.servlet.request.secure_protocol";

    private final Exchanges exchanges = new Exchanges();
    private Exchanges.Exchange pending;

    private Request request(LocalPeer peer, String... namesAndValues) throws Exception {
        peer.get(1, "/", namesAndValues).send();
        pending = exchanges.next();
        return pending.request();
    }

    private void answer(LocalPeer peer) throws Exception {
        pending.answer("ok");
        peer.readAnswer(1).assertText("ok");
    }

    // ---- variables

    @Test
    void variablesAreOneImmutableMap() throws Exception {
        startLocal(exchanges);
        LocalPeer peer = connectLocal();

        Request request =
                request(peer, "MY_VAR", "one", "EMPTY", "", "MY_VAR", "two", "NAME", "J\u00c3\u00bcrgen \u00fc");

        Map<?, ?> variables = (Map<?, ?>) request.getAttribute(VARIABLES_ATTRIBUTE);
        Map<String, String> expected = new HashMap<>(Map.of(
                "REQUEST_METHOD", "GET",
                "REQUEST_URI", "/",
                "SERVER_PROTOCOL", "HTTP/1.1",
                "SERVER_NAME", "www.example.com",
                "SERVER_PORT", "80",
                "MY_VAR", "two",
                "EMPTY", "",
                "NAME", "J\u00c3\u00bcrgen \u00fc"));
        assertThat(variables).isEqualTo(expected);
        assertThat(request.getAttribute(VARIABLES_ATTRIBUTE)).isSameAs(variables);
        assertThatThrownBy(variables::clear).isInstanceOf(UnsupportedOperationException.class);
        answer(peer);
    }

    @Test
    void variablesInUTF8AreReadAsSuch() throws Exception {
        startLocal(exchanges);
        LocalPeer peer = connectLocal();

        Request request = request(peer, "NAME", "J\u00c3\u00bcrgen");

        assertThat((Map<?, ?>) request.getAttribute(VARIABLES_ATTRIBUTE))
                .extracting("NAME")
                .isEqualTo("J\u00fcrgen");
        answer(peer);
    }

    @Test
    void fieldsSecretsAndEnvironmentAreNoVariables() throws Exception {
        startLocal(exchanges);
        LocalPeer peer = connectLocal();

        Request request = request(
                peer,
                "HTTP_AUTHORIZATION",
                "Basic x",
                "HTTP_",
                "x",
                "PATH",
                "/bin",
                "SERVER_SIGNATURE",
                "<address>",
                "REMOTE_PASSWD",
                "secret",
                "LD_LIBRARY_PATH",
                "/lib");

        Map<?, ?> variables = (Map<?, ?>) request.getAttribute(VARIABLES_ATTRIBUTE);
        assertThat(variables.keySet().stream().map(String.class::cast))
                .containsExactlyInAnyOrder(
                        "REQUEST_METHOD", "REQUEST_URI", "SERVER_PROTOCOL", "SERVER_NAME", "SERVER_PORT");
        answer(peer);
    }

    @Test
    void requestThatIsKeptNeverSeesAnotherRequest() throws Exception {
        factory.setAttributes("MY_*");
        startLocal(exchanges);
        LocalPeer peer = connectLocal();

        Request asked = request(peer, "MY_VAR", "first", "HTTPS", "on", "SSL_CIPHER", "first");
        Map<?, ?> variables = (Map<?, ?>) asked.getAttribute(VARIABLES_ATTRIBUTE);
        EndPoint.SslSessionData tls = (EndPoint.SslSessionData) asked.getAttribute(TLS);
        answer(peer);
        Request unasked = request(peer, "MY_VAR", "other", "HTTPS", "on", "SSL_CIPHER", "other");
        answer(peer);
        Request third = request(peer, "MY_VAR", "third", "HTTPS", "on", "SSL_CIPHER", "third");

        assertThat(variables).extracting("MY_VAR").isEqualTo("first");
        assertThat(tls.cipherSuite()).isEqualTo("first");
        assertThat(asked.getAttribute(VARIABLES_ATTRIBUTE)).isSameAs(variables);
        assertThat(asked.getAttribute("MY_VAR")).isNull();
        assertThat(unasked.getAttribute("MY_VAR")).isNull();
        assertThat(unasked.getAttribute(VARIABLES_ATTRIBUTE)).isNull();
        assertThat(unasked.getAttribute(TLS)).isNull();
        assertThat(unasked.getAttributeNameSet()).doesNotContain("MY_VAR", TLS, VARIABLES_ATTRIBUTE);
        assertThat(third.getAttribute("MY_VAR")).isEqualTo("third");
        answer(peer);
    }

    @Test
    void endOfARequestWaitsForWhoReadsItsVariables() throws Exception {
        startLocal(exchanges);
        LocalPeer peer = connectLocal();
        Request request = request(peer, "MY_VAR", "own");
        FastCGIStream stream = ((FastCGIConnection) request.getConnectionMetaData()).activeStream();
        Thread end = new Thread(() -> pending.answer("ok"));

        String read = stream.fromVariables(variables -> {
            end.start();
            Await.until("the end waits", () -> end.getState() == Thread.State.BLOCKED);
            return variables.get("MY_VAR");
        });

        end.join();
        peer.readAnswer(1).assertText("ok");
        assertThat(read).isEqualTo("own");
        assertThat(stream.<String>fromVariables(variables -> variables.get("MY_VAR")))
                .isNull();
    }

    // ---- single variables as attributes

    @Test
    void listedVariablesAreAttributes() throws Exception {
        factory.setAttributes("MY_VAR,GEOIP_*");
        startLocal(exchanges);
        LocalPeer peer = connectLocal();

        Request request = request(peer, "MY_VAR", "one", "OTHER", "x", "GEOIP_CITY", "Berlin", "MY_VAR", "two");

        assertThat(request.getAttribute("MY_VAR")).isEqualTo("two");
        assertThat(request.getAttribute("GEOIP_CITY")).isEqualTo("Berlin");
        assertThat(request.getAttribute("GEOIP_COUNTRY")).isNull();
        assertThat(request.getAttribute("OTHER")).isNull();
        assertThat(request.getAttributeNameSet())
                .contains("MY_VAR", "GEOIP_CITY", VARIABLES_ATTRIBUTE)
                .doesNotContain("OTHER");
        answer(peer);
    }

    @Test
    void noVariableIsAnAttributeUnlessListed() throws Exception {
        startLocal(exchanges);
        LocalPeer peer = connectLocal();

        Request request = request(peer, "MY_VAR", "one");

        assertThat(request.getAttribute("MY_VAR")).isNull();
        assertThat(request.getAttributeNameSet()).contains(VARIABLES_ATTRIBUTE).doesNotContain("MY_VAR");
        answer(peer);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jakarta.servlet.include.request_uri",
                "jakarta.servlet.request.X509Certificate",
                "javax.servlet.include.path_info",
                "org.eclipse.jetty.io.Endpoint.SslSessionData",
                "org.eclipse.jetty.server.Request$AuthenticationState",
                "org.eclipse.jetty.multipartConfig"
            })
    void variableIsNeverAnAttributeOfTheContainer(String name) throws Exception {
        factory.setAttributes("*");
        startLocal(exchanges);
        LocalPeer peer = connectLocal();

        Request request = request(peer, name, "forged", "ANY", "seen");

        assertThat(request.getAttribute(name)).isNull();
        assertThat(request.getAttributeNameSet()).doesNotContain(name);
        assertThat(request.getAttribute("ANY")).isEqualTo("seen");
        answer(peer);
    }

    @Test
    void variableIsNeverTheVariables() throws Exception {
        factory.setAttributes("*");
        startLocal(exchanges);
        LocalPeer peer = connectLocal();

        Request request = request(peer, VARIABLES_ATTRIBUTE, "forged");

        assertThat(request.getAttribute(VARIABLES_ATTRIBUTE)).isInstanceOf(Map.class);
        answer(peer);
    }

    @ParameterizedTest
    @CsvSource({"*x, '*x'", "'A,', ''", "jakarta.servlet.*, jakarta.servlet.*"})
    void badPatternIsNamedWithItsProperty(String patterns, String bad) {
        assertThatThrownBy(() -> factory.setAttributes(patterns))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith("jetty.fastcgi.attributes: '" + bad + "' (");
        assertThat(factory.getAttributes()).isEmpty();
    }

    // ---- as attributes, they can be changed

    @Test
    void applicationCanReplaceRemoveAndClearAttributes() throws Exception {
        factory.setAttributes("MY_VAR");
        startLocal(exchanges);
        LocalPeer peer = connectLocal();
        Request request = request(peer, "MY_VAR", "one", "HTTPS", "on", "SSL_PROTOCOL", "TLSv1.3");

        assertThat(request.setAttribute("MY_VAR", "mine")).isEqualTo("one");
        assertThat(request.getAttribute("MY_VAR")).isEqualTo("mine");
        assertThat(request.setAttribute("ordinary", 1)).isNull();
        assertThat(request.removeAttribute("MY_VAR")).isEqualTo("mine");
        assertThat(request.getAttribute("MY_VAR")).isNull();
        assertThat(request.removeAttribute(TLS)).isInstanceOf(EndPoint.SslSessionData.class);
        assertThat(request.getAttribute(TLS)).isNull();
        assertThat(request.getAttribute("ordinary")).isEqualTo(1);
        assertThat(request.asAttributeMap()).containsKeys("ordinary", PROTOCOL, VARIABLES_ATTRIBUTE);
        assertThat(request.asAttributeMap()).doesNotContainKeys("MY_VAR", TLS);

        request.clearAttributes();

        assertThat(request.getAttributeNameSet()).isEmpty();
        assertThat(request.getAttribute(VARIABLES_ATTRIBUTE)).isNull();
        assertThat(request.removeAttribute("ordinary")).isNull();
        answer(peer);

        assertThat(request(peer, "MY_VAR", "next").getAttribute("MY_VAR")).isEqualTo("next");
        answer(peer);
    }

    // ---- TLS

    static Stream<Capture> clientCertificates() {
        return Capture.all().stream().filter(capture -> capture.name().equals("tls-clientcert"));
    }

    @ParameterizedTest
    @MethodSource("clientCertificates")
    void certificateOfEachWebServerArrives(Capture capture) throws Exception {
        startLocal(exchanges);
        LocalPeer peer = connectLocal();

        peer.raw(capture.bytes()).send();
        pending = exchanges.next();

        Object data = pending.request().getAttribute(TLS);
        if (capture.server().startsWith("h2o")) {
            assertThat(data).isNull();
        } else {
            EndPoint.SslSessionData tls = (EndPoint.SslSessionData) data;
            assertThat(tls.cipherSuite()).isNotEmpty();
            assertThat(tls.keySize()).isIn(128, 256);
            assertThat(subjects(tls))
                    .startsWith("CN=client one")
                    .hasSize(capture.server().startsWith("apache") ? 2 : 1);
            assertThat(tls.sslSession()).isNull();
            assertThat(pending.request().getAttribute(PROTOCOL)).asString().startsWith("TLSv1.");
            assertThat(pending.request().isSecure()).isTrue();
        }
        answer(peer);
    }

    private static List<String> subjects(EndPoint.SslSessionData tls) {
        return Arrays.stream(tls.peerCertificates())
                .map(X509Certificate::getSubjectX500Principal)
                .map(name -> name.getName().replaceFirst("^1\\.2\\.840.*?,", "").replaceFirst(",.*", ""))
                .toList();
    }

    @Test
    void badCertificateIsNone() throws Exception {
        startLocal(exchanges);
        LocalPeer peer = connectLocal();

        Request request = request(peer, "HTTPS", "on", "SSL_PROTOCOL", "TLSv1.3", "SSL_CLIENT_CERT", "garbage");

        EndPoint.SslSessionData tls = (EndPoint.SslSessionData) request.getAttribute(TLS);
        assertThat(tls.peerCertificates()).isNull();
        assertThat(tls.cipherSuite()).isNull();
        assertThat(tls.keySize()).isZero();
        assertThat(tls.sslSessionId()).isNull();
        answer(peer);
    }

    @Test
    void thereIsNoTLSWithoutHttps() throws Exception {
        startLocal(exchanges);
        LocalPeer peer = connectLocal();

        Request request = request(peer, "SSL_PROTOCOL", "TLSv1.3", "SSL_CIPHER", "AES128-SHA", "SSL_SESSION_ID", "1");

        assertThat(request.getAttribute(TLS)).isNull();
        assertThat(request.getAttribute(PROTOCOL)).isNull();
        assertThat(request.getAttributeNameSet()).doesNotContain(TLS, PROTOCOL);
        answer(peer);
    }

    @Test
    void thereIsNoTLSWhereTheWebServerTellsNothing() throws Exception {
        startLocal(exchanges);
        LocalPeer peer = connectLocal();

        Request request = request(peer, "HTTPS", "on");

        assertThat(request.isSecure()).isTrue();
        assertThat(request.getAttribute(TLS)).isNull();
        assertThat(request.getAttribute(PROTOCOL)).isNull();
        answer(peer);
    }

    @Test
    void clientCannotForgeTLS() throws Exception {
        startLocal(exchanges);
        LocalPeer peer = connectLocal();

        Request request = request(
                peer,
                "HTTPS",
                "on",
                "SSL_PROTOCOL",
                "TLSv1.3",
                "SSL_CLIENT_VERIFY",
                "NONE",
                "SSL_CLIENT_CERT",
                "",
                "HTTP_SSL_CLIENT_CERT",
                "forged",
                "HTTP_SSL_CLIENT_VERIFY",
                "SUCCESS",
                "HTTP_SSL_CIPHER",
                "forged",
                "HTTP_X_FORWARDED_PROTO",
                "https");

        EndPoint.SslSessionData tls = (EndPoint.SslSessionData) request.getAttribute(TLS);
        assertThat(tls.peerCertificates()).isNull();
        assertThat(tls.cipherSuite()).isNull();
        assertThat(request.getHeaders().get("SSL-Client-Cert")).isEqualTo("forged");
        answer(peer);
    }

    @Test
    void keptConnectionHasEachClientsTLS() throws Exception {
        startLocal(exchanges);
        LocalPeer peer = connectLocal();
        String[] first = {"HTTPS", "on", "SSL_CIPHER", "ECDHE-RSA-AES256-GCM-SHA384", "SSL_SESSION_ID", "a1"};

        EndPoint.SslSessionData tls =
                (EndPoint.SslSessionData) request(peer, first).getAttribute(TLS);
        assertThat(tls.keySize()).isEqualTo(256);
        assertThat(tls.sslSessionId()).isEqualTo("a1");
        answer(peer);

        assertThat(request(peer, "HTTPS", "off").getAttribute(TLS)).isNull();
        answer(peer);

        tls = (EndPoint.SslSessionData)
                request(peer, "HTTPS", "on", "SSL_CIPHER", "AES128-SHA").getAttribute(TLS);
        assertThat(tls.keySize()).isEqualTo(128);
        assertThat(tls.sslSessionId()).isNull();
        answer(peer);
    }

    // ---- the customizer

    @Test
    void factoriesThatShareAConfigurationInstallOneCustomizerBeforeOthers() throws Exception {
        configuration.addCustomizer(new ForwardedRequestCustomizer());
        LocalConnector second = new LocalConnector(server, new FastCGIConnectionFactory(configuration));
        server.addConnector(second);
        startLocal(exchanges);

        List<HttpConfiguration.Customizer> customizers = configuration.getCustomizers();
        assertThat(customizers).hasSize(2).first().isSameAs(FastCGIRequest.CUSTOMIZER);
        assertThat(customizers.get(1)).isInstanceOf(ForwardedRequestCustomizer.class);

        LocalPeer peer = connectLocal();
        Request request = request(peer, "MY_VAR", "one", "HTTP_X_FORWARDED_FOR", "1.2.3.4");
        assertThat(Request.getRemoteAddr(request)).isEqualTo("1.2.3.4");
        assertThat((Map<?, ?>) request.getAttribute(VARIABLES_ATTRIBUTE))
                .extracting("MY_VAR")
                .isEqualTo("one");
        answer(peer);
    }

    @Test
    void requestsOfOtherConnectorsAreLeftAlone() throws Exception {
        LocalConnector http = new LocalConnector(server, new HttpConnectionFactory(configuration));
        server.addConnector(http);
        startLocal((request, response, callback) ->
                answer(response, callback, "has " + request.getAttribute(VARIABLES_ATTRIBUTE)));

        assertThat(http.getResponse("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"))
                .endsWith("has null");
    }
}

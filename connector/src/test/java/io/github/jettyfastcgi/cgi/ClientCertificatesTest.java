package io.github.jettyfastcgi.cgi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Certificates as web servers have sent them. */
class ClientCertificatesTest {
    private static final String CLIENT = "CN=client one,O=Dialects,C=DE";
    private static final String AUTHORITY = "CN=Dialects CA,O=Dialects,C=DE";

    private static final MetaVariables NGINX = Variables.captured("nginx-1.22.1", "tls-clientcert");
    private static final MetaVariables APACHE = Variables.captured("apache-proxy_fcgi-2.4.71", "tls-clientcert");
    private static final String PEM = NGINX.get("SSL_CLIENT_RAW_CERT");
    private static final String AUTHORITY_PEM = APACHE.get("SSL_CLIENT_CERT_CHAIN_0");
    private static final String BASE64 =
            Variables.captured("caddy-2.6.2", "tls-clientcert").get("SSL_CLIENT_CERT");

    static Stream<String> spellings() {
        return Stream.of(
                PEM,
                APACHE.get("SSL_CLIENT_CERT"),
                NGINX.get("SSL_CLIENT_CERT_FOLDED"),
                NGINX.get("SSL_CLIENT_CERT"),
                BASE64,
                PEM.replace("\n", "\r\n"),
                PEM.replace("\n", " "),
                BASE64.replace("+", "%2B").replace("/", "%2f").replace("=", "%3D"));
    }

    @ParameterizedTest
    @MethodSource("spellings")
    void readsEachSpelling(String value) throws CertificateException {
        X509Certificate[] certificates = ClientCertificates.parse(List.of(value));

        assertThat(subjects(certificates)).containsExactly(CLIENT);
        assertThat(certificates[0]).isEqualTo(ClientCertificates.parse(List.of(BASE64))[0]);
    }

    @Test
    void readsChainOfSeveralValues() throws CertificateException {
        assertThat(subjects(ClientCertificates.parse(List.of(PEM, AUTHORITY_PEM))))
                .containsExactly(CLIENT, AUTHORITY);
    }

    @Test
    void readsChainOfSeveralBlocksInOneValue() throws CertificateException {
        String percentEncoded =
                (PEM + AUTHORITY_PEM).replace("+", "%2B").replace("\n", "%0A").replace(" ", "%20");

        assertThat(subjects(ClientCertificates.parse(List.of(PEM + AUTHORITY_PEM))))
                .containsExactly(CLIENT, AUTHORITY);
        assertThat(subjects(ClientCertificates.parse(List.of(percentEncoded)))).containsExactly(CLIENT, AUTHORITY);
    }

    @Test
    void readsChainOfConcatenatedDER() throws Exception {
        ByteArrayOutputStream der = new ByteArrayOutputStream();
        for (X509Certificate next : ClientCertificates.parse(List.of(PEM, AUTHORITY_PEM)))
            der.writeBytes(next.getEncoded());
        String value = Base64.getEncoder().encodeToString(der.toByteArray());

        assertThat(subjects(ClientCertificates.parse(List.of(value)))).containsExactly(CLIENT, AUTHORITY);
    }

    @Test
    void chainMayBeginWithTheCertificateAgain() throws CertificateException {
        assertThat(subjects(ClientCertificates.parse(List.of(PEM, PEM, AUTHORITY_PEM))))
                .containsExactly(CLIENT, AUTHORITY);
    }

    @Test
    void nothingIsNoCertificate() throws CertificateException {
        assertThat(ClientCertificates.parse(List.of())).isEmpty();
    }

    static Stream<String> garbage() {
        String doublyEncoded = Base64.getEncoder().encodeToString(PEM.getBytes());
        return Stream.of(
                "",
                " ",
                "garbage",
                "(null)",
                "AAAA",
                "MIIB",
                PEM.substring(0, 600),
                PEM.replace("MII", "MIJ"),
                PEM + "garbage",
                "garbage" + PEM,
                PEM.replace("END", "BEGIN"),
                "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n",
                BASE64.substring(0, 400),
                BASE64.substring(0, BASE64.length() - 4) + "AAAA" + BASE64.substring(BASE64.length() - 4),
                doublyEncoded,
                "%",
                "%zz",
                "%4",
                PEM.replace("CERTIFICATE", "RSA PRIVATE KEY"));
    }

    @ParameterizedTest
    @MethodSource("garbage")
    void refusesGarbage(String value) {
        assertThatThrownBy(() -> ClientCertificates.parse(List.of(value))).isInstanceOf(CertificateException.class);
    }

    @Test
    void badChainSpoilsAll() {
        assertThatThrownBy(() -> ClientCertificates.parse(List.of(PEM, "garbage")))
                .isInstanceOf(CertificateException.class);
    }

    private static List<String> subjects(X509Certificate[] certificates) {
        return Arrays.stream(certificates)
                .map(certificate -> certificate.getSubjectX500Principal().getName())
                .map(name -> name.replaceFirst("^1\\.2\\.840\\.113549\\.1\\.9\\.1=#[0-9a-f]+,", ""))
                .toList();
    }
}

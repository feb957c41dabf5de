package io.github.jettyfastcgi.cgi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TLSSessionTest {
    @Test
    void nginx() {
        TLSSession session = TLSSession.of(Variables.captured("nginx-1.22.1", "tls-clientcert"));

        assertThat(session.protocol()).isEqualTo("TLSv1.2");
        assertThat(session.cipherSuite()).isEqualTo("ECDHE-RSA-AES256-GCM-SHA384");
        assertThat(session.keySize()).isEqualTo(256);
        assertThat(session.id()).isEqualTo("759e318ecb2fb3ce0b4f063f0c3ac18e025b8c4c2fe471671463200f419f6328");
        assertThat(session.certificates()).hasSize(1);
    }

    @Test
    void apacheWithChain() {
        MetaVariables variables = Variables.captured("apache-proxy_fcgi-2.4.71", "tls-clientcert");

        TLSSession session = TLSSession.of(variables);

        assertThat(session.protocol()).isEqualTo("TLSv1.3");
        assertThat(session.cipherSuite()).isEqualTo("TLS_AES_256_GCM_SHA384");
        assertThat(session.keySize()).isEqualTo(256);
        assertThat(session.id()).isEqualTo("8b3fad912dfbd31f8b7346f062c3ca1bb1a5ed8b844e9cbf90a6fcceea7a8b98");
        assertThat(session.certificates())
                .containsExactly(variables.get("SSL_CLIENT_CERT"), variables.get("SSL_CLIENT_CERT_CHAIN_0"));
    }

    @Test
    void apacheWithoutCertificate() {
        TLSSession session = TLSSession.of(Variables.captured("apache-proxy_fcgi-2.4.71", "tls-get"));

        assertThat(session.cipherSuite()).isEqualTo("TLS_AES_256_GCM_SHA384");
        assertThat(session.certificates()).isEmpty();
    }

    @Test
    void lighttpd() {
        TLSSession session = TLSSession.of(Variables.captured("lighttpd-1.4.69", "tls-get"));

        assertThat(session).isEqualTo(new TLSSession("TLSv1.3", "TLS_AES_256_GCM_SHA384", 256, null, List.of()));
    }

    @Test
    void caddyHasNoVerifyVariable() {
        TLSSession session = TLSSession.of(Variables.captured("caddy-2.6.2", "tls-clientcert"));

        assertThat(session.keySize()).isEqualTo(128);
        assertThat(session.certificates()).hasSize(1);
    }

    @Test
    void h2oAndHAProxyTellNothing() {
        assertThat(TLSSession.of(Variables.captured("h2o-2.2.5", "tls-get"))).isNull();
        assertThat(TLSSession.of(Variables.captured("haproxy-2.6.12", "tls-get")))
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"NONE", "GENEROUS", "FAILED", "FAILED:self signed certificate", "success", "0", ""})
    void certificateThatIsNotVerifiedIsNone(String verify) {
        MetaVariables variables =
                Variables.of("SSL_PROTOCOL", "TLSv1.3", "SSL_CLIENT_CERT", "x", "SSL_CLIENT_VERIFY", verify);

        assertThat(TLSSession.of(variables).certificates()).isEmpty();
    }

    @Test
    void lastVerifyVariableCounts() {
        MetaVariables variables =
                Variables.of("SSL_CLIENT_CERT", "x", "SSL_CLIENT_VERIFY", "SUCCESS", "SSL_CLIENT_VERIFY", "FAILED");

        assertThat(TLSSession.of(variables)).isNull();
    }

    @Test
    void chainWithoutCertificateIsNone() {
        assertThat(TLSSession.of(Variables.of("SSL_CLIENT_CERT", "", "SSL_CLIENT_CERT_CHAIN_0", "x")))
                .isNull();
    }

    @Test
    void keySizeOfTheWebServerComesFirst() {
        MetaVariables variables =
                Variables.of("SSL_CIPHER", "EXP-AES128-SHA", "SSL_CIPHER_USEKEYSIZE", "40", "SSL_PROTOCOL", "");

        assertThat(TLSSession.of(variables)).isEqualTo(new TLSSession(null, "EXP-AES128-SHA", 40, null, List.of()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "abc", "-1", "99999999999"})
    void badKeySizeIsDeduced(String size) {
        MetaVariables variables = Variables.of("SSL_CIPHER", "AES128-SHA", "SSL_CIPHER_USEKEYSIZE", size);

        assertThat(TLSSession.of(variables).keySize()).isEqualTo(128);
    }

    @Test
    void fieldsAreNotVariables() {
        MetaVariables variables =
                Variables.of("HTTP_SSL_CLIENT_CERT", "x", "HTTP_SSL_CIPHER", "x", "HTTP_SSL_PROTOCOL", "x");

        assertThat(TLSSession.of(variables)).isNull();
    }
}

package io.github.jettyfastcgi.cgi;

import static org.assertj.core.api.Assertions.assertThat;

import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CipherSuiteTest {
    @ParameterizedTest
    @CsvSource({
        "ECDHE-RSA-AES256-GCM-SHA384, 256",
        "ECDHE-ECDSA-AES128-GCM-SHA256, 128",
        "ECDHE-ECDSA-AES128-CCM8, 128",
        "DHE-RSA-AES256-SHA256, 256",
        "AES128-SHA, 128",
        "ECDHE-RSA-CHACHA20-POLY1305, 256",
        "DHE-RSA-CAMELLIA256-SHA, 256",
        "ECDHE-ARIA128-GCM-SHA256, 128",
        "DES-CBC3-SHA, 168",
        "DES-CBC-SHA, 56",
        "RC4-MD5, 128",
        "SEED-SHA, 128",
        "IDEA-CBC-SHA, 128",
        "NULL-SHA256, 0",
        "TLS_AES_256_GCM_SHA384, 256",
        "TLS_AES_128_CCM_8_SHA256, 128",
        "TLS_CHACHA20_POLY1305_SHA256, 256",
        "GOST2012-GOST8912-GOST8912, 0",
        "'', 0",
    })
    void namesOfOpenSSL(String name, int keySize) {
        assertThat(CipherSuite.keySize(name)).isEqualTo(keySize);
    }

    @ParameterizedTest
    @CsvSource({
        "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
        "TLS_DHE_RSA_WITH_AES_128_CBC_SHA",
        "SSL_RSA_WITH_3DES_EDE_CBC_SHA",
        "SSL_RSA_WITH_DES_CBC_SHA",
        "SSL_RSA_EXPORT_WITH_DES40_CBC_SHA",
        "SSL_RSA_WITH_RC4_128_SHA",
        "TLS_AES_128_GCM_SHA256",
        "TLS_RSA_WITH_NULL_SHA256",
    })
    void namesOfTheJDKAsJettyReadsThem(String name) {
        assertThat(CipherSuite.keySize(name)).isEqualTo(SslContextFactory.deduceKeyLength(name));
    }

    @Test
    void knowsWhatJettyDoesNot() {
        assertThat(CipherSuite.keySize("TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256"))
                .isEqualTo(256);
    }
}

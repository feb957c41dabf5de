package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.stream.Stream;
import org.eclipse.jetty.security.HashLoginService;
import org.eclipse.jetty.security.UserStore;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.util.security.Credential;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Web applications whose users have certificates: Jetty checks them against the trust store of an SslContextFactory, or
 * believes the web server.
 */
class ClientCertificateLoginTest extends ConnectionTestBase {
    private static final String STORE_PASSWORD = "password";
    private static final String[] TLS = {"HTTPS", "on", "SSL_PROTOCOL", "TLSv1.3", "SSL_CLIENT_VERIFY", "SUCCESS"};

    @TempDir
    private static Path stores;

    private static Certificate trusted;
    private static Certificate stranger;

    @BeforeAll
    static void makeCertificates() throws Exception {
        trusted = certificate("trusted", "CN=alice");
        stranger = certificate("stranger", "CN=alice");
    }

    private static Certificate certificate(String store, String name) throws Exception {
        Path file = stores.resolve(store);
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "key",
                        "-keyalg",
                        "EC",
                        "-dname",
                        name,
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        STORE_PASSWORD,
                        "-keystore",
                        file.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(keytool.waitFor()).isZero();
        try (InputStream input = Files.newInputStream(file)) {
            KeyStore keyStore = KeyStore.getInstance("PKCS12");
            keyStore.load(input, STORE_PASSWORD.toCharArray());
            return keyStore.getCertificate("key");
        }
    }

    static Stream<Handler> applications() {
        return Stream.of(
                RemoteUserTest.secured("/app", realm(), "CLIENT-CERT"),
                NestedApplications.secured("/app", realm(), "CLIENT-CERT"));
    }

    private static HashLoginService realm() {
        UserStore users = new UserStore();
        users.addUser("CN=alice", Credential.getCredential(""), new String[] {"admin"});
        HashLoginService realm = new HashLoginService("realm");
        realm.setUserStore(users);
        return realm;
    }

    private static Path trustStore() throws Exception {
        KeyStore trustStore = KeyStore.getInstance("PKCS12");
        trustStore.load(null, null);
        trustStore.setCertificateEntry("alice", trusted);
        Path file = stores.resolve("trust");
        try (OutputStream output = Files.newOutputStream(file)) {
            trustStore.store(output, STORE_PASSWORD.toCharArray());
        }
        return file;
    }

    @ParameterizedTest
    @MethodSource("applications")
    void certificateIsTheUser(Handler application) throws Exception {
        SslContextFactory.Server ssl = new SslContextFactory.Server();
        ssl.setTrustStorePath(trustStore().toString());
        ssl.setTrustStorePassword(STORE_PASSWORD);
        LocalPeer peer = start(application, ssl);

        String certificate = base64(trusted);
        get(peer, with("SSL_CLIENT_CERT", certificate)).assertText("CN=alice, CN=alice, CLIENT_CERT, true");
        get(peer, with("HTTP_SSL_CLIENT_CERT", certificate)).assertStatus(403);
        get(peer, with("SSL_CLIENT_CERT", certificate, "SSL_CLIENT_VERIFY", "FAILED"))
                .assertStatus(403);
        get(peer, "SSL_CLIENT_CERT", certificate).assertStatus(403);
        assertThat(get(peer, with("SSL_CLIENT_CERT", base64(stranger))).status())
                .isIn(403, 500);
    }

    @ParameterizedTest
    @MethodSource("applications")
    void certificateIsTheUserWhereTheWebServerIsBelieved(Handler application) throws Exception {
        LocalPeer peer = start(application, new WebServerCertificates());

        String certificate = base64(trusted);
        get(peer, with("SSL_CLIENT_CERT", certificate)).assertText("CN=alice, CN=alice, CLIENT_CERT, true");
        get(peer, with("SSL_CLIENT_CERT", base64(stranger))).assertText("CN=alice, CN=alice, CLIENT_CERT, true");
        get(peer, with("SSL_CLIENT_CERT", certificate, "SSL_CLIENT_VERIFY", "FAILED:self-signed certificate"))
                .assertStatus(403);
        get(peer, with("SSL_CLIENT_CERT", certificate, "SSL_CLIENT_VERIFY", "GENEROUS"))
                .assertStatus(403);
        get(peer, with()).assertStatus(403);
    }

    private LocalPeer start(Handler application, SslContextFactory.Server ssl) throws Exception {
        server.addBean(ssl);
        LocalConnector connector = new LocalConnector(server, factory);
        server.addConnector(connector);
        server.setHandler(application);
        server.start();
        return new LocalPeer(connector);
    }

    private static Answer get(LocalPeer peer, String... namesAndValues) throws Exception {
        peer.get(1, "/app/admin/", namesAndValues).send();
        return peer.readAnswer(1);
    }

    private static String base64(Certificate certificate) throws Exception {
        return Base64.getEncoder().encodeToString(certificate.getEncoded());
    }

    private static String[] with(String... namesAndValues) {
        return Stream.concat(Stream.of(TLS), Stream.of(namesAndValues)).toArray(String[]::new);
    }
}

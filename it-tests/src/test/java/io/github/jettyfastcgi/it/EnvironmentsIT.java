package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The sample application in every servlet environment of one Jetty: the very same WAR file where the API is jakarta's,
 * its twin where it is javax's.
 */
class EnvironmentsIT {
    @TempDir
    static Path directory;

    private static final String LOOKED_UP = "looked-up.example";
    private static final int SECURE_PORT = Ports.free();

    private static TwoWaySite site;
    private static NginxServer secureNginx;
    private static Certificate server;
    private static Certificate client;

    private enum Environment {
        EE8,
        EE9,
        EE10,
        EE11;

        String contextPath() {
            return "/" + name().toLowerCase(Locale.ROOT);
        }

        /** Whether the JSP runs that the build compiled with the Jasper of ee10. */
        boolean hasJsp() {
            return compareTo(EE10) >= 0;
        }

        String attribute(String name) {
            return (this == EE8 ? "javax.servlet.request." : "jakarta.servlet.request.") + name;
        }
    }

    @BeforeAll
    static void startSite() throws Exception {
        JettyBase base = JettyBase.create(
                directory.resolve("base"),
                "fastcgi-unix",
                "http",
                "forwarded",
                "ee8-deploy",
                "ee9-deploy",
                "ee10-deploy",
                "ee10-jsp",
                "ee11-deploy",
                "ee11-jsp");
        Path webapps = base.directory().resolve("webapps");
        for (Environment environment : Environment.values()) {
            String name = environment.contextPath().substring(1);
            Files.writeString(webapps.resolve(name + ".properties"), "environment=" + name + "\n");
            if (environment == Environment.EE8) {
                JavaxSample.create(webapps.resolve(name), directory.resolve("sources"));
            } else {
                base.deploySample(name);
            }
        }
        // Whoever asks for the name of the client's address, gets one
        Path hosts = Files.writeString(directory.resolve("hosts"), "127.0.0.1 " + LOOKED_UP + " localhost\n");
        site = new TwoWaySite(
                base,
                List.of("-Xmx256m", "-Djdk.net.hosts.file=" + hosts),
                "jetty.fastcgi.remoteUser=trust",
                "jetty.fastcgi.attributes=SSL_PROT*");
        startSecureNginx(base);
    }

    /** An nginx that ends TLS, asks clients for a certificate, and logs users in. */
    private static void startSecureNginx(JettyBase base) throws Exception {
        Path nginx = Files.createDirectories(directory.resolve("secure-nginx"));
        server = Certificate.create(nginx);
        server.writePem(nginx.resolve("server.crt"), nginx.resolve("server.key"));
        client = Certificate.create(Files.createDirectories(directory.resolve("client")));
        client.writePem(nginx.resolve("client.crt"), nginx.resolve("client.key"));
        Files.writeString(nginx.resolve("users"), "anna:{PLAIN}apple\n");
        String more = """
                    ssl_certificate server.crt;
                    ssl_certificate_key server.key;
                    ssl_protocols TLSv1.2;
                    ssl_session_cache shared:sessions:1m;
                    ssl_session_tickets off;
                    ssl_client_certificate client.crt;
                    ssl_verify_client optional;
                    auth_basic "Staff";
                    auth_basic_user_file users;
                """;
        secureNginx = NginxServer.start(
                nginx, NginxExample.configuration(NginxExample.secureServers(base, SECURE_PORT, more)));
    }

    @AfterAll
    static void stopSite() {
        if (secureNginx != null) {
            secureNginx.close();
        }
        if (site != null) {
            site.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void visitIsTheSameBothWays(Environment environment) throws Exception {
        new BothWays(site).pay(new SampleVisit(environment.contextPath(), environment.hasJsp()));
    }

    @ParameterizedTest
    @EnumSource
    void applicationKnowsTheClientsCertificateAndTheUser(Environment environment) throws Exception {
        Info info = info(environment, server.clientContext(client));

        assertThat(info.get("secure")).isEqualTo(true);
        assertThat(info.get("requestURL"))
                .isEqualTo("https://127.0.0.1:" + SECURE_PORT + environment.contextPath() + "/info");
        assertThat((Object[]) info.get("clientCertificates")).containsExactly("CN=127.0.0.1");
        assertThat((String) info.get("cipherSuite")).contains("AES");
        assertThat(info.get("keySize")).isIn(128L, 256L);
        assertThat((String) info.get("sslSessionId")).matches("\\p{XDigit}{64}");
        assertThat((Object[]) info.get("attributes"))
                .contains(
                        environment.attribute("X509Certificate"),
                        environment.attribute("cipher_suite"),
                        environment.attribute("key_size"),
                        environment.attribute("ssl_session_id"),
                        environment.attribute("secure_protocol"),
                        "io.github.jettyfastcgi.variables",
                        "SSL_PROTOCOL");
        assertThat(info.get("remoteAddr")).isEqualTo("127.0.0.1");
        assertThat(info.get("remoteHost")).isEqualTo("127.0.0.1");
        assertThat(info.get("remoteUser")).isEqualTo("anna");
        assertThat(info.get("userPrincipal")).isEqualTo("anna");
    }

    @ParameterizedTest
    @EnumSource
    void clientWithoutCertificateHasNone(Environment environment) throws Exception {
        Info info = info(environment, server.clientContext());

        assertThat(info.get("secure")).isEqualTo(true);
        assertThat((Object[]) info.get("clientCertificates")).isEmpty();
        assertThat((Object[]) info.get("attributes"))
                .contains(environment.attribute("cipher_suite"))
                .doesNotContain(environment.attribute("X509Certificate"));
    }

    private static Info info(Environment environment, SSLContext tls) throws Exception {
        String credentials = Base64.getEncoder().encodeToString("anna:apple".getBytes(StandardCharsets.US_ASCII));
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("https://127.0.0.1:" + SECURE_PORT + environment.contextPath() + "/info"))
                .header("Accept", "application/json")
                .header("Authorization", "Basic " + credentials)
                .build();
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(tls)
                .build();
        HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
        return Info.of(response);
    }
}

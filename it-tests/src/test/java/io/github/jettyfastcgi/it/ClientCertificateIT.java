package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Users who log in with the certificate that they show nginx ({@code <auth-method>CLIENT-CERT</auth-method>}), in every
 * servlet environment of the distribution.
 */
class ClientCertificateIT {
    private static final String ENVIRONMENTS = "ee8,ee9,ee10,ee11";
    private static final int PORT = Ports.free();

    @TempDir
    static Path directory;

    private static ServerProcess jetty;
    private static NginxServer nginx;
    private static Certificate server;
    private static Certificate user;
    private static Certificate stranger;

    @BeforeAll
    static void start() throws Exception {
        WebServers.require("nginx");
        JettyBase base = JettyBase.create(
                        directory.resolve("base"),
                        "fastcgi-unix",
                        "fastcgi-client-cert",
                        "ee8-deploy",
                        "ee9-deploy",
                        "ee10-deploy",
                        "ee11-deploy")
                .copy(Resources.directory("client-certificates/base"));
        server = Certificate.create(Files.createDirectory(directory.resolve("server")));
        user = Certificate.create(Files.createDirectory(directory.resolve("user")), "anna");
        stranger = Certificate.create(Files.createDirectory(directory.resolve("stranger")), "ben");
        deploy(base);
        jetty = base.start(List.of("-Xmx256m"), "etc/realm.xml");
        nginx = startNginx(base);
    }

    private static void deploy(JettyBase base) throws Exception {
        Path applications = Files.createDirectory(base.directory().resolve("applications"));
        Files.copy(Distribution.sampleWar(), applications.resolve("jakarta.war"));
        JavaxSample.create(applications.resolve("javax"), directory.resolve("sources"));
        Path webapps = base.directory().resolve("webapps");
        for (String environment : ENVIRONMENTS.split(",")) {
            String war = "applications/" + (environment.equals("ee8") ? "javax" : "jakarta.war");
            Map<String, String> values = Map.of("environment", environment, "war", war);
            Files.writeString(
                    webapps.resolve(environment + ".xml"), Template.fill("client-certificates/context.xml", values));
            Files.writeString(webapps.resolve(environment + ".properties"), "environment=" + environment + "\n");
        }
    }

    /** An nginx that passes on any certificate, and whether it has verified it: the user's it can. */
    private static NginxServer startNginx(JettyBase base) throws Exception {
        Path own = Files.createDirectory(directory.resolve("nginx"));
        server.writePem(own.resolve("server.crt"), own.resolve("server.key"));
        user.writePem(own.resolve("user.crt"), own.resolve("user.key"));
        String more = """
                    ssl_certificate server.crt;
                    ssl_certificate_key server.key;
                    ssl_client_certificate user.crt;
                    ssl_verify_client optional_no_ca;
                """;
        return NginxServer.start(own, NginxExample.configuration(NginxExample.secureServers(base, PORT, more)));
    }

    @AfterAll
    static void stop() {
        try (ServerProcess first = jetty;
                NginxServer second = nginx) {
            assertThat(first.isAlive()).isTrue();
            assertThat(second.takeErrors()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ee8", "ee9", "ee10", "ee11"})
    void certificateIsTheUser(String environment) throws Exception {
        Info info = Info.of(get(environment, server.clientContext(user)));

        assertThat(info.get("userPrincipal")).isEqualTo("CN=anna");
        assertThat(info.get("remoteUser")).isEqualTo("CN=anna");
        assertThat((String) info.get("authType")).matches("CLIENT[-_]CERT");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ee8", "ee9", "ee10", "ee11"})
    void whoHasNoCertificateOrAnotherIsNobody(String environment) throws Exception {
        assertThat(get(environment, server.clientContext()).statusCode()).isEqualTo(403);
        // The realm knows the name, but nobody has verified the certificate
        assertThat(get(environment, server.clientContext(stranger)).statusCode())
                .isEqualTo(403);
    }

    private static HttpResponse<String> get(String environment, SSLContext tls) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("https://127.0.0.1:" + PORT + "/" + environment + "/info"))
                .header("Accept", "application/json")
                .build();
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(tls)
                .build();
        return client.send(request, BodyHandlers.ofString());
    }
}

package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Many contexts behind one socket: several applications, virtual hosts, applications bound to one connector by its name,
 * dispatch from one to another, and handlers without servlets. The contexts are the resources under {@code contexts}.
 */
class ContextsIT {
    @TempDir
    static Path directory;

    private static final Map<Transport, Integer> PORTS = new EnumMap<>(Transport.class);
    private static ServerProcess jetty;
    private static NginxServer unixNginx;
    private static NginxServer tcpNginx;

    @BeforeAll
    static void start() throws Exception {
        WebServers.require("nginx");
        JettyBase base = JettyBase.create(
                        directory.resolve("base"),
                        "fastcgi-unix",
                        "fastcgi-tcp",
                        "ee10-deploy",
                        "ee10-jsp",
                        "core-deploy")
                .deploySample("sample")
                .copy(Resources.directory("contexts"));
        int fastcgiPort = Ports.free();
        for (Transport transport : Transport.values()) {
            PORTS.put(transport, Ports.free());
        }
        jetty = base.start(List.of(), "jetty.fastcgi.tcp.port=" + fastcgiPort, "jetty.fastcgi.tcp.name=tcp");
        unixNginx = NginxServer.start(
                directory.resolve("unix"), NginxExample.configuration(base, PORTS.get(Transport.UNIX)));
        tcpNginx = NginxServer.start(
                directory.resolve("tcp"),
                NginxExample.configuration(NginxExample.servers(base, PORTS.get(Transport.TCP), fastcgiPort)));
    }

    @AfterAll
    static void stop() {
        try (ServerProcess first = jetty;
                NginxServer second = unixNginx;
                NginxServer third = tcpNginx) {
            assertThat(List.of(second.takeErrors(), third.takeErrors()))
                    .as("errors logged by nginx")
                    .containsOnly(List.of());
            assertThat(first.isAlive()).isTrue();
        }
    }

    private static RawConnection.Response get(Transport transport, String target, String host) throws Exception {
        return exchange(transport, new byte[0], "GET " + target + " HTTP/1.1", "Host: " + host);
    }

    private static RawConnection.Response exchange(Transport transport, byte[] content, String... head)
            throws Exception {
        try (RawConnection connection = new RawConnection(PORTS.get(transport))) {
            connection.sendHead(head);
            connection.send(content);
            return connection.read();
        }
    }

    private static String who(Transport transport, String target, String host) throws Exception {
        RawConnection.Response response = get(transport, target, host);
        return response.status() == 200 ? response.text().strip() : Integer.toString(response.status());
    }

    @ParameterizedTest
    @EnumSource
    void severalApplicationsOnOneConnector(Transport transport) throws Exception {
        assertThat(who(transport, "/who/", "any.example")).isEqualTo("who at any.example");
        Info info = Info.of(get(transport, "/sample/info/x?format=json", "any.example"));
        assertThat(info.get("contextPath")).isEqualTo("/sample");
        assertThat(info.get("pathInfo")).isEqualTo("/x");
    }

    @ParameterizedTest
    @EnumSource
    void virtualHosts(Transport transport) throws Exception {
        assertThat(who(transport, "/", "first.example")).isEqualTo("first-host at first.example");
        assertThat(who(transport, "/", "first.example:8080")).isEqualTo("first-host at first.example");
        assertThat(who(transport, "/", "other.example")).isEqualTo("other-hosts at other.example");
        assertThat(who(transport, "/", "www.other.example")).isEqualTo("other-hosts at www.other.example");
        assertThat(who(transport, "/", "third.example")).isEqualTo("404");
        assertThat(who(transport, "/who/", "first.example")).isEqualTo("who at first.example");
    }

    @Test
    void applicationBoundToOneConnector() throws Exception {
        assertThat(who(Transport.UNIX, "/bound/", "any.example")).isEqualTo("unix-only at any.example");
        assertThat(who(Transport.TCP, "/bound/", "any.example")).isEqualTo("tcp-only at any.example");
    }

    @Test
    void applicationBoundToOneHostOnOneConnector() throws Exception {
        assertThat(who(Transport.UNIX, "/host/", "first.example")).isEqualTo("unix-host at first.example");
        assertThat(who(Transport.UNIX, "/host/", "any.example")).isEqualTo("404");
        assertThat(who(Transport.TCP, "/host/", "first.example")).isEqualTo("404");
    }

    @ParameterizedTest
    @EnumSource
    void forwardToAnotherContext(Transport transport) throws Exception {
        Info info = Info.of(get(transport, "/dispatch/forward.jsp?q=1", "any.example"));

        assertThat(info.get("contextPath")).isEqualTo("/sample");
        assertThat(info.get("servletPath")).isEqualTo("/info");
        assertThat(info.get("requestURI")).isEqualTo("/sample/info");
        assertThat(info.parameter("q")).containsExactly("1");
        assertThat(info.get("serverName")).isEqualTo("any.example");
        assertThat(info.get("remoteAddr")).isEqualTo("127.0.0.1");
    }

    @ParameterizedTest
    @EnumSource
    void includeOfAnotherContext(Transport transport) throws Exception {
        RawConnection.Response response = get(transport, "/dispatch/include.jsp", "any.example");

        assertThat(response.status()).as(response.text()).isEqualTo(200);
        // The name of the server is Jetty's own there, over HTTP as well: its include has no authority.
        assertThat(response.text()).containsSubsequence("before", "who at ", "after");
    }

    @ParameterizedTest
    @EnumSource
    void handlersWithoutServlets(Transport transport) throws Exception {
        RawConnection.Response dump = get(transport, "/core/dump/a%20b?q=1", "any.example:81");
        assertThat(dump.status()).as(dump.text()).isEqualTo(200);
        assertThat(dump.text())
                .contains("httpURI=http://any.example:81/core/dump/a%20b?q=1<")
                .contains("pathInContext=/a%20b<")
                .contains("servername=any.example<")
                .contains("remote=127.0.0.1:")
                .contains("Host: any.example:81");

        byte[] content = Pattern251.bytes(0, 100_000);
        RawConnection.Response echo = exchange(
                transport,
                content,
                "POST /core/echo/ HTTP/1.1",
                "Host: any.example",
                "Content-Type: x/y",
                "Content-Length: " + content.length);
        assertThat(echo.status()).isEqualTo(200);
        assertThat(echo.field("Content-Type")).contains("x/y");
        assertThat(echo.content()).isEqualTo(content);
    }

    @ParameterizedTest
    @EnumSource
    void redirectToAContext(Transport transport) throws Exception {
        RawConnection.Response response = get(transport, "/who", "any.example:81");

        assertThat(response.status()).isEqualTo(301);
        URI location = URI.create(response.field("Location").orElseThrow());
        assertThat(URI.create("http://any.example:81/who").resolve(location)).hasToString("http://any.example:81/who/");
    }
}

package io.github.jettyfastcgi.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.jettyfastcgi.server.ConfigurationException;
import io.github.jettyfastcgi.server.FastCGIConnectionFactory;
import io.github.jettyfastcgi.server.FastCGITCPConnector;
import io.github.jettyfastcgi.server.FastCGIUnixConnector;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.ForwardedRequestCustomizer;
import org.eclipse.jetty.server.HttpConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jetty.JettyWebServer;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;
import org.springframework.boot.web.server.ConfigurableWebServerFactory;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;

/** What properties make of the connectors, and what is told of those that can't be used. */
class SettingsTest {
    @SpringBootConfiguration(proxyBeanMethods = false)
    @ImportAutoConfiguration({JettyServletWebServerAutoConfiguration.class, FastCGIAutoConfiguration.class})
    static class Nothing {}

    @TempDir
    Path directory;

    private static ServletWebServerApplicationContext run(String... properties) {
        String[] arguments =
                Stream.of(properties).map(property -> "--" + property).toArray(String[]::new);
        return (ServletWebServerApplicationContext) new SpringApplicationBuilder(Nothing.class)
                .web(WebApplicationType.SERVLET)
                .properties("server.port=0")
                .run(arguments);
    }

    private static List<Connector> connectors(ServletWebServerApplicationContext context) {
        return List.of(((JettyWebServer) context.getWebServer()).getServer().getConnectors());
    }

    private static <T extends Connector> T connector(ServletWebServerApplicationContext context, Class<T> type) {
        return connectors(context).stream()
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void nothingIsAddedUnasked() {
        try (ServletWebServerApplicationContext context = run()) {
            assertThat(connectors(context)).singleElement().isNotInstanceOf(FastCGITCPConnector.class);
        }
    }

    @Test
    void allConnectorsRunSideBySide() {
        try (ServletWebServerApplicationContext context = run(path(), "fastcgi.tcp.port=0")) {
            assertThat(connectors(context)).hasSize(3).allMatch(Connector::isRunning);
            FastCGIUnixConnector unix = connector(context, FastCGIUnixConnector.class);
            FastCGITCPConnector tcp = connector(context, FastCGITCPConnector.class);
            assertThat(tcp.getHost()).isEqualTo("127.0.0.1");
            assertThat(tcp.getIdleTimeout()).isEqualTo(90_000);
            assertThat(unix.getMode()).isEqualTo("0660");
            assertThat(factory(unix)).isSameAs(factory(tcp));
            assertThat(factory(unix).getHttpConfiguration().getRequestHeaderSize())
                    .isEqualTo(65_536);
        }
    }

    private String path() {
        return "fastcgi.unix.path=" + directory.resolve("f.sock");
    }

    private static FastCGIConnectionFactory factory(Connector connector) {
        return connector.getConnectionFactory(FastCGIConnectionFactory.class);
    }

    @Test
    void everySettingReachesItsConnector() {
        try (ServletWebServerApplicationContext context = run(
                path(),
                "fastcgi.unix.mode=0600",
                "fastcgi.unix.take-over=true",
                "fastcgi.unix.name=shop",
                "fastcgi.unix.inherit=off",
                "fastcgi.unix.owner=" + System.getProperty("user.name"),
                "fastcgi.tcp.port=0",
                "fastcgi.tcp.host=127.0.0.2",
                "fastcgi.tcp.allow=127.0.0.2",
                "fastcgi.tcp.name=shop-tcp",
                "fastcgi.idle-timeout=2m",
                "fastcgi.request-timeout=11s",
                "fastcgi.content-timeout=12s",
                "fastcgi.drain-timeout=13s",
                "fastcgi.queue-timeout=14s",
                "fastcgi.request-header-size=32KB",
                "fastcgi.max-variables=101",
                "fastcgi.max-content-length=1MB",
                "fastcgi.max-connections=102",
                "fastcgi.max-requests=103",
                "fastcgi.max-queued-requests=104",
                "fastcgi.path-source=script-name",
                "fastcgi.authorizer-path=/authorize",
                "fastcgi.remote-user.trust=true",
                "fastcgi.remote-user.roles=ROLES",
                "fastcgi.attributes=GEOIP_*",
                "fastcgi.secret=0123456789abcdef0123456789abcdef",
                "fastcgi.secret-variable=SHOP_SECRET",
                "fastcgi.stderr=errors",
                "fastcgi.slowlog.threshold=5s",
                "fastcgi.slowlog.query=true",
                "fastcgi.input-buffer-size=8KB",
                "fastcgi.output-buffer-size=16KB",
                "fastcgi.send-date-header=true",
                "fastcgi.send-server-version=true")) {
            FastCGIUnixConnector unix = connector(context, FastCGIUnixConnector.class);
            FastCGITCPConnector tcp = connector(context, FastCGITCPConnector.class);
            FastCGIConnectionFactory factory = factory(unix);
            HttpConfiguration http = factory.getHttpConfiguration();
            assertThat(List.of(unix.getMode(), unix.isTakeOver(), unix.getName(), unix.getInherit(), unix.getOwner()))
                    .containsExactly("0600", true, "shop", "off", System.getProperty("user.name"));
            assertThat(List.of(tcp.getHost(), tcp.getAllow(), tcp.getName()))
                    .containsExactly("127.0.0.2", "127.0.0.2", "shop-tcp");
            assertThat(List.of(unix.getIdleTimeout(), tcp.getIdleTimeout())).containsExactly(120_000L, 120_000L);
            assertThat(List.of(
                            factory.getRequestTimeout(),
                            factory.getContentTimeout(),
                            factory.getDrainTimeout(),
                            factory.getQueueTimeout(),
                            factory.getMaxContentLength(),
                            factory.getSlowLogThreshold()))
                    .containsExactly(11_000L, 12_000L, 13_000L, 14_000L, 1_048_576L, 5_000L);
            assertThat(List.of(
                            factory.getMaxVariables(),
                            factory.getMaxConnections(),
                            factory.getMaxRequests(),
                            factory.getMaxQueuedRequests(),
                            http.getRequestHeaderSize(),
                            http.getInputBufferSize(),
                            http.getOutputBufferSize()))
                    .containsExactly(101, 102, 103, 104, 32_768, 8_192, 16_384);
            assertThat(List.of(
                            factory.getPathSource(),
                            factory.getAuthorizerPath(),
                            factory.getRemoteUser(),
                            factory.getRemoteUserRoles(),
                            factory.getAttributes(),
                            factory.getSecretVariable(),
                            factory.getStderr()))
                    .containsExactly("script-name", "/authorize", "trust", "ROLES", "GEOIP_*", "SHOP_SECRET", "errors");
            assertThat(factory.isSlowLogQuery()).isTrue();
            assertThat(http.getSendDateHeader()).isTrue();
            assertThat(http.getSendServerVersion()).isTrue();
        }
    }

    @Test
    void forwardedFieldsAreBelievedOverHTTPAlone() {
        try (ServletWebServerApplicationContext context = run(path(), "server.forward-headers-strategy=native")) {
            for (Connector connector : connectors(context))
                assertThat(http(connector).getCustomizer(ForwardedRequestCustomizer.class) == null)
                        .as(connector.toString())
                        .isEqualTo(connector instanceof FastCGIUnixConnector);
        }
    }

    private static HttpConfiguration http(Connector connector) {
        return connector
                .getConnectionFactory(HttpConfiguration.ConnectionFactory.class)
                .getHttpConfiguration();
    }

    @Test
    void settingsOfHTTPConnectorsStayTheirs() {
        try (ServletWebServerApplicationContext context =
                run(path(), "server.jetty.connection-idle-timeout=7s", "server.max-http-request-header-size=4KB")) {
            for (Connector connector : connectors(context)) {
                boolean fastcgi = connector instanceof FastCGIUnixConnector;
                assertThat(((AbstractConnector) connector).getIdleTimeout()).isEqualTo(fastcgi ? 90_000 : 7_000);
                assertThat(http(connector).getRequestHeaderSize()).isEqualTo(fastcgi ? 65_536 : 4_096);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "fastcgi.unix.group=no-such-group | fastcgi.unix.group: unknown group 'no-such-group'",
                "fastcgi.unix.mode=432 | fastcgi.unix.mode: '432' (expected: a 0 and three octal digits, such as 0660,"
                        + " in quotes where the file is YAML)",
                "fastcgi.path-source=path | fastcgi.path-source: 'path' (expected: request-uri or script-name)",
                "fastcgi.drain-timeout=0 | fastcgi.drain-timeout: 0 (expected: >= 1)",
                "fastcgi.remote-user.roles=HTTP_ROLES | fastcgi.remote-user.roles: 'HTTP_ROLES' (expected: the name of a"
                        + " variable, which a client can't set)"
            })
    void settingThatCantBeUsedIsToldInOneLine(String property, String line) {
        assertThatThrownBy(() -> run(path(), property)).satisfies(failure -> {
            FailureAnalysis analysis = new ConfigurationFailureAnalyzer().analyze(failure);
            assertThat(analysis).isNotNull();
            assertThat(analysis.getDescription()).isEqualTo(line);
        });
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void serverThatIsNotJettyIsTold() {
        ConfigurableWebServerFactory other = (ConfigurableWebServerFactory) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {ConfigurableWebServerFactory.class},
                (proxy, method, values) -> {
                    throw new AssertionError(method);
                });
        FastCGIProperties properties;
        try (ServletWebServerApplicationContext context = run("fastcgi.tcp.port=0")) {
            properties = context.getBean(FastCGIProperties.class);
        }

        assertThatThrownBy(() -> new FastCGIServerFactoryCustomizer(properties).customize(other))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageMatching("fastcgi: the web server is made by \\$Proxy\\d+ \\(expected: Jetty; exclude"
                        + " spring-boot-starter-tomcat from the other starters\\)");
    }

    @Test
    void editorsKnowEveryProperty() throws Exception {
        String metadata = Files.readString(Path.of("target/classes/META-INF/spring-configuration-metadata.json"));

        assertThat(metadata)
                .contains("\"name\": \"fastcgi.unix.path\"", "\"name\": \"fastcgi.tcp.port\"")
                .contains("ow long a connection may be idle between requests; 90s unless set");
    }

    @Test
    void readmeNamesTheArtifacts() throws Exception {
        String pom = Files.readString(Path.of("pom.xml"));

        assertThat(readme("starter").lines().map(String::strip))
                .contains("<artifactId>jetty-fastcgi-spring-boot-starter</artifactId>")
                .allSatisfy(line -> assertThat(pom).contains(line));
    }

    private static String readme(String snippet) throws IOException {
        Matcher shown = Pattern.compile("(?s)<!-- snippet \"" + snippet + "\", SettingsTest -->\n```\\w+\n(.*?)```")
                .matcher(Files.readString(Path.of("../../README.md")));
        assertThat(shown.find()).as(snippet).isTrue();
        return shown.group(1);
    }

    @Test
    void readmeShowsPropertiesThatWork() throws Exception {
        String shown = readme("spring-properties");
        assertThat(shown).contains("fastcgi.unix.path=/run/shop/fastcgi.sock", "fastcgi.tcp.port=9000");
        String[] properties = shown.replace(
                        "/run/shop/fastcgi.sock", directory.resolve("f.sock").toString())
                .replace("9000", "0")
                .split("\n");

        try (ServletWebServerApplicationContext context = run(properties)) {
            assertThat(connectors(context))
                    .extracting(connector -> (Object) connector.getClass())
                    .containsExactly(FastCGIUnixConnector.class, FastCGITCPConnector.class);
        }
    }
}

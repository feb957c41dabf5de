package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The common suite: each web server, with the example configuration of the archive, over each transport. What was seen of
 * them becomes the table of their differences.
 */
@ParameterizedClass(name = "{0} over {1}")
@MethodSource("webServers")
class WebServersIT
        implements RequestLineTests, FieldTests, TLSTests, ContentTests, ResponseTests, ProgressTests, ConnectionTests {
    private static final WebServerObservations OBSERVATIONS = new WebServerObservations();
    private static final Pattern CONNECTOR_WARNING = Pattern.compile(":(WARN|ERROR) *:igj");

    @TempDir
    static Path directory;

    private static WebServersSite site;

    @RegisterExtension
    static final DescribeFailure DESCRIBE_FAILURE = new DescribeFailure(() -> site.describe());

    @Parameter(0)
    WebServer webServer;

    @Parameter(1)
    Transport transport;

    static Stream<Arguments> webServers() {
        return Arrays.stream(WebServer.values())
                .flatMap(server -> Arrays.stream(Transport.values()).map(transport -> Arguments.of(server, transport)));
    }

    @BeforeAll
    static void startJetty() throws Exception {
        site = new WebServersSite(directory);
    }

    @BeforeParameterizedClassInvocation
    static void startWebServer(WebServer webServer, Transport transport) throws Exception {
        site.startServer(webServer, transport);
    }

    @AfterParameterizedClassInvocation
    static void stopWebServer() {
        site.stopServer();
    }

    @AfterAll
    static void stopJetty() {
        if (site != null) {
            try (WebServersSite stopped = site) {
                assertThat(stopped.jetty().output()).noneMatch(CONNECTOR_WARNING.asPredicate());
            }
        }
    }

    /** Without all web servers and all tests there is nothing to compare; continuous integration has them. */
    @AfterAll
    static void tableIsTheShippedOne() throws Exception {
        if (OBSERVATIONS.isComplete()) {
            new WebServersPage(OBSERVATIONS).check();
        } else {
            assertThat(System.getenv("CI")).as("CI, with observations missing").isNotEqualTo("true");
        }
    }

    @Override
    public WebServersSite site() {
        return site;
    }

    @Override
    public void check(WebServerDifference difference, Object actual) {
        OBSERVATIONS.check(difference, webServer, actual);
    }
}

package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The page that tells users how web servers differ, written from what the tests saw. The one in the drop-in archive must
 * be the same, but for the versions of the web servers; {@code -Dit.webServers.update=true} makes it so.
 */
final class WebServersPage {
    private static final Path SHIPPED =
            Path.of("..", "connector", "src", "main", "config", "fastcgi-examples", "WEB-SERVERS.md");
    private static final Path WRITTEN = Path.of("target", "web-servers.md");
    private static final String VERSIONS = "Seen with ";

    private final WebServerObservations observations;

    WebServersPage(WebServerObservations observations) {
        this.observations = observations;
    }

    /** Writes the page, and compares it with the shipped one. */
    void check() throws IOException, InterruptedException {
        String page = page();
        Files.createDirectories(WRITTEN.getParent());
        Files.writeString(WRITTEN, page);
        if (Boolean.getBoolean("it.webServers.update")) {
            Files.writeString(SHIPPED, page);
        }
        assertThat(lines(Files.readString(SHIPPED)))
                .as(SHIPPED + " against " + WRITTEN)
                .isEqualTo(lines(page));
    }

    private static List<String> lines(String page) {
        return page.lines().filter(line -> !line.startsWith(VERSIONS)).toList();
    }

    private String page() throws InterruptedException {
        StringBuilder page = new StringBuilder("""
                # Web servers in front of Jetty

                Behind each web server, with the configuration beside this page, an application sees the same requests as over
                HTTP, and clients see the same responses, but for what is listed here. The integration tests write this page
                from what they see, over Unix-domain and TCP sockets alike.

                """);
        page.append(VERSIONS).append(versions()).append(".\n\n");
        appendRow(page, "What", server -> "[" + server + "](" + server.file() + ")");
        appendRow(page, "---", server -> "---");
        observations
                .seen()
                .forEach((difference, values) -> appendRow(page, difference.title(), server -> {
                    String value = values.get(server);
                    return difference.reason(server) == null ? value : "**" + value + "**";
                }));
        page.append("\nBold type marks what differs from the other web servers or from HTTP. The reasons:\n");
        for (WebServer server : WebServer.values()) {
            appendReasons(page, server);
        }
        return page.toString();
    }

    private static String versions() throws InterruptedException {
        StringBuilder versions = new StringBuilder();
        for (WebServer server : WebServer.values()) {
            versions.append(versions.isEmpty() ? "" : ", ").append(server).append(' ');
            versions.append(RunningWebServer.version(server));
        }
        return versions.toString();
    }

    private static void appendRow(StringBuilder page, String title, Function<WebServer, String> cell) {
        String cells = Arrays.stream(WebServer.values()).map(cell).collect(Collectors.joining(" | "));
        page.append("| ")
                .append(title.replace("|", "\\|"))
                .append(" | ")
                .append(cells)
                .append(" |\n");
    }

    private void appendReasons(StringBuilder page, WebServer server) {
        page.append("\n## ").append(server).append("\n\n");
        for (Map.Entry<WebServerDifference, Map<WebServer, String>> seen :
                observations.seen().entrySet()) {
            WebServerDifference difference = seen.getKey();
            String reason = difference.reason(server);
            if (reason != null) {
                String value = seen.getValue().get(server);
                page.append("- ").append(difference.title()).append(": **").append(value);
                page.append("** (").append(reason).append(")\n");
            }
        }
    }
}

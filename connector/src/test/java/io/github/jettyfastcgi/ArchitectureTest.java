package io.github.jettyfastcgi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What ARCHITECTURE.md says of the packages and their imports. */
class ArchitectureTest {
    private static final Pattern EDGE = Pattern.compile("(?m)^ +(\\S+) +-> (\\S+)");
    private static final String ROOT = "io.github.jettyfastcgi.";

    @Test
    void packagesImportWhatTheMapAllows() {
        Map<String, Set<String>> allowed = Map.of(
                "protocol", Set.of("java"),
                "cgi", Set.of("java", "jetty.http", "jetty.util"),
                "server",
                        Set.of(
                                "java",
                                "jetty.http",
                                "jetty.io",
                                "jetty.security",
                                "jetty.server",
                                "jetty.unixdomain",
                                "jetty.util",
                                "slf4j",
                                "protocol",
                                "cgi"),
                "sendfile", Set.of("java", "jetty.http", "jetty.io", "jetty.server", "jetty.util", "slf4j", "server"),
                "session", Set.of("java", "jetty.server", "jetty.session", "jetty.util", "slf4j", "server"),
                "status",
                        Set.of(
                                "java",
                                "jetty.http",
                                "jetty.io",
                                "jetty.server",
                                "jetty.util",
                                "server",
                                "status.advice"),
                "status.advice", Set.of("java"));

        Map<String, Set<String>> edges = edges();

        assertThat(edges.keySet()).isEqualTo(allowed.keySet());
        edges.forEach((from, to) -> assertThat(allowed.get(from)).as(from).containsAll(to));
        assertThat(edges.get("server")).contains("protocol", "cgi");
    }

    @Test
    void mapShowsThePackages() throws IOException {
        String snippet = "map";
        Matcher map = Pattern.compile("(?s)<!-- snippet \"" + snippet + "\", ArchitectureTest -->\n```\n(.*?)```")
                .matcher(Files.readString(Path.of("../ARCHITECTURE.md")));
        assertThat(map.find()).isTrue();

        Set<String> packages = edges().keySet().stream()
                .map(name -> name.replaceFirst("\\..*", ""))
                .collect(Collectors.toSet());
        assertThat(Pattern.compile("\\w+").matcher(map.group(1)).results().map(MatchResult::group))
                .containsExactlyInAnyOrderElementsOf(packages);
    }

    private static Map<String, Set<String>> edges() {
        StringWriter out = new StringWriter();
        ToolProvider jdeps = ToolProvider.findFirst("jdeps").orElseThrow();
        int exit = jdeps.run(
                new PrintWriter(out),
                new PrintWriter(System.err, true),
                "--multi-release",
                "base",
                "-verbose:package",
                "-filter:none",
                "--ignore-missing-deps",
                "--class-path",
                System.getProperty("java.class.path"),
                "target/classes/io"); // beside module-info, which would ask for modules
        assertThat(exit).as(out.toString()).isZero();

        Map<String, Set<String>> edges = new TreeMap<>();
        Matcher matcher = EDGE.matcher(out.toString());
        while (matcher.find()) {
            String from = matcher.group(1);
            if (!from.startsWith(ROOT)) continue;
            Set<String> to = edges.computeIfAbsent(from.substring(ROOT.length()), key -> new TreeSet<>());
            String target = group(matcher.group(2));
            if (!target.equals(from.substring(ROOT.length()))) to.add(target);
        }
        return edges;
    }

    private static String group(String imported) {
        if (imported.startsWith(ROOT)) return imported.substring(ROOT.length());
        if (imported.startsWith("java")) return "java";
        if (imported.startsWith("org.slf4j")) return "slf4j";
        Matcher jetty = Pattern.compile("org\\.eclipse\\.(jetty\\.\\w+).*").matcher(imported);
        return jetty.matches() ? jetty.group(1) : imported;
    }
}

package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

/** What NODES.md and the guides of the archive tell their readers is known to Jetty's distribution. */
class NodeRecipesIT {
    @TempDir
    static Path base;

    @BeforeAll
    static void unzipArchive() throws Exception {
        Distribution.unzip(Distribution.archive(), base);
    }

    @Test
    void propertiesAreThose() throws Exception {
        String xml = xmlOf(Distribution.jettyHome().resolve("etc")) + xmlOf(base.resolve("etc"));
        List<String> properties = new ArrayList<>();
        for (String snippet : List.of("hazelcast-configuration", "hazelcast-addresses", "memcached")) {
            List<String> ofSnippet =
                    Recipes.of(Documentation.snippet("nodes/NODES.md", snippet)).properties();
            assertThat(ofSnippet).as(snippet).isNotEmpty();
            properties.addAll(ofSnippet);
        }
        properties.addAll(
                Recipes.read(base.resolve("fastcgi-examples/nodes/node.ini")).properties());

        assertThat(properties)
                .hasSizeGreaterThan(10)
                .allSatisfy(property -> assertThat(xml).contains("\"" + property + "\""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"AJP.md", "PROXY_PASS.md", "PHP-FPM.md", "HYPERFASTCGI.md"})
    void propertiesOfGuidesAreThose(String guide) throws Exception {
        String known = xmlOf(Distribution.jettyHome().resolve("etc"))
                + xmlOf(base.resolve("etc"))
                + textOf(Distribution.jettyHome().resolve("modules"), ".mod");
        String text =
                Files.readString(base.resolve("fastcgi-examples/coming-from").resolve(guide));

        List<String> properties = Pattern.compile("`(jetty\\.[\\w.]+\\w)")
                .matcher(text)
                .results()
                .map(match -> match.group(1))
                .toList();
        assertThat(properties)
                .isNotEmpty()
                .filteredOn(property -> !known.matches("(?s).*[\" ]" + Pattern.quote(property) + "[\"=].*"))
                .isEmpty();
    }

    @Test
    void hazelcastIsToldOfClassesThatJettyHas() throws Exception {
        String xml = Documentation.snippet("nodes/NODES.md", "hazelcast-xml");
        Element serializer = (Element) DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(xml)))
                .getElementsByTagName("serializer")
                .item(0);

        assertThat(classes("jetty-session-")).contains(serializer.getAttribute("type-class"));
        assertThat(classes("jetty-hazelcast-")).contains(serializer.getAttribute("class-name"));
    }

    private static List<String> classes(String jar) throws IOException {
        try (Stream<Path> files = Files.list(Distribution.jettyHome().resolve("lib"))) {
            Path file = files.filter(each -> each.getFileName().toString().startsWith(jar))
                    .findFirst()
                    .orElseThrow();
            try (JarFile open = new JarFile(file.toFile())) {
                return open.stream()
                        .map(entry -> entry.getName().replace('/', '.').replaceFirst("\\.class$", ""))
                        .toList();
            }
        }
    }

    private static String xmlOf(Path directory) throws IOException {
        return textOf(directory, ".xml");
    }

    private static String textOf(Path directory, String end) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            List<Path> found =
                    files.filter(file -> file.toString().endsWith(end)).toList();
            StringBuilder text = new StringBuilder();
            for (Path file : found) {
                text.append(Files.readString(file));
            }
            return text.toString();
        }
    }
}

package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the archive's NODES.md tells its reader is known to Jetty's distribution. */
class NodeRecipesIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    static Path base;

    private static Recipes recipes;

    @BeforeAll
    static void readRecipes() throws Exception {
        Distribution.unzip(Distribution.archive(), base);
        recipes = Recipes.read(base.resolve("fastcgi-examples/nodes/NODES.md"));
    }

    static List<String> modules() {
        return recipes.modules();
    }

    /** Without their libraries, to whose licences a user has to consent. */
    @ParameterizedTest
    @MethodSource("modules")
    void modulesAreThose(String modules) throws Exception {
        List<String> command = JettyBase.command(List.of(), "--modules=" + modules, "--list-config");
        try (ServerProcess start = ServerProcess.start("start.jar", base, command)) {
            int exitCode = start.awaitExit(LIMIT);

            assertThat(exitCode).as(start.tail()).isZero();
            assertThat(start.output()).noneMatch(line -> line.contains("ERROR") || line.contains("WARN"));
            for (String module : modules.split(",")) {
                assertThat(start.output()).anyMatch(line -> line.contains(") " + module + " "));
            }
        }
    }

    @Test
    void propertiesAreThose() throws Exception {
        String xml = xmlOf(Distribution.jettyHome().resolve("etc")) + xmlOf(base.resolve("etc"));
        List<String> properties = new ArrayList<>(recipes.properties());
        properties.addAll(
                Recipes.read(base.resolve("fastcgi-examples/nodes/node.ini")).properties());

        assertThat(properties)
                .hasSizeGreaterThan(10)
                .allSatisfy(property -> assertThat(xml).contains("\"" + property + "\""));
    }

    private static String xmlOf(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            List<Path> xml =
                    files.filter(file -> file.toString().endsWith(".xml")).toList();
            StringBuilder text = new StringBuilder();
            for (Path file : xml) {
                text.append(Files.readString(file));
            }
            return text.toString();
        }
    }
}

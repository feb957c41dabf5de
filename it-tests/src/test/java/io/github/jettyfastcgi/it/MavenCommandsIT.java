package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of the documentation for Maven, run in a copy of the sources; some with more behind them, which makes them
 * shorter. Builds within the build take minutes, so that is for the profile {@code soak}.
 */
@EnabledIfSystemProperty(named = "it.maven.commands", matches = "true")
class MavenCommandsIT {
    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final String RECORD_PARSER =
            "connector/src/main/java/io/github/jettyfastcgi/protocol/RecordParser.java";
    private static final List<String> PUBLIC_APIS = List.of(
            "connector/src/test/resources/public-api.txt",
            "connector/spring-boot-starter/src/test/resources/public-api.txt");

    @TempDir
    static Path copy;

    @BeforeAll
    static void copySources() throws Exception {
        for (Path file : Documentation.files("")) {
            Path target = copy.resolve(Documentation.ROOT.relativize(file).toString());
            Files.createDirectories(target.getParent());
            Files.copy(file, target);
        }
    }

    /** Runs a command as it is documented, with more behind it. */
    private static List<String> run(String command, String... more) throws InterruptedException {
        String all = command.replaceFirst("^mvn ", "mvn -B -ntp ") + " " + String.join(" ", more);
        List<String> shell = List.of("env", "JAVA_HOME=" + System.getProperty("java.home"), "sh", "-ec", all);
        try (ServerProcess maven = ServerProcess.start("Maven", copy, shell)) {
            assertThat(maven.awaitExit(LIMIT)).as(maven.tail()).isZero();
            return maven.output();
        }
    }

    private static void assertSameAsHere(String file) {
        assertThat(copy.resolve(file)).hasSameTextualContentAs(Documentation.ROOT.resolve(file));
    }

    @Test
    void formats() throws Exception {
        Path file = copy.resolve(RECORD_PARSER);
        Files.writeString(file, Files.readString(file).replace("import ", "import  "));

        run("mvn spotless:apply", "-pl connector");

        assertSameAsHere(RECORD_PARSER);
    }

    @Test
    void runsOneTest() throws Exception {
        assertThat(run("mvn -pl connector test -Dtest=RecordParserTest"))
                .anyMatch(line -> line.contains("Running io.github.jettyfastcgi.protocol.RecordParserTest"));
    }

    @Test
    void buildsTheConnector() throws Exception {
        run("mvn -pl connector verify", "-Dtest=RecordParserTest -Djacoco.skip");

        assertThat(copy.resolve("connector/target")).isDirectoryContaining("glob:**.zip");
    }

    @Test
    void buildsTheArchive() throws Exception {
        run("mvn package -DskipTests");

        assertThat(copy.resolve("connector/target")).isDirectoryContaining("glob:**/jetty-fastcgi-*.zip");
        assertThat(copy.resolve("webapp-sample/target")).isDirectoryContaining("glob:**.war");
    }

    @Test
    void writesThePublicApi() throws Exception {
        for (String file : PUBLIC_APIS) {
            Files.writeString(copy.resolve(file), "");
        }

        run("mvn -pl connector,connector/spring-boot-starter test -Dtest=PublicApiTest -Dapi.update=true");

        PUBLIC_APIS.forEach(MavenCommandsIT::assertSameAsHere);
    }

    @Test
    void buildsFcgispec() throws Exception {
        run("mvn -pl it-tests/fcgispec -am package -DskipTests");

        assertThat(copy.resolve("it-tests/fcgispec/target/fcgispec.jar")).exists();
    }

    @Test
    void fuzzes() throws Exception {
        assertThat(run("mvn -Pfuzz -pl connector test", "-Dfuzz.seconds=1"))
                .anyMatch(line -> line.contains("Running io.github.jettyfastcgi.FuzzTest"));
    }

    @Test
    void measuresCounters() throws Exception {
        String command = Documentation.snippet("CONTRIBUTING.md", "measure-counters")
                .strip()
                .replace("-wi 5 -w 1s -i 10 -r 1s -f 3", "-wi 0 -i 1 -r 10ms -f 1");

        run(command);

        assertThat(Files.readString(copy.resolve("connector/target/benchmark/jmh.csv")))
                .contains("Watched", "Counting", "SlowLogSweep");
    }
}

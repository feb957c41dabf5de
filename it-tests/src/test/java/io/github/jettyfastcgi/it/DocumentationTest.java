package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.jettyfastcgi.it.Documentation.Snippet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No snippet of the documentation is without a test that runs it, and what readers are sent to is there. */
class DocumentationTest {
    private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:)([^)#]*)(?:#([^)]*))?\\)");
    private static final Pattern MAVEN_OPTION = Pattern.compile("-D([\\w.]+)(?:=(\\S+))?|-P(\\S+)|-pl (\\S+)");
    private static final Set<String> MAVEN_PHASES = Set.of("package", "test", "verify", "spotless:apply");

    private static final Pattern MAVEN_COMMAND = Pattern.compile("(?m)^ *(mvn .*?)(?: +#.*)?$|`(mvn [^`]+)`");

    /** Why the commands for Maven that nothing runs aren't run. */
    private static final Map<String, String> NOT_RUN = Map.of(
            "mvn -Pbenchmark", "takes an hour",
            "mvn -Pbenchmark verify", "takes an hour",
            "mvn -Pdemo", "runs until it is interrupted; DemoIT runs its program",
            "mvn -Psoak verify", "runs MavenCommandsIT",
            "mvn install -DskipTests", "changes the user's own repository",
            "mvn verify -pl connector,it-tests/fcgispec -Dit.test=ConformanceIT -Dfcgispec.peers=true",
                    "needs Go, a C compiler and php-fpm",
            "mvn verify -pl connector,webapp-sample,it-tests -Dit.test=WebServersIT -Dit.webServers.update=true",
                    "writes what WebServersIT finds different, so it fails on the difference before");

    /** Properties of Maven's own plugins, and of JUnit's. */
    private static final Set<String> PROPERTIES_OF_PLUGINS =
            Set.of("it.test", "jacoco.skip", "skipITs", "skipTests", "test");

    static List<Path> documents() {
        return Documentation.documents();
    }

    static Stream<Snippet> snippets() {
        return documents().stream().flatMap(document -> Documentation.snippets(document).stream());
    }

    @ParameterizedTest
    @MethodSource("snippets")
    void snippetIsRunByATest(Snippet snippet) throws IOException {
        assertThat(snippet.name())
                .as("the name of the snippet, in a line <!-- snippet \"name\", TestClass --> in front of it")
                .isNotNull();
        List<Path> tests = sources(snippet.test() + ".java");
        assertThat(tests).as(snippet.test()).hasSize(1);
        assertThat(Files.readString(tests.get(0))).contains("\"" + snippet.name() + "\"");
    }

    @Test
    void snippetsHaveNamesOfTheirOwn() {
        assertThat(snippets().map(Snippet::name)).doesNotHaveDuplicates().hasSizeGreaterThan(30);
    }

    private static List<Path> sources(String name) {
        return Documentation.files("/" + name).stream()
                .filter(file -> file.toString().contains("/src/test/"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("documents")
    void linksLeadSomewhere(Path document) throws IOException {
        Matcher link = LINK.matcher(Files.readString(document));
        while (link.find()) {
            Path target = link.group(1).isEmpty() ? document : document.resolveSibling(link.group(1));
            assertThat(target.normalize()).exists();
            if (link.group(2) != null) {
                assertThat(anchors(target)).as(target.toString()).contains(link.group(2));
            }
        }
    }

    private static List<String> anchors(Path document) throws IOException {
        return Pattern.compile("(?m)^#+ (.+)$")
                .matcher(Files.readString(document))
                .results()
                .map((MatchResult heading) -> heading.group(1).toLowerCase().replaceAll("[^\\w -]", ""))
                .map(heading -> heading.replace(' ', '-'))
                .toList();
    }

    /** By continuous integration as they are, or by MavenCommandsIT. */
    @Test
    void mavenCommandsAreRun() throws IOException {
        String ci = Files.readString(Documentation.ROOT.resolve(".ci/run")).replace("mvn -B -ntp ", "mvn ");
        String test = textOf("MavenCommandsIT.java");
        String measureCounters =
                Documentation.snippet("CONTRIBUTING.md", "measure-counters").strip();

        Set<String> commands = mavenCommands();

        assertThat(commands).containsAll(NOT_RUN.keySet());
        assertThat(commands)
                .filteredOn(command -> !NOT_RUN.containsKey(command))
                .filteredOn(command -> !command.equals(measureCounters))
                .allMatch(command -> ci.contains(command) || test.contains("\"" + command + "\""));
        assertThat(test).contains("\"measure-counters\"");
    }

    private static Set<String> mavenCommands() throws IOException {
        Set<String> commands = new TreeSet<>();
        for (Path document : documents()) {
            Matcher command = MAVEN_COMMAND.matcher(Files.readString(document));
            while (command.find()) {
                String text = command.group(1) == null ? command.group(2) : command.group(1);
                commands.add(text.replaceAll("\\s+", " "));
            }
        }
        return commands;
    }

    /** MavenCommandsIT takes minutes; here, what a command line names has to be there. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "builds",
                "measure-counters",
                "update-api",
                "write-conformance",
                "conformance-of-peers",
                "build-fcgispec"
            })
    void mavenKnowsWhatItIsToldToDo(String name) {
        Snippet snippet =
                snippets().filter(each -> name.equals(each.name())).findFirst().orElseThrow();

        List<String> commands = snippet.text()
                .lines()
                .filter(line -> line.startsWith("mvn "))
                .map(line -> line.replaceFirst(" +#.*", ""))
                .toList();

        assertThat(commands).isNotEmpty();
        for (String command : commands) {
            assertThat(MAVEN_PHASES).containsAnyOf(command.split(" "));
            checkOptions(command);
        }
    }

    private static void checkOptions(String command) {
        Matcher option = MAVEN_OPTION.matcher(command);
        while (option.find()) {
            if (option.group(4) != null) {
                assertThat(option.group(4).split(","))
                        .allSatisfy(module -> assertThat(Documentation.ROOT.resolve(module + "/pom.xml"))
                                .exists());
            } else if (option.group(3) != null) {
                assertThat(poms()).contains("<id>" + option.group(3) + "</id>");
            } else if (option.group(1).equals("test") || option.group(1).equals("it.test")) {
                assertThat(sources(option.group(2) + ".java")).hasSize(1);
            } else if (!PROPERTIES_OF_PLUGINS.contains(option.group(1))) {
                assertThat(poms() + testSources()).contains(option.group(1));
            }
        }
    }

    private static String poms() {
        return textOf("pom.xml");
    }

    private static String testSources() {
        return textOf("Test.java");
    }

    private static String textOf(String end) {
        return Documentation.files(end).stream().map(DocumentationTest::read).collect(Collectors.joining("\n"));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

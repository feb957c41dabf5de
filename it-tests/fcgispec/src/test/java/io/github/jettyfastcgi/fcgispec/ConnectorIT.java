package io.github.jettyfastcgi.fcgispec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.w3c.dom.Element;

/** All cases against the connector, and the runnable itself. */
@Execution(ExecutionMode.CONCURRENT)
class ConnectorIT {
    @TempDir
    private static Path directory;

    private static ConnectorServer server;

    @BeforeAll
    static void start() throws Exception {
        server = ConnectorServer.start(directory);
    }

    @AfterAll
    static void stop() throws Exception {
        server.stop();
    }

    @Test
    void meetsAllButTheDeviationsOverUnixSocket() throws IOException {
        assertMeetsAllButTheDeviations(server.unixAddress());
    }

    @Test
    void meetsAllButTheDeviationsOverTCP() throws IOException {
        assertMeetsAllButTheDeviations(server.tcpAddress());
    }

    private static void assertMeetsAllButTheDeviations(String address) throws IOException {
        List<Outcome> outcomes = Suite.run(Options.parse(address), outcome -> {});
        Map<String, String> unmet = outcomes.stream()
                .filter(outcome -> outcome.fails(Level.MAY))
                .collect(Collectors.toMap(outcome -> outcome.subject().id(), Outcome::observed));

        assertThat(unmet).containsOnlyKeys(Deviations.REASONS.keySet());
        assertThat(outcomes).hasSameSizeAs(Suite.cases());
    }

    @Test
    void runnableReportsWhatIsMet() throws Exception {
        Path junit = directory.resolve("met.xml");

        Run run = run(server.unixAddress(), "--only=request-plain,params-value-*", "--junit=" + junit);

        assertThat(run.status).isZero();
        assertThat(run.lines).hasSize(7).last().isEqualTo("6 cases: 6 met, 0 failed, 0 options unused, 0 skipped");
        assertThat(run.lines.get(0))
                .matches("ok   MUST     FastCGI 6\\.2     request-plain +A Responder answers a request .*");
        Element suite = parse(junit);
        assertThat(suite.getAttribute("tests")).isEqualTo("6");
        assertThat(suite.getAttribute("failures")).isEqualTo("0");
        assertThat(suite.getElementsByTagName("testcase").getLength()).isEqualTo(6);
    }

    @Test
    void runnableReportsWhatIsNot() throws Exception {
        Path junit = directory.resolve("unmet.xml");

        Run run = run(server.unixAddress(), "--only=values-while-running,multiplex-interleaved", "--junit=" + junit);

        assertThat(run.status).isEqualTo(1);
        assertThat(run.lines.get(0)).startsWith("FAIL SHOULD").contains(" | expected: ", " | observed: ");
        assertThat(run.lines.get(1)).startsWith("skip MUST").endsWith(" | skipped: FCGI_MPXS_CONNS is 0");
        assertThat(run.lines.get(2)).isEqualTo("2 cases: 0 met, 1 failed, 0 options unused, 1 skipped");
        Element suite = parse(junit);
        assertThat(suite.getAttribute("failures")).isEqualTo("1");
        assertThat(suite.getAttribute("skipped")).isEqualTo("1");
        Element failure = (Element) suite.getElementsByTagName("failure").item(0);
        assertThat(failure.getAttribute("type")).isEqualTo("SHOULD FastCGI 4.1");
        assertThat(failure.getTextContent()).contains("expected: ", "observed: ");
    }

    @Test
    void runnableToleratesWeakerLevels() throws Exception {
        assertThat(run(server.unixAddress(), "--only=values-while-running", "--fail-on=must").status)
                .isZero();
    }

    @Test
    void runnableTellsWhatItCannotTest() throws Exception {
        Run nobody = run("unix:" + directory.resolve("nobody.sock"));
        assertThat(nobody.status).isEqualTo(2);
        assertThat(nobody.lines).singleElement().asString().startsWith("fcgispec: unix:");

        Run other = run(server.tcpAddress(), "--param", "REQUEST_METHOD=HEAD");
        assertThat(other.status).isEqualTo(2);
        assertThat(other.lines).singleElement().asString().contains("doesn't offer what README.md asks of it");
    }

    @Test
    void runnableListsItsCases() throws Exception {
        Run run = run("--list");

        assertThat(run.status).isZero();
        assertThat(run.lines).hasSameSizeAs(Suite.cases());
        assertThat(run.lines.get(0)).matches("MUST     FastCGI 6\\.2     request-plain .*");
    }

    @Test
    void readmeShowsHowItIsRun() throws Exception {
        for (String line : readme("run-fcgispec").lines().toList()) {
            assertThat(line).startsWith("java -jar it-tests/fcgispec/target/fcgispec.jar ");
            String arguments = line.replaceFirst("\\S+ \\S+ \\S+ ", "")
                    .replaceFirst("unix:\\S+", server.unixAddress())
                    .replaceFirst("tcp:\\S+", server.tcpAddress())
                    .replace("report.xml", directory.resolve("report.xml").toString());

            Run run = run((arguments + " --only=request-plain").split(" "));

            assertThat(run.status).isZero();
            assertThat(run.lines).hasSize(2);
        }
        assertThat(directory.resolve("report.xml")).isNotEmptyFile();
    }

    @Test
    void readmeShowsLinesAsTheyAre() throws Exception {
        List<String> cases = run("--list").lines;

        for (String line : readme("report-lines").lines().toList()) {
            String shown = line.replaceFirst("^(ok  |FAIL|skip) ", "").replaceFirst(" \\| .*", "");
            assertThat(cases.stream().map(each -> each.replaceAll(" +", " "))).contains(shown.replaceAll(" +", " "));
        }
    }

    private static String readme(String snippet) throws IOException {
        Matcher shown = Pattern.compile("(?s)<!-- snippet \"" + snippet + "\", ConnectorIT -->\n```\n(.*?)```")
                .matcher(Files.readString(Path.of("README.md")));
        assertThat(shown.find()).as(snippet).isTrue();
        return shown.group(1);
    }

    private record Run(int status, List<String> lines) {}

    private static Run run(String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(java(), "-jar", System.getProperty("fcgispec.jar", "target/fcgispec.jar")));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        process.getInputStream().transferTo(output);
        int status = process.waitFor();
        return new Run(status, output.toString(StandardCharsets.UTF_8).lines().toList());
    }

    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private static Element parse(Path file) throws Exception {
        assertThat(Files.size(file)).isPositive();
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(file.toFile())
                .getDocumentElement();
    }
}

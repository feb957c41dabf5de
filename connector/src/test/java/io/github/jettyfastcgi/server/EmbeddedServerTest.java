package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.github.jettyfastcgi.example.EmbeddedServer;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.jetty.util.VirtualThreads;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The program that README.md shows to those who embed Jetty, as they run it: in a process of its own. */
class EmbeddedServerTest {
    private static final Path SOURCE = Path.of("src/test/java/io/github/jettyfastcgi/example/EmbeddedServer.java");
    private static final Path MODULE_INFO = Path.of("src/test/resources/example/module-info.java");
    private static final Pattern MODULES_NEEDED =
            Pattern.compile("jetty-(server|unixdomain-server|security|http|io|util|slf4j-impl)-.*|slf4j-api-.*");

    /** How a program finds its classes. */
    private enum ClassesFrom {
        CLASS_PATH {
            @Override
            List<String> options(Path directory) {
                return List.of(
                        "-cp", absolute(Path.of("target/test-classes"), needed()), EmbeddedServer.class.getName());
            }
        },
        MODULE_PATH {
            @Override
            List<String> options(Path directory) {
                Path module = directory.resolve("embedded");
                compile("-d", module.toString(), "-p", needed(), SOURCE.toString(), MODULE_INFO.toString());
                return List.of("-p", absolute(module, needed()), "-m", "embedded/" + EmbeddedServer.class.getName());
            }
        };

        abstract List<String> options(Path directory);

        /** {@return the connector and what it can't do without, as a path} */
        private static String needed() {
            return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                    .map(Path::of)
                    .filter(path -> path.endsWith("target/classes")
                            || MODULES_NEEDED
                                    .matcher(path.getFileName().toString())
                                    .matches())
                    .map(path -> path.toAbsolutePath().toString())
                    .collect(Collectors.joining(File.pathSeparator));
        }

        private static String absolute(Path first, String others) {
            return first.toAbsolutePath() + File.pathSeparator + others;
        }

        private static void compile(String... arguments) {
            ToolProvider javac = ToolProvider.findFirst("javac").orElseThrow();
            assertThat(javac.run(System.out, System.err, arguments)).isZero();
        }
    }

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource
    void servesOverAUnixSocket(ClassesFrom where) throws Exception {
        assertServes(where, UnixDomainSocketAddress.of(directory.resolve("fastcgi.sock")), "unix");
    }

    @ParameterizedTest
    @EnumSource
    void servesOverTCP(ClassesFrom where) throws Exception {
        int port = freePort();

        assertServes(
                where, new InetSocketAddress(InetAddress.getLoopbackAddress(), port), "tcp", Integer.toString(port));
    }

    private void assertServes(ClassesFrom where, SocketAddress address, String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(where.options(directory));
        command.addAll(Arrays.asList(arguments));
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        try (BufferedReader output = process.inputReader()) {
            awaitStart(output);
            try (SocketPeer peer = new SocketPeer(address)) {
                peer.get(1, "/", "REMOTE_ADDR", "192.0.2.7").send();

                String thread = VirtualThreads.areSupported() ? "a virtual thread" : "a platform thread";
                assertThat(peer.readAnswer(1).text()).isEqualTo("Hello 192.0.2.7 from " + thread);
            }
        } finally {
            process.destroy();
            process.waitFor();
        }
    }

    private static void awaitStart(BufferedReader output) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            lines.add(line);
            if (line.contains("Started oejs.Server@")) return;
        }
        fail("The program ended:\n" + String.join("\n", lines));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"unix", "tcp", "threads"})
    void readmeQuotesIt(String tag) throws Exception {
        Matcher region = Pattern.compile("(?s) *// tag::" + tag + "\\[]\n(.*?)\n *// end::" + tag + "\\[]\n")
                .matcher(Files.readString(SOURCE));
        assertThat(region.find()).isTrue();

        assertThat(readme(tag)).isEqualTo(region.group(1).stripIndent() + "\n");
    }

    @Test
    void readmeQuotesItsModule() throws Exception {
        assertThat(readme("module")).isEqualTo(Files.readString(MODULE_INFO).replaceFirst("(?s)^/\\*\\*.*?\\*/\n", ""));
    }

    @Test
    void readmeNamesTheArtifact() throws Exception {
        String pom = Files.readString(Path.of("pom.xml"));

        assertThat(readme("dependency").lines().map(String::strip))
                .hasSize(5)
                .filteredOn(line -> !line.endsWith("dependency>"))
                .allSatisfy(line -> assertThat(pom).contains(line));
    }

    private static String readme(String snippet) throws IOException {
        Matcher shown = Pattern.compile(
                        "(?s)<!-- snippet \"" + snippet + "\", EmbeddedServerTest -->\n```\\w+\n(.*?)```")
                .matcher(Files.readString(Path.of("../README.md")));
        assertThat(shown.find()).as(snippet).isTrue();
        return shown.group(1);
    }
}

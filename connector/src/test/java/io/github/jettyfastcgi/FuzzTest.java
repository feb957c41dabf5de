package io.github.jettyfastcgi;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.jettyfastcgi.cgi.RequestMapperFuzzer;
import io.github.jettyfastcgi.protocol.NameValuePairsFuzzer;
import io.github.jettyfastcgi.protocol.RecordParserFuzzer;
import io.github.jettyfastcgi.server.ConnectionFuzzer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The fuzzers, with a corpus, and for some seconds with Jazzer. The profile {@code fuzz} gives each of them ten minutes,
 * and leaves what it finds in {@code target/fuzz}.
 */
class FuzzTest {
    private static final int SECONDS = Integer.getInteger("fuzz.seconds", 2);
    private static final Path CORPUS = Path.of("src", "test", "resources", "fuzz");
    private static final Path FOUND = Path.of("target", "fuzz");
    private static final int MAX_LENGTH = 20_000;
    private static final int PATIENCE_SECONDS = 120;

    /** Takes any bytes. */
    private interface Fuzzer {
        void run(byte[] input) throws Exception;
    }

    enum Target {
        RECORD_PARSER(RecordParserFuzzer.class, RecordParserFuzzer::fuzzerTestOneInput),
        NAME_VALUE_PAIRS(NameValuePairsFuzzer.class, NameValuePairsFuzzer::fuzzerTestOneInput),
        REQUEST_MAPPER(RequestMapperFuzzer.class, RequestMapperFuzzer::fuzzerTestOneInput),
        CONNECTION(ConnectionFuzzer.class, ConnectionFuzzer::fuzzerTestOneInput);

        private final String className;
        private final String name;
        private final Fuzzer fuzzer;

        Target(Class<?> type, Fuzzer fuzzer) {
            this.className = type.getName();
            this.name = type.getSimpleName();
            this.fuzzer = fuzzer;
        }
    }

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource
    void nothingOfTheCorpusFails(Target target) throws Exception {
        List<Path> inputs;
        try (Stream<Path> files = Files.list(CORPUS.resolve(target.name))) {
            inputs = files.sorted().toList();
        }

        assertThat(inputs).isNotEmpty();
        for (Path input : inputs) {
            try {
                target.fuzzer.run(Files.readAllBytes(input));
            } catch (Throwable x) {
                throw new AssertionError(input.toString(), x);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void jazzerFindsNothing(Target target) throws Exception {
        Path found = Files.createDirectories(FOUND.resolve(target.name));
        Path output = directory.resolve("output");

        Process jazzer = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx700m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "com.code_intelligence.jazzer.Jazzer",
                        "--target_class=" + target.className,
                        "--instrumentation_includes=io.github.jettyfastcgi.**",
                        "--custom_hook_includes=io.github.jettyfastcgi.**",
                        "--reproducer_path=" + FOUND,
                        "-artifact_prefix=" + FOUND + "/" + target.name + "-",
                        "-max_len=" + MAX_LENGTH,
                        "-rss_limit_mb=0", // it would count the peak of the process that starts it; -Xmx is the limit
                        "-max_total_time=" + SECONDS,
                        found.toString(),
                        CORPUS.resolve(target.name).toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();

        try {
            assertThat(jazzer.waitFor(SECONDS + PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .isTrue();
        } finally {
            jazzer.destroyForcibly();
        }
        assertThat(jazzer.exitValue()).as(() -> read(output)).isZero();
    }

    private static String read(Path output) {
        try {
            return Files.readString(output, StandardCharsets.ISO_8859_1);
        } catch (IOException x) {
            throw new UncheckedIOException(x);
        }
    }
}

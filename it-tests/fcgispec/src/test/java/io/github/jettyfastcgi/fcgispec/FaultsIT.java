package io.github.jettyfastcgi.fcgispec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Cases that all applications meet prove nothing: each of them must see the fault that it is there for. */
@Execution(ExecutionMode.CONCURRENT)
class FaultsIT {
    private static final int CHECKS = 3;

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

    /** A fault, and the cases that see it, as {@code --only} takes them. */
    record Seen(String name, Supplier<Fault> faults, String cases) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Seen> faults() {
        return Stream.of(FaultsOfRequests.all(), FaultsOfAnswers.all(), FaultsOfProcesses.all())
                .flatMap(List::stream);
    }

    @ParameterizedTest
    @MethodSource("faults")
    void isSeen(Seen fault) throws IOException {
        for (String id : fault.cases.split(",")) {
            assertThat(outcomes(fault.faults, id, 500))
                    .as(id)
                    .singleElement()
                    .extracting(Outcome::result)
                    .isIn(Outcome.Result.UNMET, Outcome.Result.UNUSED);
        }
    }

    /** The proxy is no fault. */
    @Test
    void nothingIsSeenWithoutAFault() throws IOException {
        String cases = String.join(",", faults().map(Seen::cases).toList());

        assertThat(outcomes(Fault.None::new, cases, 5000))
                .allSatisfy(outcome -> assertThat(outcome.result())
                        .as(outcome.subject().id() + ": " + outcome.observed())
                        .isEqualTo(Outcome.Result.MET));
    }

    /** Spares the connections that the application is checked with before the cases. */
    private static Supplier<Fault> afterCheck(Supplier<Fault> faults) {
        AtomicInteger connections = new AtomicInteger();
        return () -> connections.incrementAndGet() <= CHECKS ? new Fault.None() : faults.get();
    }

    private static List<Outcome> outcomes(Supplier<Fault> faults, String cases, int timeout) throws IOException {
        Path socket = Files.createTempDirectory(directory, "proxy").resolve("s");
        try (FaultyProxy proxy = FaultyProxy.start(socket, Address.parse(server.unixAddress()), afterCheck(faults))) {
            Options options = Options.parse(proxy.address(), "--only=" + cases, "--timeout=" + timeout);
            return Suite.run(options, outcome -> {});
        }
    }
}

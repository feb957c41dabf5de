package io.github.jettyfastcgi.fcgispec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.server.Server;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** All cases against the applications of others, which have to be installed. */
@EnabledIfSystemProperty(named = "fcgispec.peers", matches = "true")
class ConformanceIT {
    private static final String TIMEOUT = "--timeout=1500";

    @TempDir
    private Path directory;

    private final ConformancePage page = new ConformancePage();

    private interface Start {
        Peer in(Path directory) throws IOException;
    }

    @BeforeEach
    void letOthersIn() throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void writesThePage() throws Exception {
        ConnectorServer connector = ConnectorServer.start(directory);
        List<Case> cases = Suite.cases();
        try {
            List<Outcome> outcomes = Suite.run(Options.parse(connector.unixAddress(), TIMEOUT), outcome -> {});
            page.add("this connector", "Jetty " + Server.getVersion(), outcomes);
        } finally {
            connector.stop();
        }

        for (Start start : List.<Start>of(Peer::php, Peer::go, Peer::libfcgi, Peer::jetty)) {
            try (Peer peer = start.in(directory)) {
                List<String> arguments = new ArrayList<>(peer.arguments());
                arguments.add(TIMEOUT);
                List<Outcome> outcomes = Suite.run(Options.parse(arguments.toArray(String[]::new)), outcome -> {});
                assertThat(outcomes).as(peer.name()).hasSameSizeAs(cases);
                page.add(peer.name(), peer.version(), outcomes);
            }
        }
        Files.writeString(Path.of("CONFORMANCE.md"), page.write(cases));
    }
}

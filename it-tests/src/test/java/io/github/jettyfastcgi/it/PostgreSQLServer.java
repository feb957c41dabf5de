package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A real PostgreSQL with a data directory of its own, on a port of the loopback address. */
final class PostgreSQLServer implements AutoCloseable {
    /** It refuses to be run by root. */
    private static final String UNPRIVILEGED = "postgres";

    private static final String USER = "jetty";
    private static final String PASSWORD = "only for the test";
    private static final String DATABASE = "postgres";
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Path directory;
    private final int port = Ports.free();
    private final ServerProcess process;

    /**
     * Makes a data directory, and starts the server on it.
     *
     * @param directory to be created, where another user may go
     */
    PostgreSQLServer(Path directory) throws IOException, InterruptedException {
        this.directory = Files.createDirectory(directory);
        String initdb = WebServers.require("initdb").toString();
        Path passwordFile = Files.writeString(directory.resolve("password"), PASSWORD);
        giveAway(passwordFile);
        giveAway(directory);
        run(List.of(
                initdb,
                "--pgdata=" + data(),
                "--username=" + USER,
                "--pwfile=" + passwordFile,
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--locale=C",
                "--no-sync"));
        process = start(List.of(
                WebServers.require("postgres").toString(),
                "-D",
                data().toString(),
                "-p",
                Integer.toString(port),
                "-c",
                "listen_addresses=127.0.0.1",
                "-c",
                "unix_socket_directories=",
                "-c",
                "fsync=off"));
        try {
            process.awaitOutput("database system is ready to accept connections", LIMIT);
        } catch (Throwable e) {
            process.close();
            throw e;
        }
    }

    private Path data() {
        return directory.resolve("data");
    }

    private static void giveAway(Path file) throws IOException {
        if (WebServerSettings.isRoot()) {
            Files.setOwner(
                    file,
                    FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(UNPRIVILEGED));
        }
    }

    private ServerProcess start(List<String> command) {
        List<String> all = new ArrayList<>();
        if (WebServerSettings.isRoot()) {
            all.addAll(List.of("setpriv", "--reuid=" + UNPRIVILEGED, "--regid=" + UNPRIVILEGED, "--init-groups"));
        }
        all.addAll(command);
        return ServerProcess.start("PostgreSQL", directory, all);
    }

    private List<String> run(List<String> command) throws InterruptedException {
        try (ServerProcess program = start(command)) {
            assertThat(program.awaitExit(LIMIT)).as(program.tail()).isZero();
            return program.output();
        }
    }

    /** The URL of the database, for JDBC. */
    String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + DATABASE;
    }

    String user() {
        return USER;
    }

    String password() {
        return PASSWORD;
    }

    /** The first column of what a query finds. */
    List<String> query(String sql) throws InterruptedException {
        return run(List.of(
                "env",
                "PGPASSWORD=" + PASSWORD,
                WebServers.require("psql").toString(),
                "--host=127.0.0.1",
                "--port=" + port,
                "--username=" + USER,
                "--no-align",
                "--tuples-only",
                "--command=" + sql,
                DATABASE));
    }

    /** Runs commands of a shell as the database's user, who types a password as often as he is asked. */
    void shell(String commands) throws InterruptedException {
        // Without a terminal the programs read from standard input what they ask for.
        run(List.of(
                "env",
                "PGHOST=127.0.0.1",
                "PGPORT=" + port,
                "PGUSER=" + USER,
                "PGPASSWORD=" + PASSWORD,
                "PATH=" + WebServers.require("initdb").getParent() + ":" + System.getenv("PATH"),
                "sh",
                "-ec",
                "yes typed | setsid --wait sh -ec '" + commands + "'"));
    }

    /** What it said, for messages. */
    String describe() {
        return process.tail();
    }

    @Override
    public void close() {
        process.close();
    }
}

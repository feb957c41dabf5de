package io.github.jettyfastcgi.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Sessions in PostgreSQL. */
final class DatabaseStore implements SessionStore {
    private final PostgreSQLServer server;

    /**
     * Starts the database.
     *
     * @param directory to be created, where another user may go
     */
    DatabaseStore(Path directory) throws IOException, InterruptedException {
        server = new PostgreSQLServer(directory);
    }

    PostgreSQLServer server() {
        return server;
    }

    @Override
    public String modules() {
        return "nodes-postgresql";
    }

    @Override
    public void addLibraries(JettyBase base) throws IOException {
        base.copy(Distribution.sessionStores().resolve("jdbc"));
    }

    @Override
    public String configure(int node, JettyBase base, ExampleConfiguration nodeIni) throws IOException {
        Path directory = base.directory();
        Files.copy(
                directory.resolve("fastcgi-examples/nodes/session-pool.xml"),
                directory.resolve("etc/session-pool.xml"));
        return nodeIni.replace("jdbc:postgresql://db.example.com/sessions", server.url())
                .replace("session.pool.user=jetty", "session.pool.user=" + server.user())
                .replace("the password", server.password())
                .text();
    }

    @Override
    public String describe() {
        return server.describe();
    }

    @Override
    public void close() {
        server.close();
    }
}

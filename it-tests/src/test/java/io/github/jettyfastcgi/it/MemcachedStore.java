package io.github.jettyfastcgi.it;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Sessions in PostgreSQL, with memcached in front of it. */
final class MemcachedStore implements SessionStore {
    private final DatabaseStore database;
    private final int port = Ports.free();
    private final ServerProcess process;

    /**
     * Starts both.
     *
     * @param directory where another user may go
     */
    MemcachedStore(Path directory) throws IOException, InterruptedException {
        String memcached = WebServers.require("memcached").toString();
        database = new DatabaseStore(directory.resolve("database"));
        List<String> command =
                new ArrayList<>(List.of(memcached, "--listen=127.0.0.1", "--port=" + port, "--udp-port=0"));
        if (WebServerSettings.isRoot()) {
            command.add("--user=nobody");
        }
        process = ServerProcess.start("memcached", directory, command);
        try {
            process.awaitAccepting(port, Duration.ofSeconds(20));
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    PostgreSQLServer database() {
        return database.server();
    }

    /** One of the figures of memcached's own statistics, such as {@code get_hits}. */
    long statistic(String name) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write("stats\r\n".getBytes(StandardCharsets.US_ASCII));
            BufferedReader reader =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            String begin = "STAT " + name + " ";
            String line = reader.readLine();
            while (!line.startsWith(begin)) {
                line = reader.readLine();
            }
            return Long.parseLong(line.substring(begin.length()));
        }
    }

    @Override
    public String modules() {
        return "nodes-memcached";
    }

    @Override
    public void addLibraries(JettyBase base) throws IOException {
        database.addLibraries(base);
        base.copy(Distribution.sessionStores().resolve("memcached"));
    }

    @Override
    public String configure(int node, JettyBase base, ExampleConfiguration nodeIni) throws IOException {
        String memcached = Documentation.snippet(RECIPES, "memcached")
                .replace("10.0.0.31", "127.0.0.1")
                .replace("11211", Integer.toString(port));
        return database.configure(node, base, nodeIni) + memcached;
    }

    @Override
    public String describe() {
        return database.describe() + "\n" + process.tail();
    }

    @Override
    public void close() {
        try (database) {
            process.close();
        }
    }
}

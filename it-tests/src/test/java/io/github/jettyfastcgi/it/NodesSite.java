package io.github.jettyfastcgi.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

/**
 * Two nodes with the sample application behind one nginx, and their sessions in PostgreSQL: with the commands of the
 * archive's NODES.md and the files beside it, in which addresses and passwords are replaced.
 */
final class NodesSite implements AutoCloseable {
    /** The number of nodes; their names are node1, node2. */
    static final int NODES = 2;

    private final int[] fastcgiPorts = {Ports.free(), Ports.free()};
    private final int port = Ports.free();
    private final PostgreSQLServer database;
    private final JettyBase[] bases = new JettyBase[NODES];
    private final ServerProcess[] nodes = new ServerProcess[NODES];
    private final Path examples;
    private final Path upstreamLog;
    private NginxServer nginx;

    /**
     * Starts everything.
     *
     * @param directory empty
     */
    NodesSite(Path directory) throws IOException, InterruptedException {
        WebServers.require("nginx");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
        database = new PostgreSQLServer(directory.resolve("database"));
        try {
            JettyBase base = createBase(directory.resolve("base"));
            examples = examples(base);
            Path nginxDirectory = Files.createDirectory(directory.resolve("nginx"));
            upstreamLog = nginxDirectory.resolve("upstream.log");
            for (int i = 0; i < NODES; i++) {
                bases[i] = base.copyTo(directory.resolve(name(i)));
                Files.writeString(bases[i].directory().resolve("start.d/node.ini"), nodeIni(i));
                start(i);
            }
            nginx = NginxServer.start(nginxDirectory, NginxExample.configuration(nginxConfiguration()));
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    private static JettyBase createBase(Path directory) throws IOException, InterruptedException {
        Files.createDirectory(directory);
        Distribution.unzip(Distribution.archive(), directory);
        Recipes recipes = Recipes.read(directory.resolve("fastcgi-examples/nodes/NODES.md"));
        JettyBase base = JettyBase.createPlain(directory, recipes.modules().get(0))
                .copy(Distribution.sessionStore())
                .deploySample("ROOT");
        Files.copy(examples(base).resolve("session-pool.xml"), directory.resolve("etc/session-pool.xml"));
        return base;
    }

    private static Path examples(JettyBase base) {
        return base.directory().resolve("fastcgi-examples/nodes");
    }

    private static String name(int node) {
        return "node" + (node + 1);
    }

    private String nodeIni(int node) throws IOException {
        return ExampleConfiguration.read(examples.resolve("node.ini"))
                .replace("workerName=node1", "workerName=" + name(node))
                .replace("jdbc:postgresql://db.example.com/sessions", database.url())
                .replace("session.pool.user=jetty", "session.pool.user=" + database.user())
                .replace("the password", database.password())
                .replace(
                        "jetty.fastcgi.tcp.host=10.0.0.1",
                        "jetty.fastcgi.tcp.host=127.0.0.1\njetty.fastcgi.tcp.port=" + fastcgiPorts[node])
                .replace("10.0.0.10", "127.0.0.1")
                .text();
    }

    private String nginxConfiguration() throws IOException {
        ExampleConfiguration example = ExampleConfiguration.read(examples.resolve("nginx.conf"))
                .replace("listen 80;", "listen 127.0.0.1:" + port + ";\naccess_log " + upstreamLog + " upstream;");
        for (int i = 0; i < NODES; i++) {
            example.replace("10.0.0." + (i + 1) + ":9000", "127.0.0.1:" + fastcgiPorts[i]);
        }
        return "log_format upstream '$request_method $status $upstream_addr';\n" + example.text();
    }

    /** Starts a node, and waits until it accepts connections. */
    void start(int node) throws InterruptedException {
        nodes[node] = bases[node].start(List.of("-Xmx256m"));
    }

    /** Kills a node: it has no chance to store or to say anything. */
    void kill(int node) throws InterruptedException {
        nodes[node].kill();
    }

    /** nginx's port. */
    int port() {
        return port;
    }

    /** How many requests nginx has passed to each node, the first and the second, and to one after the other. */
    Map<String, Long> passed() throws IOException {
        List<String> lines = Files.readAllLines(upstreamLog);
        return Map.of(
                name(0),
                count(lines, fastcgiPorts[0]),
                name(1),
                count(lines, fastcgiPorts[1]),
                "both",
                lines.stream().filter(line -> line.contains(", ")).count());
    }

    private static long count(List<String> lines, int fastcgiPort) {
        return lines.stream().filter(line -> line.endsWith(":" + fastcgiPort)).count();
    }

    PostgreSQLServer database() {
        return database;
    }

    /** How many sessions the database has. */
    long sessionsStored() throws InterruptedException {
        return Long.parseLong(
                database.query("select count(*) from JettySessions").get(0));
    }

    /** What all of them said, for messages. */
    String describe() {
        StringBuilder text = new StringBuilder(database.describe());
        for (ServerProcess node : nodes) {
            text.append('\n').append(node == null ? "not started" : node.tail());
        }
        return text.append('\n').append(nginx == null ? "" : nginx.describe()).toString();
    }

    @Override
    public void close() {
        try (database) {
            if (nginx != null) {
                nginx.close();
            }
            for (ServerProcess node : nodes) {
                if (node != null) {
                    node.close();
                }
            }
        }
    }
}

package io.github.jettyfastcgi.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Two nodes with the sample application behind one nginx, and a store for their sessions: with the commands of the archive's
 * NODES.md and the files beside it, in which addresses and passwords are replaced.
 */
final class NodesSite implements AutoCloseable {
    /** The number of nodes; their names are node1, node2. */
    private static final int NODES = 2;

    private static final Duration SHARED_LIMIT = Duration.ofMinutes(2);

    private final int[] fastcgiPorts = {Ports.free(), Ports.free()};
    private final int port = Ports.free();
    private final SessionStore store;
    private final JettyBase[] bases = new JettyBase[NODES];
    private final ServerProcess[] nodes = new ServerProcess[NODES];
    private final Path examples;
    private final Path upstreamLog;
    private NginxServer nginx;

    /**
     * Starts everything.
     *
     * @param directory where there is nothing that the nodes, named node1 and node2, or nginx need
     * @param store which this closes
     */
    NodesSite(Path directory, SessionStore store) throws IOException, InterruptedException {
        this.store = store;
        try {
            WebServers.require("nginx");
            JettyBase base = createBase(directory.resolve("base"));
            examples = examples(base);
            Path nginxDirectory = Files.createDirectory(directory.resolve("nginx"));
            upstreamLog = nginxDirectory.resolve("upstream.log");
            for (int i = 0; i < NODES; i++) {
                bases[i] = base.copyTo(directory.resolve(name(i)));
                String nodeIni = store.configure(i, bases[i], nodeIni(i));
                Files.writeString(bases[i].directory().resolve("start.d/node.ini"), nodeIni);
                start(i);
            }
            nginx = NginxServer.start(nginxDirectory, NginxExample.configuration(nginxConfiguration()));
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    private JettyBase createBase(Path directory) throws IOException, InterruptedException {
        Files.createDirectory(directory);
        Distribution.unzip(Distribution.archive(), directory);
        JettyBase base = JettyBase.of(directory);
        store.addLibraries(base);
        // Modules whose jars others made ask for the consent to their licences.
        Commands.run(
                Documentation.snippet(SessionStore.RECIPES, store.modules()).strip() + " --approve-all-licenses",
                directory);
        return base.deploySample("ROOT");
    }

    private static Path examples(JettyBase base) {
        return base.directory().resolve("fastcgi-examples/nodes");
    }

    private static String name(int node) {
        return "node" + (node + 1);
    }

    private ExampleConfiguration nodeIni(int node) throws IOException {
        return ExampleConfiguration.read(examples.resolve("node.ini"))
                .replace("workerName=node1", "workerName=" + name(node))
                .replace(
                        "jetty.fastcgi.tcp.host=10.0.0.1",
                        "jetty.fastcgi.tcp.host=127.0.0.1\njetty.fastcgi.tcp.port=" + fastcgiPorts[node])
                .replace("10.0.0.10", "127.0.0.1");
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
        List<String> jvmOptions = new ArrayList<>(store.jvmOptions());
        jvmOptions.add("-Xmx256m");
        nodes[node] = bases[node].start(jvmOptions);
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

    /**
     * Waits until each node goes on with what the other has made of the session. A node lets go of a session when its
     * request is over, which can be after the client has the response.
     */
    void awaitShared(SessionVisitor.Session session) throws IOException {
        long deadline = System.nanoTime() + SHARED_LIMIT.toNanos();
        List<Long> counters;
        do {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("The nodes count apart");
            }
            long first = session.visitAt(name(0));
            counters = List.of(
                    session.visitAt(name(1)) - first,
                    session.visitAt(name(0)) - first,
                    session.visitAt(name(1)) - first);
        } while (!counters.equals(List.of(1L, 2L, 3L)));
    }

    /** What all of them said, for messages. */
    String describe() {
        StringBuilder text = new StringBuilder(store.describe());
        for (ServerProcess node : nodes) {
            text.append('\n').append(node == null ? "not started" : node.tail());
        }
        return text.append('\n').append(nginx == null ? "" : nginx.describe()).toString();
    }

    @Override
    public void close() {
        try (store) {
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

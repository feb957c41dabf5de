package io.github.jettyfastcgi.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Sessions in Hazelcast, which is either a part of each node or a server of its own. */
final class HazelcastStore implements SessionStore {
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final String NO_PHONE_HOME = "-Dhazelcast.phone.home.enabled=false";

    private final int[] ports = {Ports.free(), Ports.free()};

    /** Null where the nodes have it in them. */
    private final ServerProcess server;

    private HazelcastStore() {
        server = null;
    }

    private HazelcastStore(Path directory) throws InterruptedException {
        server = ServerProcess.start(
                "Hazelcast",
                directory,
                List.of(
                        JettyBase.java(),
                        "-Xmx128m",
                        NO_PHONE_HOME,
                        "-Dhz.network.port.port=" + ports[0],
                        "-Dhz.network.join.multicast.enabled=false",
                        "-Dhz.network.join.auto-detection.enabled=false",
                        "-cp",
                        jars().resolve("lib/hazelcast") + "/*",
                        "com.hazelcast.core.server.HazelcastMemberStarter"));
        try {
            server.awaitOutput("is STARTED", START_LIMIT);
        } catch (Throwable e) {
            server.close();
            throw e;
        }
    }

    /** In each node. */
    static HazelcastStore embedded() {
        return new HazelcastStore();
    }

    /** In a server, which this starts. */
    static HazelcastStore remote(Path directory) throws InterruptedException {
        return new HazelcastStore(directory);
    }

    private static Path jars() {
        return Distribution.sessionStores().resolve("hazelcast");
    }

    @Override
    public String modules() {
        return server == null ? "nodes-hazelcast-embedded" : "nodes-hazelcast-remote";
    }

    @Override
    public void addLibraries(JettyBase base) throws IOException {
        base.copy(jars());
    }

    @Override
    public List<String> jvmOptions() {
        return List.of(NO_PHONE_HOME);
    }

    @Override
    public String configure(int node, JettyBase base, ExampleConfiguration nodeIni) throws IOException {
        String kind = server == null ? "embedded" : "remote";
        Path ini = base.directory().resolve("start.d/session-store-hazelcast-" + kind + ".ini");
        Files.writeString(
                ini,
                ExampleConfiguration.read(ini)
                        .replace("jetty.session.savePeriod.seconds=0", "jetty.session.savePeriod.seconds=60")
                        .text());
        String text = SessionStore.withoutDatabase(nodeIni).text();
        if (server == null) {
            Files.writeString(base.directory().resolve("etc/hazelcast.xml"), xml(node));
            return text + Documentation.snippet(RECIPES, "hazelcast-configuration");
        }
        return text
                + Documentation.snippet(RECIPES, "hazelcast-addresses")
                        .replace("10.0.0.21:5701,10.0.0.22:5701", "127.0.0.1:" + ports[0]);
    }

    private String xml(int node) {
        return Documentation.snippet(RECIPES, "hazelcast-xml")
                .replace("<port>5701</port>", "<port>" + ports[node] + "</port>")
                .replace("10.0.0.1:5701", "127.0.0.1:" + ports[0])
                .replace("10.0.0.2:5701", "127.0.0.1:" + ports[1]);
    }

    @Override
    public String describe() {
        return server == null ? "" : server.tail();
    }

    @Override
    public void close() {
        if (server != null) {
            server.close();
        }
    }
}

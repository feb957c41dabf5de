package io.github.jettyfastcgi.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Sessions in Infinispan, which is a part of each node. */
final class InfinispanStore implements SessionStore {
    private static final String LOCAL_CACHE = "<local-cache name=\"jetty-sessions\"/>";
    private static final String LIBRARIES = "modules/sessions/infinispan/embedded/infinispan-embedded-libs.mod";

    private final int multicastPort = Ports.free();

    @Override
    public String modules() {
        return "nodes-infinispan-embedded";
    }

    /** Those of the version that the build has, instead of the list of them that Jetty's module has. */
    @Override
    public void addLibraries(JettyBase base) throws IOException {
        base.copy(Distribution.sessionStores().resolve("infinispan"));
        Path module = base.directory().resolve(LIBRARIES);
        Files.createDirectories(module.getParent());
        Files.writeString(module, "[description]\nWhat is in lib/infinispan.\n");
    }

    /** The nodes find each other on this machine, and find no others. */
    @Override
    public List<String> jvmOptions() {
        return List.of("-Djgroups.bind.address=127.0.0.1", "-Djgroups.mcast_port=" + multicastPort);
    }

    @Override
    public String configure(int node, JettyBase base, ExampleConfiguration nodeIni) throws IOException {
        Path xml = base.directory().resolve("etc/infinispan.xml");
        Files.writeString(
                xml,
                ExampleConfiguration.read(xml)
                        .replace(LOCAL_CACHE, Documentation.snippet(RECIPES, "infinispan-xml"))
                        .text());
        return SessionStore.withoutDatabase(nodeIni).text()
                + Documentation.snippet(RECIPES, "infinispan-serialization");
    }

    @Override
    public String describe() {
        return "";
    }

    @Override
    public void close() {}
}

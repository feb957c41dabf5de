package io.github.jettyfastcgi.it;

import java.io.IOException;
import java.util.List;

/** Where nodes keep their sessions, set up by a recipe of NODES.md, in which addresses and passwords are replaced. */
interface SessionStore extends AutoCloseable {
    /** The document with the recipes. */
    String RECIPES = "nodes/NODES.md";

    /** The name of the snippet with the command that adds the modules. */
    String modules();

    /** Puts what the modules need from Maven Central where they look for it. */
    void addLibraries(JettyBase base) throws IOException;

    /** Options of the JVM of each node, which keep it from the network and from other tests. */
    default List<String> jvmOptions() {
        return List.of();
    }

    /**
     * Does for a node what the recipe says besides.
     *
     * @param node 0 for the first one
     * @param base has the modules
     * @param nodeIni that of the archive
     * @return the text of the node's node.ini
     */
    String configure(int node, JettyBase base, ExampleConfiguration nodeIni) throws IOException;

    /** What its processes said, for messages. */
    String describe();

    @Override
    void close();

    /** What is left of node.ini for a store that is no database. */
    static ExampleConfiguration withoutDatabase(ExampleConfiguration nodeIni) {
        return nodeIni.disable("etc/session-pool.xml")
                .disable("session.pool.url")
                .disable("session.pool.user")
                .disable("session.pool.password")
                .disable("session.pool.size");
    }
}

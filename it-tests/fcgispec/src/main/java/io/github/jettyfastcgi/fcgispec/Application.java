package io.github.jettyfastcgi.fcgispec;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** What the application at the other end offers, asked for once. */
final class Application {
    private static final int NOT_OFFERED = 501;

    private final Options options;
    private final Map<String, Boolean> offers = new HashMap<>();

    Application(Options options) {
        this.options = options;
    }

    /**
     * Fails unless the application offers what every case builds on.
     *
     * @throws IOException when it can't be reached
     */
    void check() throws IOException {
        try (Probe probe = new Probe(options.patient(), this)) {
            probe.ask(probe.request("variables").set("FCGISPEC_CHECK", "1")).tells("FCGISPEC_CHECK", "1");
            probe.ask(probe.request("size=3")).has(Pairs.bytes("abc"));
            probe.ask(probe.request("echo").content(Pairs.bytes("echo"))).has(Pairs.bytes("echo"));
        }
    }

    /** Skips the case unless the application knows the query; its part before an equals sign tells. */
    void needs(String query) throws IOException {
        String action = query.replaceAll("=.*", "");
        Boolean offered = offers.get(action);
        if (offered == null) offers.put(action, offered = knows(query));
        if (!offered) throw new Skipped("the application doesn't offer " + action);
    }

    /** {@return whether it answers anything but that it doesn't know the query} An odd answer is for the case to judge. */
    private boolean knows(String query) throws IOException {
        try (Probe probe = new Probe(options, this)) {
            return probe.ask(probe.request(query)).head().status() != NOT_OFFERED;
        } catch (Unmet e) {
            return true;
        }
    }
}

package io.github.jettyfastcgi.fcgispec;

import java.util.Map;
import java.util.TreeMap;

/** The cases that the connector doesn't meet, on purpose, and the reasons that CONFORMANCE.md gives. */
final class Deviations {
    static final Map<String, String> REASONS = new TreeMap<>(Map.of(
            "output-aligned",
            "content goes out from where it is, or with its header in one buffer; padding would be a write or a copy "
                    + "more, and web servers take records by their lengths",
            "values-while-running",
            "while a thread handles a request nobody else reads its connection, which saves a hop between threads for "
                    + "each request; the answer follows the response. Web servers ask before their first request"));

    private Deviations() {}
}

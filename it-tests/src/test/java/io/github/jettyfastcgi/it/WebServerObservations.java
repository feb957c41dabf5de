package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/** What the tests saw of each web server wherever a {@link WebServerDifference} is known. */
final class WebServerObservations {
    private final Map<WebServerDifference, Map<WebServer, String>> seen = new EnumMap<>(WebServerDifference.class);

    /** Fails when it isn't what is known of the web server; else takes it down. */
    void check(WebServerDifference difference, WebServer server, Object actual) {
        boolean isByChance = difference.expected(server).equals(WebServerDifference.Deviation.BY_CHANCE);
        String value = isByChance ? WebServerDifference.Deviation.BY_CHANCE : String.valueOf(actual);
        assertThat(value).as(difference.title()).isEqualTo(difference.expected(server));
        seen.computeIfAbsent(difference, any -> new EnumMap<>(WebServer.class)).put(server, value);
    }

    Map<WebServerDifference, Map<WebServer, String>> seen() {
        return seen;
    }

    /** Whether everything that is known to differ was seen of every web server. */
    boolean isComplete() {
        return Arrays.stream(WebServerDifference.values())
                .allMatch(difference -> seen.getOrDefault(difference, Map.of()).size() == WebServer.values().length);
    }
}

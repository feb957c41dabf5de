package io.github.jettyfastcgi.it;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Replaces what differs between any two answers, the same way of the web server or not. */
final class Normalization {
    /** Jetty's session ids, in cookies with the name of the node; its threads; instants as ISO 8601 writes them. */
    static final Normalization STANDARD = new Normalization(List.of())
            .and("node0[0-9a-z]{8,}(?:\\.node0)?", "SESSION")
            .and("qtp\\d+-\\d+", "THREAD")
            .and("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z", "INSTANT");

    /** The format of dates in fields. */
    static final String HTTP_DATE = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \\d\\d \\w{3} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT";

    private record Replacement(Pattern pattern, String replacement) {}

    private final List<Replacement> replacements;

    private Normalization(List<Replacement> replacements) {
        this.replacements = replacements;
    }

    /** This one, and then another replacement. */
    Normalization and(String regex, String replacement) {
        List<Replacement> more = new ArrayList<>(replacements);
        more.add(new Replacement(Pattern.compile(regex), replacement));
        return new Normalization(List.copyOf(more));
    }

    String apply(String text) {
        String result = text;
        for (Replacement replacement : replacements) {
            result = replacement.pattern.matcher(result).replaceAll(replacement.replacement);
        }
        return result;
    }
}

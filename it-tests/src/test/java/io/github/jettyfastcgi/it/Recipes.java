package io.github.jettyfastcgi.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** What a document tells its reader to do with Jetty. */
final class Recipes {
    private static final Pattern ADD_MODULES =
            Pattern.compile("(?m)^ *java -jar \\$JETTY_HOME/start\\.jar --add-modules=(\\S+)$");
    private static final Pattern PROPERTY = Pattern.compile("(?m)^(jetty\\.[\\w.]+)=.+$");

    private final String text;

    private Recipes(String text) {
        this.text = text;
    }

    static Recipes of(String text) {
        return new Recipes(text);
    }

    static Recipes read(Path document) throws IOException {
        return of(Files.readString(document));
    }

    /** The modules that each command adds, separated by commas. */
    List<String> modules() {
        return groups(ADD_MODULES);
    }

    /** The names of Jetty's properties that stand with a value on a line of their own. */
    List<String> properties() {
        return groups(PROPERTY);
    }

    private List<String> groups(Pattern pattern) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }
}

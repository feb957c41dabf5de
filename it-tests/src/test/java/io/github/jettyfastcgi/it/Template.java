package io.github.jettyfastcgi.it;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Text with words between @ that are filled in. */
final class Template {
    private static final Pattern WORD = Pattern.compile("@(\\w+)@");

    private Template() {}

    /** The resource of this name with each of its words replaced; a word without a value is an error. */
    static String fill(String resource, Map<String, String> values) {
        return WORD.matcher(Resources.text(resource)).replaceAll(word -> {
            String value = values.get(word.group(1));
            if (value == null) {
                throw new IllegalArgumentException(resource + ": no value for " + word.group());
            }
            return Matcher.quoteReplacement(value);
        });
    }
}

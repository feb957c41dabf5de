package io.github.jettyfastcgi.it;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Text with words between @ that are filled in. */
final class Template {
    private static final Pattern WORD = Pattern.compile("@(\\w+)@");

    private Template() {}

    /** The resource of this name with each of its words replaced; a word without a value is an error. */
    static String fill(String resource, Map<String, String> values) throws IOException {
        try (InputStream input = Template.class.getClassLoader().getResourceAsStream(resource)) {
            String text = new String(input.readAllBytes(), StandardCharsets.UTF_8);
            return WORD.matcher(text).replaceAll(word -> {
                String value = values.get(word.group(1));
                if (value == null) {
                    throw new IllegalArgumentException(resource + ": no value for " + word.group());
                }
                return Matcher.quoteReplacement(value);
            });
        }
    }
}

package io.github.jettyfastcgi.it;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A form of an HTML page.
 *
 * @param action where it is sent to, as the page has it
 * @param fields its input elements that have a name and a value; more may be put in
 */
record Form(String action, Map<String, String> fields) {
    private static final Pattern FORM = Pattern.compile("(?s)(<form\\b[^>]*>)(.*?)</form>");
    private static final Pattern INPUT = Pattern.compile("<input\\b[^>]*>");

    /** The first form whose opening tag contains the text. */
    static Form in(Answer page, String text) {
        Matcher form = FORM.matcher(page.text());
        while (form.find()) {
            if (form.group(1).contains(text)) {
                Map<String, String> fields = new LinkedHashMap<>();
                INPUT.matcher(form.group(2)).results().forEach(input -> {
                    String name = attribute(input.group(), "name");
                    String value = attribute(input.group(), "value");
                    if (name != null && value != null) {
                        fields.put(name, value);
                    }
                });
                return new Form(attribute(form.group(1), "action"), fields);
            }
        }
        throw new AssertionError("No form with " + text + " in\n" + page.text());
    }

    /** The value of an attribute, or null. */
    private static String attribute(String tag, String name) {
        Matcher attribute =
                Pattern.compile("\\b" + name + "=(?:\"([^\"]*)\"|'([^']*)')").matcher(tag);
        if (!attribute.find()) {
            return null;
        }
        String value = attribute.group(1) != null ? attribute.group(1) : attribute.group(2);
        return value.replace("&amp;", "&");
    }

    Form with(String name, String value) {
        fields.put(name, value);
        return this;
    }
}

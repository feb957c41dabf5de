package io.github.jettyfastcgi.fcgispec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The header block of a CGI response (RFC 3875, 6.3). */
record Head(List<Field> fields) {
    private static final Pattern FIELD = Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*");
    private static final Pattern STATUS = Pattern.compile("[1-9][0-9]{2}( .*)?");

    /** A field, or a line that is none: without a name. */
    record Field(String name, String value) {
        boolean is(String other) {
            return name.equalsIgnoreCase(other);
        }
    }

    /** {@return the length of the header block with its blank line, or -1 if there is none} */
    static int length(byte[] response) {
        for (int at = 0, line = 0; at < response.length; at++) {
            if (response[at] != '\n') continue;
            int length = at - line - (at > line && response[at - 1] == '\r' ? 1 : 0);
            if (length == 0) return at + 1;
            line = at + 1;
        }
        return -1;
    }

    static Head parse(byte[] response, Object context) {
        int length = length(response);
        Unmet.unless(length >= 0, "no blank line ends a header block: " + context);
        List<Field> fields = new ArrayList<>();
        for (String line : new String(response, 0, length, ISO_8859_1).split("\r?\n")) {
            var matcher = FIELD.matcher(line);
            fields.add(matcher.matches() ? new Field(matcher.group(1), matcher.group(2)) : new Field("", line));
        }
        return new Head(fields);
    }

    List<String> values(String name) {
        return fields.stream().filter(field -> field.is(name)).map(Field::value).toList();
    }

    boolean has(String name) {
        return !values(name).isEmpty();
    }

    /** {@return the status, with the defaults of RFC 3875, 6.2} */
    int status() {
        List<String> values = values("Status");
        if (values.isEmpty()) return has("Location") ? 302 : 200;
        String value = values.get(0);
        Unmet.unless(STATUS.matcher(value).matches(), "Status: " + value);
        return Integer.parseInt(value.substring(0, 3));
    }
}

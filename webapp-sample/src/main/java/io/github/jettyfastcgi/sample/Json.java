package io.github.jettyfastcgi.sample;

import java.util.Map;

/** Writes JSON (RFC 8259) from maps, iterables, strings, finite numbers, booleans and null. */
final class Json {
    private final StringBuilder out = new StringBuilder();

    private Json() {}

    static String of(Object value) {
        Json json = new Json();
        json.write(value);
        return json.out.toString();
    }

    private void write(Object value) {
        if (value == null || value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else if (value instanceof String text) {
            writeString(text);
        } else if (value instanceof Map<?, ?> map) {
            writeObject(map);
        } else if (value instanceof Iterable<?> elements) {
            writeArray(elements);
        } else {
            throw new IllegalArgumentException("no JSON for " + value.getClass());
        }
    }

    private void writeObject(Map<?, ?> map) {
        out.append('{');
        String separator = "";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            out.append(separator);
            writeString((String) entry.getKey());
            out.append(':');
            write(entry.getValue());
            separator = ",";
        }
        out.append('}');
    }

    private void writeArray(Iterable<?> elements) {
        out.append('[');
        String separator = "";
        for (Object element : elements) {
            out.append(separator);
            write(element);
            separator = ",";
        }
        out.append(']');
    }

    private void writeString(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> out.append('\\').append(c);
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    // A lone surrogate has no UTF-8 form: escaped, it still reaches the reader as it is.
                    if (c < ' ' || isLoneSurrogate(text, i)) {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    private static boolean isLoneSurrogate(String text, int index) {
        char c = text.charAt(index);
        if (Character.isHighSurrogate(c)) {
            return index + 1 == text.length() || !Character.isLowSurrogate(text.charAt(index + 1));
        }
        return Character.isLowSurrogate(c) && (index == 0 || !Character.isHighSurrogate(text.charAt(index - 1)));
    }
}

package io.github.jettyfastcgi.status;

import java.util.Map;

/** Writes JSON (RFC 8259): maps, iterables, texts, numbers, booleans, {@code null}. */
final class Json {
    private static final double ROUNDING = 1000;

    private final StringBuilder out = new StringBuilder();

    private Json() {}

    /** {@return the text of a value; a number with a fraction has three digits of it} */
    static String of(Object value) {
        Json json = new Json();
        json.put(value);
        return json.out.toString();
    }

    private void put(Object value) {
        if (value instanceof Map<?, ?> map) {
            putMap(map);
        } else if (value instanceof Iterable<?> values) {
            putAll(values);
        } else if (value instanceof Double number) {
            put(number.doubleValue());
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else {
            putText(value.toString());
        }
    }

    private void put(double number) {
        double rounded = Math.round(number * ROUNDING) / ROUNDING;
        if (rounded == Math.rint(rounded)) out.append((long) rounded);
        else out.append(rounded);
    }

    private void putMap(Map<?, ?> map) {
        char separator = '{';
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            out.append(separator);
            putText(entry.getKey().toString());
            out.append(':');
            put(entry.getValue());
            separator = ',';
        }
        out.append(map.isEmpty() ? "{}" : "}");
    }

    private void putAll(Iterable<?> values) {
        out.append('[');
        int begin = out.length();
        for (Object value : values) {
            if (out.length() > begin) out.append(',');
            put(value);
        }
        out.append(']');
    }

    private void putText(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') out.append('\\').append(c);
            else if (c < ' ' || c == '\u2028' || c == '\u2029' || Character.isSurrogate(c)) putEscape(c);
            else out.append(c);
        }
        out.append('"');
    }

    private void putEscape(char c) {
        out.append(String.format("\\u%04x", (int) c));
    }
}

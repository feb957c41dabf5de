package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.jettyfastcgi.it.RawConnection.Field;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.eclipse.jetty.util.ajax.JSON;

/**
 * Takes an answer apart into named values, so that two answers to the same request can be compared one by one:
 *
 * <ul>
 *   <li>{@code status};
 *   <li>{@code field NAME} for each name, with its values in order;
 *   <li>{@code content}, or for JSON {@code content NAME} for each member, and {@code content NAME ITEM} for each item
 *       of a member that is a list: of strings, or of pairs of a name, whatever its case, and a value;
 *   <li>{@code end}: whether all of the answer came.
 * </ul>
 *
 * <p>What may differ between any two answers is made equal: the {@link Normalization} replaces text, and the client's
 * port and a multipart content's boundary are replaced likewise; the order of fields of different names is lost; a Date
 * is only checked to be one; compressed content is expanded; Content-Length, once it is checked to be the length of the
 * content, becomes the length of the replaced content, and for JSON, whose members are compared, no length.
 */
final class Aspects {
    private static final Pattern BOUNDARY = Pattern.compile("boundary=\"?([^\";]+)");

    private final SortedMap<String, String> values = new TreeMap<>();
    private final Answer answer;
    private final Normalization normalization;

    private Aspects(Answer answer, Normalization standard) {
        this.answer = answer;
        Normalization ofAnswer = standard.and("\\b" + answer.clientPort() + "\\b", "CLIENT-PORT");
        Matcher boundary = BOUNDARY.matcher(answer.field("Content-Type"));
        this.normalization = boundary.find() ? ofAnswer.and(Pattern.quote(boundary.group(1)), "BOUNDARY") : ofAnswer;
    }

    static SortedMap<String, String> of(Answer answer, Normalization standard) throws IOException {
        Aspects aspects = new Aspects(answer, standard);
        aspects.add("status", Integer.toString(answer.status()));
        aspects.add("end", answer.whole() ? "whole" : "cut off");
        aspects.addFieldsAndContent();
        return aspects.values;
    }

    private void add(String name, String value) {
        values.merge(name, value, (before, next) -> before + " | " + next);
    }

    private void addFieldsAndContent() throws IOException {
        String expanded = expandedContent();
        String content = normalization.apply(expanded);
        boolean isJson = answer.field("Content-Type").startsWith("application/json");
        for (Field field : answer.head().fields()) {
            String value = switch (field.name()) {
                case "Date" -> checkedDate(field.value());
                case "Content-Length" -> checkedLength(field.value(), isJson, content);
                default -> normalization.apply(field.value());
            };
            add("field " + field.name(), value);
        }
        if (isJson && new JSON().fromJSON(expanded) instanceof Map<?, ?> members) {
            members.forEach((name, value) -> addMember("content " + name, value));
        } else {
            add("content", content);
        }
    }

    private String expandedContent() throws IOException {
        byte[] content = answer.content();
        if (answer.field("Content-Encoding").equals("gzip")) {
            content = new GZIPInputStream(new ByteArrayInputStream(content)).readAllBytes();
        }
        return new String(content, StandardCharsets.ISO_8859_1);
    }

    private static String checkedDate(String value) {
        DateTimeFormatter.RFC_1123_DATE_TIME.parse(value);
        return "DATE";
    }

    /** Of an answer without content, such as the one to HEAD, it is the length that the content would have. */
    private String checkedLength(String value, boolean isJson, String content) {
        if (content.isEmpty()) {
            return value;
        }
        assertThat(value).isEqualTo(Integer.toString(answer.content().length));
        return isJson ? "LENGTH" : Integer.toString(content.length());
    }

    private void addMember(String name, Object value) {
        if (value instanceof Object[] items && items.length > 0) {
            for (Object item : items) {
                if (item instanceof Object[] pair && pair.length == 2) {
                    add(name + " " + pair[0].toString().toLowerCase(Locale.ROOT), textOf(pair[1]));
                } else {
                    add(name + " " + textOf(item), "there");
                }
            }
        } else {
            add(name, textOf(value));
        }
    }

    private String textOf(Object value) {
        return normalization.apply(value instanceof String text ? text : new JSON().toJSON(value));
    }
}

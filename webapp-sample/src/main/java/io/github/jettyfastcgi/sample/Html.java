package io.github.jettyfastcgi.sample;

import java.util.Arrays;
import java.util.Collection;
import java.util.stream.Collectors;

/**
 * A piece of HTML. {@link #of} escapes each argument that isn't HTML itself, so no value gets into a page unescaped:
 *
 * <pre>{@code
 * Html row = Html.of("<tr><th>%s<td>%s", name, value);
 * Html table = Html.of("<table>%s</table>", Html.join(rows));
 * }</pre>
 *
 * @param markup the text, as it goes into the page
 */
public record Html(String markup) {

    /**
     * Fills a template.
     *
     * @param template HTML, written by the programmer; each {@code %s} stands for an argument
     * @param arguments HTML is inserted as it is, all else as escaped text
     */
    public static Html of(String template, Object... arguments) {
        return new Html(String.format(
                template, Arrays.stream(arguments).map(Html::markupOf).toArray()));
    }

    /** Puts pieces one behind the other, each on its own line. */
    public static Html join(Collection<Html> pieces) {
        return new Html(pieces.stream().map(Html::markup).collect(Collectors.joining("\n")));
    }

    private static String markupOf(Object value) {
        return value instanceof Html html ? html.markup : escape(String.valueOf(value));
    }

    /** Makes text safe as the content of an element and as an attribute's value in either kind of quotes. */
    static String escape(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                default -> escaped.append(c);
            }
        }
        return escaped.toString();
    }

    /** The markup, so that a JSP can write it with an expression. */
    @Override
    public String toString() {
        return markup;
    }
}

package io.github.jettyfastcgi.status.advice;

import java.util.Map;

/**
 * What to change.
 *
 * @param severity how much it matters
 * @param title what is the matter, one sentence
 * @param figure the figure that says so
 * @param where where to change it
 * @param change the lines to change
 */
public record Advice(Severity severity, String title, String figure, String where, String change) {
    /** Where settings of this connector are made. */
    static final String IN_JETTY = "In $JETTY_BASE/start.d/, then restart Jetty:";

    /** {@return where directives of a web server are written} */
    static String in(WebServer webServer, String block) {
        return "In " + block + " of " + webServer + "'s configuration:";
    }

    /** Lines of a web server's configuration, and the block that they belong to. */
    record Directive(String block, String lines) {}

    /** {@return an advice with the directive of the web server in front, or {@code null} if that has none} */
    static Advice of(
            Observations seen, Severity severity, String title, String figure, Map<WebServer, Directive> directives) {
        Directive directive = directives.get(seen.webServer());
        if (directive == null) return null;
        return new Advice(severity, title, figure, in(seen.webServer(), directive.block()), directive.lines());
    }
}

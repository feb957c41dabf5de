package io.github.jettyfastcgi.cgi;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.util.StringUtil;

/**
 * What a meta-variable is to the request.
 */
enum Variable {
    // What the request is made of: RFC 3875, section 4.1, and what all web servers in use add to it
    CONTENT_LENGTH(HttpHeader.CONTENT_LENGTH),
    CONTENT_TYPE(HttpHeader.CONTENT_TYPE),
    HTTPS,
    HTTP_HOST(HttpHeader.HOST),
    PATH_INFO,
    QUERY_STRING,
    REMOTE_ADDR,
    REMOTE_PORT,
    REQUEST_METHOD,
    REQUEST_SCHEME,
    REQUEST_URI,
    SCRIPT_NAME,
    SERVER_ADDR,
    SERVER_NAME,
    SERVER_PORT,
    SERVER_PROTOCOL,

    /** A field of the request: HTTP_ and its name. */
    FIELD,

    /**
     * A field that isn't the request's: about the connection between client and web server (RFC 9110, section 7.6.1);
     * a name that a client can forge beside the true CONTENT_TYPE and CONTENT_LENGTH; the coding of a body that the web
     * server has decoded; HTTP_PROXY, which libraries take for the environment variable of that name. Fields that the
     * client's Connection names stay: it could name those which the web server has set.
     */
    DROPPED_FIELD,

    /** Anything else: readable as an attribute, without influence on the request. */
    OTHER;

    static final String FIELD_PREFIX = "HTTP_";

    private static final Set<String> DROPPED_FIELDS = Set.of(
            FIELD_PREFIX,
            "HTTP_CONNECTION",
            "HTTP_CONTENT_LENGTH",
            "HTTP_CONTENT_TYPE",
            "HTTP_KEEP_ALIVE",
            "HTTP_PROXY",
            "HTTP_TE",
            "HTTP_TRAILER",
            "HTTP_TRANSFER_ENCODING",
            "HTTP_UPGRADE");

    private static final Map<String, Variable> NAMED = Arrays.stream(values())
            .filter(variable -> variable.compareTo(FIELD) < 0)
            .collect(Collectors.toUnmodifiableMap(Variable::name, Function.identity()));

    private static final Map<String, HttpHeader> HEADERS = Arrays.stream(HttpHeader.values())
            .filter(header -> !header.isPseudo())
            .collect(Collectors.toUnmodifiableMap(
                    header -> FIELD_PREFIX
                            + header.asString().toUpperCase(Locale.ROOT).replace('-', '_'),
                    Function.identity()));

    private final HttpHeader header;

    Variable() {
        this(null);
    }

    Variable(HttpHeader header) {
        this.header = header;
    }

    /** {@return the field that this variable is by another name, or {@code null}} */
    HttpHeader header() {
        return header;
    }

    static Variable of(String name) {
        Variable named = NAMED.get(name);
        if (named != null) return named;
        if (!name.startsWith(FIELD_PREFIX)) return OTHER;
        String folded = folded(name);
        if (folded.equals(HTTP_HOST.name())) return HTTP_HOST;
        return DROPPED_FIELDS.contains(folded) || folded.startsWith("HTTP_PROXY_") ? DROPPED_FIELD : FIELD;
    }

    /** {@return the names that are known: those that have a meaning of their own, and those of well-known headers} */
    static Stream<String> names() {
        return Stream.of(NAMED.keySet(), DROPPED_FIELDS, HEADERS.keySet())
                .flatMap(Set::stream)
                .distinct();
    }

    /** {@return the well-known header of a FIELD variable, or {@code null}} */
    static HttpHeader headerOf(String name) {
        return HEADERS.get(folded(name));
    }

    /**
     * {@return the name as RFC 3875 spells it, since a field is the same in any case} A web server that leaves case or
     * hyphens as the client sent them lets no client get round what is dropped.
     */
    private static String folded(String name) {
        return StringUtil.asciiToUpperCase(name).replace('-', '_');
    }

    /**
     * {@return the name of a field without a well-known header} The web server made it upper case and {@code _} of
     * {@code -} (RFC 3875, section 4.1.18); field names know no case, so the usual spelling is as good as the lost one.
     */
    static String fieldName(String name) {
        char[] chars = name.substring(FIELD_PREFIX.length()).toCharArray();
        boolean first = true;
        for (int i = 0; i < chars.length; i++) {
            if (chars[i] == '_') chars[i] = '-';
            else if (!first) chars[i] = lowerCase(chars[i]);
            first = chars[i] == '-';
        }
        return new String(chars);
    }

    private static char lowerCase(char c) {
        return c >= 'A' && c <= 'Z' ? (char) (c + ('a' - 'A')) : c;
    }
}

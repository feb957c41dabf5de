package io.github.jettyfastcgi.cgi;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which variables an application gets to see, besides what the request is made of.
 *
 * <p>Never: HTTP_*, which are the request's fields, and what a web server passes on of its own environment or of
 * passwords. Under their own name as an attribute: those that the operator lists, unless the container takes attributes
 * of that name as true. (A web server may let others than the operator set variables.)
 */
public final class VariableFilter {
    /** Nothing. */
    public static final VariableFilter NONE = new VariableFilter(Set.of(), List.of());

    private static final String WILDCARD = "*";
    private static final Set<String> HIDDEN =
            Set.of("FASTCGI_SECRET", "LD_LIBRARY_PATH", "PATH", "REMOTE_PASSWD", "SERVER_SIGNATURE");
    private static final List<String> RESERVED_PREFIXES =
            List.of("jakarta.servlet.", "javax.servlet.", "org.eclipse.jetty.", "io.github.jettyfastcgi.");

    private final Set<String> names;
    private final List<String> prefixes;

    private VariableFilter(Set<String> names, List<String> prefixes) {
        this.names = names;
        this.prefixes = prefixes;
    }

    /**
     * Reads a setting.
     *
     * @param patterns names separated by commas, each with an optional {@code *} at its end; empty for none
     * @return the filter
     * @throws IllegalArgumentException for a pattern that isn't one, or can't match anything
     */
    public static VariableFilter parse(String patterns) {
        if (patterns.isBlank()) return NONE;
        Set<String> names = new HashSet<>();
        List<String> prefixes = new ArrayList<>();
        for (String part : patterns.split(",", -1)) {
            String pattern = part.strip();
            boolean isPrefix = pattern.endsWith(WILDCARD);
            String name = isPrefix ? pattern.substring(0, pattern.length() - 1) : pattern;
            check(pattern, name, isPrefix);
            if (isPrefix) prefixes.add(name);
            else names.add(name);
        }
        return new VariableFilter(names, prefixes);
    }

    private static void check(String pattern, String name, boolean isPrefix) {
        boolean isName = name.chars().allMatch(c -> c > ' ' && c < 0x7F && c != '*' && c != '=');
        if (pattern.isEmpty() || !isName)
            throw new IllegalArgumentException("'" + pattern + "' (expected: a name, or a name and * at its end)");
        if (isReserved(name) || isField(name) || !isPrefix && HIDDEN.contains(name))
            throw new IllegalArgumentException("'" + pattern + "' (a variable of that name is never an attribute)");
    }

    /** {@return whether a variable of this name is a field of the request, which a client can set} */
    public static boolean isField(String name) {
        return name.startsWith(Variable.FIELD_PREFIX);
    }

    /** {@return whether a variable of this name is seen at all} */
    static boolean isVisible(String name) {
        return !isField(name) && !HIDDEN.contains(name);
    }

    /** {@return whether a variable is seen as an attribute of the same name} */
    public boolean matches(String name) {
        boolean isListed = names.contains(name) || startsWithAny(name, prefixes);
        return isListed && isVisible(name) && !isReserved(name);
    }

    /** {@return the names that {@link #matches match}} */
    public List<String> matching(Collection<String> candidates) {
        return candidates.stream().filter(this::matches).toList();
    }

    private static boolean isReserved(String name) {
        return startsWithAny(name, RESERVED_PREFIXES);
    }

    private static boolean startsWithAny(String name, List<String> prefixes) {
        for (String prefix : prefixes) if (name.startsWith(prefix)) return true;
        return false;
    }
}

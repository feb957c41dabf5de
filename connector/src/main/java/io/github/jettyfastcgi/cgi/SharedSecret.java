package io.github.jettyfastcgi.cgi;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * What the web server has to tell with each request, in a variable, so that it is served. Immutable.
 */
public final class SharedSecret {
    private static final String REDIRECT = "REDIRECT_";
    private static final byte[] REDIRECT_BYTES = REDIRECT.getBytes(StandardCharsets.US_ASCII);

    private final byte[] name;
    private final byte[] secret;

    /**
     * Creates a secret.
     *
     * @param variable the name of the variable
     * @param secret the value that it has to have, not empty
     */
    public SharedSecret(String variable, String secret) {
        this.name = variable.getBytes(StandardCharsets.ISO_8859_1);
        this.secret = secret.getBytes(StandardCharsets.UTF_8);
        if (this.secret.length == 0) throw new IllegalArgumentException("No secret");
    }

    /**
     * Checks the name of a variable.
     *
     * @param variable the name
     * @return the name
     * @throws IllegalArgumentException if it is no name, or if clients have a say in the value
     */
    public static String checkVariable(String variable) {
        boolean isName = variable != null
                && !variable.isEmpty()
                && variable.chars().allMatch(c -> c > ' ' && c < 0x7F && c != '=');
        if (!isName || variable.startsWith(REDIRECT) || Variable.of(variable) != Variable.OTHER)
            throw new IllegalArgumentException(
                    "'" + variable + "' (expected: the name of a variable that clients have no say in)");
        return variable;
    }

    /**
     * Takes the variable out of those of a request, so that nothing gets to see it, and what Apache httpd makes of it when
     * it redirects a request internally: the same with REDIRECT_ before its name.
     *
     * @param variables the variables
     * @return whether the variable was there and had the right value; where it is repeated, each time, so that a request
     *     is one attempt
     */
    public boolean takeFrom(MetaVariables variables) {
        boolean found = false;
        boolean right = true;
        for (int i = variables.size() - 1; i >= 0; i--) {
            int prefix = redirectsLength(variables, i);
            if (variables.nameLength(i) - prefix != name.length || !variables.hasInName(i, prefix, name)) continue;
            if (prefix == 0) {
                found = true;
                // It takes as long as the first one is, and tells nothing of the other
                right &= MessageDigest.isEqual(variables.value(i), secret);
            }
            variables.remove(i);
        }
        return found && right;
    }

    /** {@return the length of what Apache httpd has put before a name, once for each redirect} */
    private static int redirectsLength(MetaVariables variables, int i) {
        int length = 0;
        while (variables.hasInName(i, length, REDIRECT_BYTES)) length += REDIRECT_BYTES.length;
        return length;
    }
}

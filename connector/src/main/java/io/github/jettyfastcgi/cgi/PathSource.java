package io.github.jettyfastcgi.cgi;

/**
 * Which variables lead to the URI of a request.
 */
public enum PathSource {
    /**
     * REQUEST_URI: what the client sent, undecoded. Web servers other than HAProxy leave it as it was before a rewrite.
     */
    REQUEST_URI("request-uri"),

    /**
     * SCRIPT_NAME and PATH_INFO, encoded again, with QUERY_STRING: what the web server made of it, rewrites included.
     * They are decoded, so that {@code %2F} can't be told from {@code /}.
     */
    SCRIPT_NAME("script-name");

    private final String value;

    PathSource(String value) {
        this.value = value;
    }

    /**
     * Reads a setting.
     *
     * @param value {@code request-uri} or {@code script-name}
     * @return the source
     * @throws IllegalArgumentException for any other value
     */
    public static PathSource from(String value) {
        for (PathSource source : values()) if (source.value.equals(value)) return source;
        throw new IllegalArgumentException("'" + value + "' (expected: request-uri or script-name)");
    }

    /** {@return the setting's value} */
    @Override
    public String toString() {
        return value;
    }
}

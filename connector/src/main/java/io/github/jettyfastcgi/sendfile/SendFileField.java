package io.github.jettyfastcgi.sendfile;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The fields by which web servers take a file for the content of a response. */
enum SendFileField {
    /** nginx: the URI of a location. Of the other fields of the response it passes on these alone (ngx_http_upstream). */
    X_ACCEL_REDIRECT(
            "X-Accel-Redirect",
            true,
            List.of("Cache-Control", "Content-Disposition", "Content-Type", "Expires", "Set-Cookie")),

    /** Apache httpd with mod_xsendfile: a path as it is. All fields are passed on. */
    X_SENDFILE("X-Sendfile", false, null),

    /** lighttpd: a path, percent-encoded. All fields are passed on. */
    X_LIGHTTPD_SEND_FILE("X-LIGHTTPD-send-file", true, null);

    private final String fieldName;
    private final boolean isEncoded;
    private final List<String> kept;

    SendFileField(String fieldName, boolean isEncoded, List<String> kept) {
        this.fieldName = fieldName;
        this.isEncoded = isEncoded;
        this.kept = kept;
    }

    /**
     * Finds a field.
     *
     * @param name its name, in any case
     * @return the field
     * @throws IllegalArgumentException for a name that none has
     */
    static SendFileField named(String name) {
        for (SendFileField field : values()) if (field.fieldName.equalsIgnoreCase(name)) return field;
        String names = Arrays.stream(values()).map(SendFileField::fieldName).collect(Collectors.joining(", "));
        throw new IllegalArgumentException("'" + name + "' (expected: one of " + names + ")");
    }

    String fieldName() {
        return fieldName;
    }

    /** {@return whether the web server passes on whatever the response has} */
    boolean keepsAll() {
        return kept == null;
    }

    /** {@return the names of what the web server passes on, unless that is all} */
    List<String> kept() {
        return kept;
    }

    /**
     * Writes a path as the web server expects it.
     *
     * @param bytes the path, see {@link PathBytes}
     * @return the value of the field; {@code null} if it can't be one
     */
    String value(String bytes) {
        if (isEncoded) return PathBytes.encode(bytes);
        boolean isSayable = bytes.equals(bytes.strip()) && bytes.chars().noneMatch(b -> b < ' ' || b == 0x7F);
        return isSayable ? bytes : null;
    }
}

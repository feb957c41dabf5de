package io.github.jettyfastcgi.sendfile;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Paths as the file system has them, as strings of which each character is a byte: what Java makes of a name depends on
 * the locale that it was started with, and what isn't a name in that locale's encoding can't be told from its string.
 */
final class PathBytes {
    private static final String UNRESERVED = "-._~";

    private PathBytes() {}

    /** {@return the bytes of an absolute path} */
    static String of(Path path) {
        String encoded = path.toUri().getRawPath(); // encodes the bytes, not what Java takes them for
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(encoded.length());
        for (int i = 0; i < encoded.length(); i++) {
            char c = encoded.charAt(i);
            if (c == '%') {
                bytes.write(Integer.parseInt(encoded, i + 1, i + 3, 16));
                i += 2;
            } else {
                bytes.write(c);
            }
        }
        return bytes.toString(StandardCharsets.ISO_8859_1);
    }

    /** {@return the bytes of a text in UTF-8} */
    static String of(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    /** {@return the bytes percent-encoded, but for slashes and what never needs it (RFC 3986, section 2.3)} */
    static String encode(String bytes) {
        StringBuilder encoded = new StringBuilder(bytes.length());
        for (int i = 0; i < bytes.length(); i++) {
            char b = bytes.charAt(i);
            boolean isPlain = b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9';
            if (isPlain || b == '/' || UNRESERVED.indexOf(b) >= 0) encoded.append(b);
            else encoded.append(String.format("%%%02X", (int) b));
        }
        return encoded.toString();
    }
}

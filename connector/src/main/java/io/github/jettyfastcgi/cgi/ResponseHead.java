package io.github.jettyfastcgi.cgi;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Set;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpGenerator;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.PreEncodedHttpField;

/**
 * The head of a CGI response (RFC 3875, section 6.2): the fields, then {@code Status}, then an empty line.
 *
 * <p>Status is always there and comes last, since web servers take a Location for a redirect only, or no redirect at all,
 * depending on it. Fields about the connection never leave (RFC 9110, section 7.6.1), nor does a field named Status; no
 * name and no value can end its line, since {@link HttpGenerator#putTo} replaces the bytes that could.
 */
public final class ResponseHead {
    private static final Set<HttpHeader> HOP_BY_HOP = EnumSet.of(
            HttpHeader.CONNECTION,
            HttpHeader.KEEP_ALIVE,
            HttpHeader.PROXY_AUTHENTICATE,
            HttpHeader.PROXY_AUTHORIZATION,
            HttpHeader.PROXY_CONNECTION,
            HttpHeader.TE,
            HttpHeader.TRAILER,
            HttpHeader.TRANSFER_ENCODING,
            HttpHeader.UPGRADE);

    private static final String STATUS = "Status";
    private static final String PROXY_PREFIX = "Proxy-";
    private static final String VARIABLE_PREFIX = "Variable-";
    private static final byte[] CRLF = {'\r', '\n'};
    private static final int FIRST_STATUS = 200;
    private static final byte[][] STATUS_LINES = new byte[600 - FIRST_STATUS][];

    static {
        for (int i = 0; i < STATUS_LINES.length; i++) STATUS_LINES[i] = statusLine(FIRST_STATUS + i);
    }

    private ResponseHead() {}

    /**
     * Writes a head.
     *
     * @param status the status, 200 to 999; interim responses have no place in CGI
     * @param fields the fields
     * @param buffer is advanced over the head
     * @throws java.nio.BufferOverflowException when the buffer is too small
     */
    public static void putTo(int status, HttpFields fields, ByteBuffer buffer) {
        boolean hasContent = hasContent(status);
        for (HttpField field : fields) if (crosses(field, hasContent)) HttpGenerator.putTo(sanitizable(field), buffer);
        int index = status - FIRST_STATUS;
        buffer.put(index < STATUS_LINES.length ? STATUS_LINES[index] : statusLine(status));
    }

    /** {@return whether a response of this status may carry content (RFC 9110, section 6.4.1)} */
    public static boolean hasContent(int status) {
        return status != HttpStatus.NO_CONTENT_204 && status != HttpStatus.NOT_MODIFIED_304;
    }

    /**
     * Writes the head of an Authorizer's answer (FastCGI specification 1.0, section 6.3): as {@link #putTo}, but Status
     * comes first, since lighttpd drops whatever comes before a Status that refuses. Behind a 200 there are the variables
     * alone, {@code Variable-NAME}: any other field would be about a response that the client doesn't get.
     *
     * @param status the status, 200 to 999
     * @param fields the fields
     * @param buffer is advanced over the head
     * @throws java.nio.BufferOverflowException when the buffer is too small
     */
    public static void putAuthorizationTo(int status, HttpFields fields, ByteBuffer buffer) {
        byte[] statusLine = statusLine(status);
        buffer.put(statusLine, 0, statusLine.length - CRLF.length);
        boolean allows = status == HttpStatus.OK_200;
        boolean hasContent = hasContent(status);
        for (HttpField field : fields) {
            boolean isSent = allows ? startsWith(field.getName(), VARIABLE_PREFIX) : crosses(field, hasContent);
            if (isSent) HttpGenerator.putTo(sanitizable(field), buffer);
        }
        buffer.put(CRLF);
    }

    /** {@return whether an Authorizer's answer has a variable for the request that it allows} */
    public static boolean hasVariable(HttpFields fields) {
        for (HttpField field : fields) if (startsWith(field.getName(), VARIABLE_PREFIX)) return true;
        return false;
    }

    private static boolean startsWith(String name, String prefix) {
        return name.regionMatches(true, 0, prefix, 0, prefix.length());
    }

    private static boolean crosses(HttpField field, boolean hasContent) {
        HttpHeader header = field.getHeader();
        if (header == null) header = HttpHeader.CACHE.get(field.getName()); // pre-encoded by name
        if (header == HttpHeader.CONTENT_LENGTH) return hasContent;
        if (header != null) return !header.isPseudo() && !HOP_BY_HOP.contains(header);
        String name = field.getName();
        return !STATUS.equalsIgnoreCase(name) && !startsWith(name, PROXY_PREFIX);
    }

    /** {@return the field, in a form that putTo sanitizes: it doesn't look into a pre-encoded one} */
    private static HttpField sanitizable(HttpField field) {
        boolean isSafe = !(field instanceof PreEncodedHttpField)
                || !hasControls(field.getName()) && !hasControls(field.getValue());
        return isSafe ? field : new HttpField(field.getHeader(), field.getName(), field.getValue());
    }

    private static boolean hasControls(String string) {
        for (int i = 0; i < string.length(); i++) if (string.charAt(i) < ' ' && string.charAt(i) != '\t') return true;
        return false;
    }

    private static byte[] statusLine(int status) {
        return ("Status: " + status + " " + HttpStatus.getMessage(status) + "\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1);
    }
}

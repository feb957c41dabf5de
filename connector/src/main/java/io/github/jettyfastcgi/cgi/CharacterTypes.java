package io.github.jettyfastcgi.cgi;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Which bytes may stand where, by RFC 9110 and RFC 3986.
 */
final class CharacterTypes {
    private static final String TOKEN_MARKS = "!#$%&'*+-.^_`|~";
    private static final String PATH_MARKS = "-._~!$&'()*+,;=:@/";
    private static final char[] HEX = "0123456789ABCDEF".toCharArray();

    private static final boolean[] TOKEN = alphanumericAnd(TOKEN_MARKS);
    private static final boolean[] PATH = alphanumericAnd(PATH_MARKS);

    private CharacterTypes() {}

    static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    /** {@return whether there is a control byte other than a tab} */
    static boolean hasControls(byte[] bytes, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            byte b = bytes[i];
            if (b >= 0 && b < ' ' && b != '\t' || b == 0x7F) return true;
        }
        return false;
    }

    /** {@return whether the bytes are a token (RFC 9110, section 5.6.2), as methods and field names are} */
    static boolean isToken(byte[] bytes, int offset, int length) {
        for (int i = offset; i < offset + length; i++) if (bytes[i] < 0 || !TOKEN[bytes[i]]) return false;
        return length > 0;
    }

    static boolean isToken(String string) {
        for (int i = 0; i < string.length(); i++) {
            char c = string.charAt(i);
            if (c >= TOKEN.length || !TOKEN[c]) return false;
        }
        return !string.isEmpty();
    }

    /** {@return whether the bytes could be the target of a request line: no blanks, no controls} */
    static boolean isTarget(byte[] bytes, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            byte b = bytes[i];
            if (b >= 0 && b <= ' ' || b == 0x7F) return false;
        }
        return length > 0;
    }

    /** Percent-encodes the bytes that have no place in a path (RFC 3986, section 3.3); slashes and parameters stay. */
    static void encodePath(byte[] bytes, int offset, int length, StringBuilder builder) {
        for (int i = offset; i < offset + length; i++) {
            byte b = bytes[i];
            if (b >= 0 && PATH[b]) builder.append((char) b);
            else builder.append('%').append(HEX[b >> 4 & 0xF]).append(HEX[b & 0xF]);
        }
    }

    /** {@return the bytes as text: UTF-8 if they are well-formed, else ISO-8859-1} */
    static String decode(byte[] bytes, int offset, int length) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, offset, length))
                    .toString();
        } catch (CharacterCodingException x) {
            return new String(bytes, offset, length, StandardCharsets.ISO_8859_1);
        }
    }

    private static boolean[] alphanumericAnd(String marks) {
        boolean[] types = new boolean[128];
        for (char c = '0'; c <= '9'; c++) types[c] = true;
        for (char c = 'A'; c <= 'Z'; c++) types[c] = true;
        for (char c = 'a'; c <= 'z'; c++) types[c] = true;
        for (int i = 0; i < marks.length(); i++) types[marks.charAt(i)] = true;
        return types;
    }
}

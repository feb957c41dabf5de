package io.github.jettyfastcgi.cgi;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the name of a cipher suite tells, in the spelling of the IANA and the JDK as well as in OpenSSL's, which most web
 * servers have ({@code TLS_AES_128_GCM_SHA256}, {@code ECDHE-RSA-AES128-GCM-SHA256}).
 */
public final class CipherSuite {
    private static final Pattern SIZED = Pattern.compile("(?:AES|CAMELLIA|ARIA|RC4)[-_]?(\\d{2,3})(?!\\d)");

    private CipherSuite() {}

    /**
     * Deduces the effective key size.
     *
     * @param name the name of a cipher suite
     * @return the size in bits, 0 for no encryption and for a cipher that isn't known
     */
    public static int keySize(String name) {
        Matcher sized = SIZED.matcher(name);
        if (sized.find()) return Integer.parseInt(sized.group(1));
        if (name.contains("CHACHA20")) return 256;
        if (name.contains("3DES") || name.contains("CBC3")) return 168;
        if (name.contains("DES40")) return 40;
        if (name.contains("RC4") || name.contains("SEED") || name.contains("IDEA")) return 128;
        return name.contains("DES") ? 56 : 0;
    }
}

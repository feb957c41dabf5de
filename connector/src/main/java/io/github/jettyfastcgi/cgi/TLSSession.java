package io.github.jettyfastcgi.cgi;

import java.util.ArrayList;
import java.util.List;

/**
 * What a web server tells of the TLS session with its client, in the variables of Apache's mod_ssl, which the others
 * follow. What it doesn't tell is {@code null}.
 *
 * @param protocol the protocol's version, such as {@code TLSv1.3}
 * @param cipherSuite the name of the cipher suite, in the web server's spelling
 * @param keySize the effective key size of the cipher in bits, 0 when it isn't known
 * @param id the id of the session
 * @param certificates the client's certificate and its chain, if the web server has verified them, in the spelling that
 *     {@link ClientCertificates} reads; else empty
 */
public record TLSSession(String protocol, String cipherSuite, int keySize, String id, List<String> certificates) {
    private static final String VERIFIED = "SUCCESS";

    /** {@return the session that the variables tell of, {@code null} when they tell nothing} */
    public static TLSSession of(MetaVariables variables) {
        String protocol = get(variables, "SSL_PROTOCOL");
        String cipherSuite = get(variables, "SSL_CIPHER");
        String id = get(variables, "SSL_SESSION_ID");
        List<String> certificates = certificates(variables);
        if (protocol == null && cipherSuite == null && id == null && certificates.isEmpty()) return null;
        return new TLSSession(protocol, cipherSuite, keySize(variables, cipherSuite), id, certificates);
    }

    private static int keySize(MetaVariables variables, String cipherSuite) {
        String size = get(variables, "SSL_CIPHER_USEKEYSIZE");
        if (size != null && size.matches("\\d{1,4}")) return Integer.parseInt(size);
        return cipherSuite == null ? 0 : CipherSuite.keySize(cipherSuite);
    }

    private static List<String> certificates(MetaVariables variables) {
        String verify = variables.get("SSL_CLIENT_VERIFY");
        String certificate = get(variables, "SSL_CLIENT_CERT");
        if (certificate == null || verify != null && !verify.equals(VERIFIED)) return List.of();
        List<String> certificates = new ArrayList<>();
        while (certificate != null) {
            certificates.add(certificate);
            certificate = get(variables, "SSL_CLIENT_CERT_CHAIN_" + (certificates.size() - 1));
        }
        return List.copyOf(certificates);
    }

    /** Empty means absent. */
    private static String get(MetaVariables variables, String name) {
        String value = variables.get(name);
        return value == null || value.isEmpty() ? null : value;
    }
}

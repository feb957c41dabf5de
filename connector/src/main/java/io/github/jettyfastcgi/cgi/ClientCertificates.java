package io.github.jettyfastcgi.cgi;

import java.io.ByteArrayInputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * Reads the certificates of a client, in any way in which web servers write them into a variable: PEM, with line feeds or
 * with line feeds and tabs (nginx), percent-encoded as a whole or not (nginx), and base64 of DER without armour (HAProxy,
 * Caddy). One value may hold several, one behind the other.
 */
public final class ClientCertificates {
    private static final String BEGIN = "-----BEGIN CERTIFICATE-----";
    private static final String END = "-----END CERTIFICATE-----";
    private static final int DER_SEQUENCE = 0x30;

    private ClientCertificates() {}

    /**
     * Reads a chain. All of it is good, or nothing is.
     *
     * @param values the variables' values, the client's own certificate first
     * @return the certificates, in order; one that comes twice in a row is there once
     * @throws CertificateException when anything isn't a certificate
     */
    public static X509Certificate[] parse(List<String> values) throws CertificateException {
        List<X509Certificate> certificates = new ArrayList<>();
        for (String value : values) {
            String text = value.indexOf('%') < 0 ? value : percentDecoded(value);
            for (byte[] der : encodings(text)) addAll(der, certificates);
        }
        return certificates.toArray(new X509Certificate[0]);
    }

    private static List<byte[]> encodings(String text) throws CertificateException {
        String rest = text.strip();
        if (!rest.startsWith(BEGIN)) return List.of(base64Decoded(rest));
        List<byte[]> encodings = new ArrayList<>();
        while (!rest.isEmpty()) {
            int end = rest.indexOf(END);
            if (!rest.startsWith(BEGIN) || end < 0) throw new CertificateException("Neither PEM nor base64");
            encodings.add(base64Decoded(rest.substring(BEGIN.length(), end)));
            rest = rest.substring(end + END.length()).strip();
        }
        return encodings;
    }

    private static byte[] base64Decoded(String text) throws CertificateException {
        StringBuilder compact = new StringBuilder(text.length());
        text.chars().filter(c -> !Character.isWhitespace(c)).forEach(c -> compact.append((char) c));
        try {
            return Base64.getDecoder().decode(compact.toString());
        } catch (IllegalArgumentException x) {
            throw new CertificateException("Neither PEM nor base64", x);
        }
    }

    private static void addAll(byte[] der, List<X509Certificate> certificates) throws CertificateException {
        // The factory would read PEM as well
        if (der.length == 0 || der[0] != DER_SEQUENCE) throw new CertificateException("No DER");
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        ByteArrayInputStream input = new ByteArrayInputStream(der);
        while (input.available() > 0) {
            X509Certificate next = (X509Certificate) factory.generateCertificate(input);
            boolean repeated = !certificates.isEmpty()
                    && certificates.get(certificates.size() - 1).equals(next);
            if (!repeated) certificates.add(next);
        }
    }

    private static String percentDecoded(String value) throws CertificateException {
        try {
            // A plus sign is base64's here, not a blank
            return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.ISO_8859_1);
        } catch (IllegalArgumentException x) {
            throw new CertificateException("Bad percent-encoding", x);
        }
    }
}

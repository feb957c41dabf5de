package io.github.jettyfastcgi.it;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A self-signed certificate, made by the JDK's keytool. */
final class Certificate {
    private static final char[] PASSWORD = "certificate".toCharArray();
    private static final String ALIAS = "site";

    private final KeyStore keyStore;

    private Certificate(KeyStore keyStore) {
        this.keyStore = keyStore;
    }

    /** Creates a certificate for 127.0.0.1 in an empty directory. */
    static Certificate create(Path directory) throws IOException, GeneralSecurityException, InterruptedException {
        return create(directory, "127.0.0.1");
    }

    static Certificate create(Path directory, String commonName)
            throws IOException, GeneralSecurityException, InterruptedException {
        Path file = directory.resolve("site.p12");
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        List<String> command = List.of(
                keytool,
                "-genkeypair",
                "-alias",
                ALIAS,
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + commonName,
                "-ext",
                "san=ip:127.0.0.1",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                new String(PASSWORD));
        try (ServerProcess process = ServerProcess.start("keytool", directory, command)) {
            process.awaitExit(Duration.ofSeconds(30));
        }
        KeyStore keyStore = KeyStore.getInstance("PKCS12");
        try (InputStream input = Files.newInputStream(file)) {
            keyStore.load(input, PASSWORD);
        }
        return new Certificate(keyStore);
    }

    /** Writes certificate and key as web servers read them. */
    void writePem(Path certificate, Path key) throws IOException, GeneralSecurityException {
        Files.writeString(
                certificate, pem("CERTIFICATE", keyStore.getCertificate(ALIAS).getEncoded()));
        Key privateKey = keyStore.getKey(ALIAS, PASSWORD);
        Files.writeString(key, pem("PRIVATE KEY", privateKey.getEncoded()));
    }

    /** A context for clients that trust this certificate and no other. */
    SSLContext clientContext() throws IOException, GeneralSecurityException {
        return clientContext(null);
    }

    /** The same for clients that show the other certificate, if it isn't null. */
    SSLContext clientContext(Certificate client) throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(ALIAS, keyStore.getCertificate(ALIAS));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(client == null ? null : client.keyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    private KeyManager[] keyManagers() throws GeneralSecurityException {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(keyStore, PASSWORD);
        return keys.getKeyManagers();
    }

    private static String pem(String type, byte[] der) {
        String base64 = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(der);
        return "-----BEGIN " + type + "-----\n" + base64 + "\n-----END " + type + "-----\n";
    }
}

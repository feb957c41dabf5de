package io.github.jettyfastcgi.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A real nginx that serves HTTPS on a port of the loopback address, with a certificate of its own. */
final class Nginx implements AutoCloseable {
    private static final char[] PASSWORD = "certificate".toCharArray();
    private static final long LIMIT_SECONDS = 20;

    private final Process process;
    private final Path errorLog;
    private final int port;
    private final SSLContext clientContext;

    private Nginx(Process process, Path errorLog, int port, SSLContext clientContext) {
        this.process = process;
        this.errorLog = errorLog;
        this.port = port;
        this.clientContext = clientContext;
    }

    /**
     * Starts it; the test is skipped where there is none, unless continuous integration runs it.
     *
     * @param directory an empty one
     * @param fastcgi the address that it passes requests on to
     */
    static Nginx start(Path directory, String fastcgi) throws Exception {
        String program = program();
        KeyStore certificate = certificate(directory);
        int port = freePort();
        Path errorLog = directory.resolve("error.log");
        Path file = Files.writeString(
                directory.resolve("nginx.conf"), configuration(port, fastcgi, Files.readString(example())));
        Process process = new ProcessBuilder(
                        program, "-p", directory + "/", "-e", errorLog.toString(), "-c", file.toString())
                .inheritIO()
                .start();
        Nginx nginx = new Nginx(process, errorLog, port, clientContext(certificate));
        nginx.awaitAccepting();
        return nginx;
    }

    private static String program() {
        List<Path> places = Stream.concat(Stream.of(System.getenv("PATH").split(":")), Stream.of("/usr/sbin"))
                .map(directory -> Path.of(directory, "nginx"))
                .filter(Files::isExecutable)
                .toList();
        assumeTrue(!places.isEmpty() || System.getenv("CI") != null, "nginx is missing");
        assertThat(places).as("places of nginx").isNotEmpty();
        return places.get(0).toString();
    }

    /** {@return the configuration that the archive of the connector has for nginx} */
    private static Path example() {
        return Path.of("../src/main/config/fastcgi-examples/nginx.conf");
    }

    private static String configuration(int port, String fastcgi, String example) {
        String site = example.replace("unix:/srv/jetty/run/fastcgi.sock;", fastcgi + ";")
                .replace(
                        "listen 80;",
                        "listen 127.0.0.1:" + port + " ssl; ssl_certificate site.pem; ssl_certificate_key site.key;");
        assertThat(site).contains(fastcgi, "ssl_certificate site.pem");
        String user = System.getProperty("user.name").equals("root") ? "user root;" : "";
        return user + """
                daemon off; worker_processes 1; pid nginx.pid;
                events { worker_connections 64; }
                http {
                access_log off; client_body_temp_path body; fastcgi_temp_path fastcgi;
                proxy_temp_path proxy; scgi_temp_path scgi; uwsgi_temp_path uwsgi;
                """ + site + "}\n";
    }

    private static KeyStore certificate(Path directory)
            throws IOException, GeneralSecurityException, InterruptedException {
        Path file = directory.resolve("site.p12");
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        Process process = new ProcessBuilder(
                        keytool,
                        "-genkeypair",
                        "-alias",
                        "site",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=127.0.0.1",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        new String(PASSWORD))
                .inheritIO()
                .start();
        assertThat(process.waitFor()).isZero();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream input = Files.newInputStream(file)) {
            store.load(input, PASSWORD);
        }
        writePem(
                directory.resolve("site.pem"),
                "CERTIFICATE",
                store.getCertificate("site").getEncoded());
        writePem(
                directory.resolve("site.key"),
                "PRIVATE KEY",
                store.getKey("site", PASSWORD).getEncoded());
        return store;
    }

    private static void writePem(Path file, String kind, byte[] bytes) throws IOException {
        String base64 = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(bytes);
        Files.writeString(file, "-----BEGIN " + kind + "-----\n" + base64 + "\n-----END " + kind + "-----\n");
    }

    private static SSLContext clientContext(KeyStore store) throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("site", store.getCertificate("site"));
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void awaitAccepting() throws Exception {
        long begin = System.nanoTime();
        while (!accepts(port)) {
            assertThat(process.isAlive()).as(errors()).isTrue();
            assertThat(System.nanoTime() - begin).isLessThan(TimeUnit.SECONDS.toNanos(LIMIT_SECONDS));
            Thread.sleep(10);
        }
    }

    static boolean accepts(int port) {
        try {
            new Socket(InetAddress.getLoopbackAddress(), port).close();
            return true;
        } catch (IOException x) {
            return false;
        }
    }

    /** {@return the URL of the site, without a path} */
    String url() {
        return "https://127.0.0.1:" + port;
    }

    /** {@return a context for clients, which trusts the certificate of the site} */
    SSLContext clientContext() {
        return clientContext;
    }

    /** {@return the error log} */
    String errors() throws IOException {
        return Files.exists(errorLog) ? Files.readString(errorLog) : "";
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS).join();
    }
}

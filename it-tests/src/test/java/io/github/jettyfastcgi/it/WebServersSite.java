package io.github.jettyfastcgi.it;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;

/**
 * Jetty with both FastCGI connectors and HTTP, and in front of it one web server after another. It serves the sample
 * application, and under {@code /probe} pages that tell and do what the sample doesn't.
 */
final class WebServersSite implements AutoCloseable {
    /** What the examples tell as the secret. */
    private static final String SECRET = "the secret";

    private final Path directory;
    private final Certificate certificate;
    private final Certificate clientCertificate;
    private final JettyBase base;
    private final ServerProcess jetty;
    private final int directPort = Ports.free();
    private final int fastcgiPort = Ports.free();
    private final int idleSockets;
    private RunningWebServer server;

    /**
     * Starts Jetty.
     *
     * @param directory empty, with a short path
     * @param settings more arguments for start.jar
     */
    WebServersSite(Path directory, String... settings)
            throws IOException, GeneralSecurityException, InterruptedException {
        this(directory, "ee10", List.of(), settings);
    }

    /**
     * Starts Jetty.
     *
     * @param directory empty, with a short path
     * @param environment the servlet environment that serves the applications: ee10, ee11
     * @param modules further modules
     * @param settings more arguments for start.jar
     */
    WebServersSite(Path directory, String environment, List<String> modules, String... settings)
            throws IOException, GeneralSecurityException, InterruptedException {
        this.directory = directory;
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
        certificate = Certificate.create(Files.createDirectory(directory.resolve("certificate")));
        clientCertificate = Certificate.create(Files.createDirectory(directory.resolve("client")));
        List<String> enabled = new ArrayList<>(List.of("fastcgi-unix", "fastcgi-tcp", "http", "compression-gzip"));
        enabled.addAll(List.of(environment + "-deploy", environment + "-jsp"));
        enabled.addAll(modules);
        base = JettyBase.create(directory.resolve("base"), enabled.toArray(String[]::new))
                .deploySample("ROOT")
                .copy(Resources.directory("web-servers/base"));
        List<String> arguments = new ArrayList<>(List.of(
                "jetty.http.host=127.0.0.1",
                "jetty.http.port=" + directPort,
                "jetty.fastcgi.tcp.port=" + fastcgiPort,
                "jetty.fastcgi.secret=" + SECRET));
        arguments.addAll(List.of(settings));
        if (WebServerSettings.isRoot()) {
            arguments.add("jetty.fastcgi.unix.group=" + WebServerSettings.UNPRIVILEGED);
        }
        jetty = base.start(List.of("-Xmx256m"), arguments.toArray(String[]::new));
        idleSockets = openSockets();
    }

    /** Starts a web server in a directory of its own. */
    void startServer(WebServer kind, Transport transport)
            throws IOException, GeneralSecurityException, InterruptedException {
        Path own = Files.createDirectory(directory.resolve(kind.name().toLowerCase() + "-" + transport));
        WebServerSettings settings =
                new WebServerSettings(own, transport, base.unixSocket(), fastcgiPort, Ports.free(), Ports.free());
        certificate.writePem(settings.certificate(), settings.key());
        clientCertificate.writePem(settings.clientAuthority(), own.resolve("client.key"));
        Files.writeString(
                settings.certificateAndKey(),
                Files.readString(settings.certificate()) + Files.readString(settings.key()));
        server = RunningWebServer.start(kind, settings, base.directory().resolve("fastcgi-examples"));
    }

    void stopServer() {
        if (server != null) {
            server.close();
            server = null;
        }
    }

    JettyBase base() {
        return base;
    }

    /** The port of the web server for HTTP. */
    int port() {
        return server.settings().port();
    }

    /** The port of Jetty's own HTTP connector, to compare with. */
    int directPort() {
        return directPort;
    }

    URI tlsUri(String target) {
        return URI.create("https://127.0.0.1:" + server.settings().tlsPort() + target);
    }

    /** A client that trusts the web server's certificate, and shows its own to those who ask. */
    HttpClient tlsClient(HttpClient.Version version) throws IOException, GeneralSecurityException {
        return HttpClient.newBuilder()
                .version(version)
                .sslContext(certificate.clientContext(clientCertificate))
                .build();
    }

    /** How many sockets Jetty has open, listening ones among them. */
    int openSockets() throws IOException {
        Path descriptors = Path.of("/proc", Long.toString(jetty.pid()), "fd");
        int sockets = 0;
        try (var files = Files.newDirectoryStream(descriptors)) {
            for (Path file : files) {
                if (isSocket(file)) {
                    sockets++;
                }
            }
        }
        return sockets;
    }

    private static boolean isSocket(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
        } catch (IOException e) {
            return false; // closed meanwhile
        }
    }

    /** How many sockets Jetty has open without any connection. */
    int idleSockets() {
        return idleSockets;
    }

    ServerProcess jetty() {
        return jetty;
    }

    /** The web server that is running. */
    RunningWebServer server() {
        return server;
    }

    /** What both servers said, for messages. */
    String describe() {
        return jetty.tail() + "\n" + (server == null ? "" : server.describe());
    }

    @Override
    public void close() {
        try (jetty) {
            stopServer();
        }
    }
}

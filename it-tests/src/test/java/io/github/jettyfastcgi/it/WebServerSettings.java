package io.github.jettyfastcgi.it;

import java.nio.file.Path;
import java.util.Map;

/**
 * What a web server in front of Jetty is told.
 *
 * @param directory its own, for whatever it reads and writes
 * @param transport how it reaches Jetty
 * @param socket the path of Jetty's socket
 * @param fastcgiPort Jetty's port for FastCGI
 * @param port the port to listen on for HTTP
 * @param tlsPort the port to listen on for HTTPS
 */
record WebServerSettings(Path directory, Transport transport, Path socket, int fastcgiPort, int port, int tlsPort) {
    /** Who runs a web server that refuses to be run by root, and has to be let in by the socket. */
    static final String UNPRIVILEGED = "daemon";

    static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    Path certificate() {
        return directory.resolve("site.crt");
    }

    Path key() {
        return directory.resolve("site.key");
    }

    /** Certificate and key in one file. */
    Path certificateAndKey() {
        return directory.resolve("site.pem");
    }

    /** What the certificates of clients are verified with. */
    Path clientAuthority() {
        return directory.resolve("clients.pem");
    }

    /** The words of the configuration around an example. */
    Map<String, String> words(Path example) {
        return Map.of(
                "directory", directory.toString(),
                "example", example.toString(),
                "port", Integer.toString(port),
                "tlsPort", Integer.toString(tlsPort),
                "user", System.getProperty("user.name"),
                "unprivileged", isRoot() ? "User " + UNPRIVILEGED + "\nGroup " + UNPRIVILEGED : "");
    }
}

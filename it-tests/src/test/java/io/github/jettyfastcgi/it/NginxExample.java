package io.github.jettyfastcgi.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The nginx configuration that the archive brings as an example, with nothing changed but its two addresses. */
final class NginxExample {
    private NginxExample() {}

    /** Configures nginx to serve a base with the module fastcgi-unix on a port of the loopback address. */
    static String configuration(JettyBase base, int port) throws IOException {
        return configuration(servers(base, port));
    }

    /** A whole configuration around the text for its http block. */
    static String configuration(String servers) {
        return Template.fill("example-nginx.conf", Map.of("user", NginxServer.userDirective(), "example", servers));
    }

    /** The example alone, for the http block of a configuration. */
    static String servers(JettyBase base, int port) throws IOException {
        return servers(base, port, "unix:" + base.unixSocket());
    }

    /** The same for a base with the module fastcgi-tcp. */
    static String servers(JettyBase base, int port, int fastcgiPort) throws IOException {
        return servers(base, port, "127.0.0.1:" + fastcgiPort);
    }

    private static String servers(JettyBase base, int port, String jetty) throws IOException {
        Path file = base.directory().resolve("fastcgi-examples").resolve("nginx.conf");
        String example = replace(Files.readString(file), "unix:/srv/jetty/run/fastcgi.sock;", jetty + ";");
        return replace(example, "listen 80;", "listen 127.0.0.1:" + port + ";");
    }

    /** The same over TLS, with every variable that the example leaves out, and with more for the server block. */
    static String secureServers(JettyBase base, int port, String more) throws IOException {
        String listen = "listen 127.0.0.1:" + port;
        String example = replace(servers(base, port), listen + ";", listen + " ssl;\n" + more);
        return example.replaceAll("(?m)^( *)#(fastcgi_param .*;)$", "$1$2");
    }

    private static String replace(String text, String target, String replacement) {
        if (!text.contains(target)) {
            throw new AssertionError("The example no longer has " + target + "\n" + text);
        }
        return text.replace(target, replacement);
    }
}

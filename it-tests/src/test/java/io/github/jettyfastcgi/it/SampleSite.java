package io.github.jettyfastcgi.it;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;

/** The sample application in Jetty, with both FastCGI connectors and HTTP, behind nginx with every {@link Front}. */
final class SampleSite implements AutoCloseable {
    private static final Pattern HTTP_CONNECTOR = Pattern.compile("\\{HTTP/1\\.1.*\\{127\\.0\\.0\\.1:(\\d+)}");

    private final Map<Front, Integer> ports = new EnumMap<>(Front.class);
    private final int tlsPort = Ports.free();
    private final Certificate certificate;
    private final JettyBase base;
    private final ServerProcess jetty;
    private final NginxServer nginx;
    private int outputTaken;

    /**
     * Starts everything.
     *
     * @param directory empty, with a short path
     * @param environment the servlet environment that serves the application: ee10, ee11
     */
    SampleSite(Path directory, String environment) throws IOException, GeneralSecurityException, InterruptedException {
        this(directory, environment, List.of(), List.of());
    }

    /**
     * Starts everything, with further modules.
     *
     * @param properties settings for {@code start.jar}
     */
    SampleSite(Path directory, String environment, List<String> modules, List<String> properties)
            throws IOException, GeneralSecurityException, InterruptedException {
        WebServers.require("nginx");
        Path nginxDirectory = Files.createDirectories(directory.resolve("nginx"));
        certificate = Certificate.create(nginxDirectory);
        certificate.writePem(nginxDirectory.resolve("site.crt"), nginxDirectory.resolve("site.key"));
        List<String> allModules = new ArrayList<>(
                List.of("fastcgi-unix", "fastcgi-tcp", "http", environment + "-deploy", environment + "-jsp"));
        allModules.addAll(modules);
        base = JettyBase.create(directory.resolve("base"), allModules.toArray(String[]::new))
                .deploySample("ROOT");
        int tcpPort = Ports.free();
        List<String> allProperties = new ArrayList<>(
                List.of("jetty.http.host=127.0.0.1", "jetty.http.port=0", "jetty.fastcgi.tcp.port=" + tcpPort));
        allProperties.addAll(properties);
        jetty = base.start(List.of("-Xmx256m"), allProperties.toArray(String[]::new));
        try {
            nginx = NginxServer.start(nginxDirectory, Template.fill("matrix-nginx.conf", configurationValues(tcpPort)));
        } catch (Throwable e) {
            jetty.close();
            throw e;
        }
    }

    private Map<String, String> configurationValues(int tcpPort) {
        Map<String, String> values = new HashMap<>();
        values.put("user", NginxServer.userDirective());
        values.put("unixPath", base.unixSocket().toString());
        values.put("tcpPort", Integer.toString(tcpPort));
        values.put("tlsPort", Integer.toString(tlsPort));
        for (Front front : Front.values()) {
            ports.put(front, Ports.free());
            values.put(front.name(), Integer.toString(port(front)));
        }
        return values;
    }

    int port(Front front) {
        return ports.get(front);
    }

    URI uri(Front front, String target) {
        return URI.create("http://127.0.0.1:" + port(front) + target);
    }

    /** The address over TLS, which nginx ends. */
    URI tlsUri(String target) {
        return URI.create("https://127.0.0.1:" + tlsPort + target);
    }

    /** The address that Jetty's own HTTP connector serves, to compare with. */
    URI directUri(String target) {
        return jetty.output().stream()
                .map(HTTP_CONNECTOR::matcher)
                .filter(Matcher::find)
                .map(connector -> URI.create("http://127.0.0.1:" + connector.group(1) + target))
                .findFirst()
                .orElseThrow(() -> new AssertionError("No HTTP connector. " + jetty.tail()));
    }

    SSLContext clientTls() throws IOException, GeneralSecurityException {
        return certificate.clientContext();
    }

    JettyBase base() {
        return base;
    }

    ServerProcess jetty() {
        return jetty;
    }

    NginxServer nginx() {
        return nginx;
    }

    /** What the connector warned of since the last call; Jetty's log abbreviates the package to {@code igj}. */
    List<String> takeConnectorWarnings() {
        List<String> output = jetty.output();
        List<String> recent = output.subList(outputTaken, output.size());
        outputTaken = output.size();
        return recent.stream().filter(line -> line.contains(":WARN :igj")).toList();
    }

    /** What both servers said, for messages. */
    String describe() {
        return jetty.tail() + "\n" + nginx.describe();
    }

    @Override
    public void close() {
        try (jetty) {
            nginx.close();
        }
    }
}

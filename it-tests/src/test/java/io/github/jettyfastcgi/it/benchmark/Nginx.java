package io.github.jettyfastcgi.it.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** nginx with one worker and, for each way to an application, a server of its own. */
final class Nginx {
    private static final int POOLED_CONNECTIONS = 128;

    /** Names the upstream without a pool: else a row without kept connections would find those of another row in it. */
    private static final String UNKEPT = "-unkept";

    /** A server of the configuration. */
    private record Way(Row row, Application application, boolean buffered) {}

    private final Map<Way, Integer> ports = new HashMap<>();
    private final StringBuilder upstreams = new StringBuilder();
    private final StringBuilder servers = new StringBuilder();
    private final Map<String, String> addresses;
    private final Path directory;

    /**
     * Prepares a configuration.
     *
     * @param addresses of the applications, by name
     * @param directory where it is written
     */
    Nginx(Map<String, String> addresses, Path directory) {
        this.addresses = addresses;
        this.directory = directory;
        addresses.forEach((name, address) -> {
            if (!name.endsWith("ajp-tcp")) {
                upstreams.append("    upstream %s { server %s; keepalive %d; keepalive_requests 100000000; }%n"
                        .formatted(name, address, POOLED_CONNECTIONS));
                upstreams.append("    upstream %s { server %s; }%n".formatted(name + UNKEPT, address));
            }
        });
        for (Row row : Row.values()) {
            for (Application application : Application.values()) {
                addServer(row, application, true);
                addServer(row, application, false);
            }
        }
    }

    private void addServer(Row row, Application application, boolean buffered) {
        String upstream = row.upstream(application);
        boolean reachable = row.backend() == Row.Backend.NONE || addresses.containsKey(upstream);
        boolean exists = row.backend() == Row.Backend.JETTY || application == Application.SERVLET;
        if (row.front() != Row.Front.NGINX || !reachable || !exists) {
            return;
        }
        int port = Ports.free();
        ports.put(new Way(row, application, buffered), port);
        servers.append("    server { listen 127.0.0.1:%d; location / { %s } }%n"
                .formatted(port, location(row, upstream) + (buffered ? "" : " " + unbuffered(row))));
    }

    private String location(Row row, String name) {
        String upstream = row.isKept() ? name : name + UNKEPT;
        if (row == Row.STATIC_FILE) {
            return "root static;";
        }
        if (row.isFastCGI()) {
            return "fastcgi_pass " + upstream + "; include fastcgi_params;"
                    + (row.isKept() ? " fastcgi_keep_conn on;" : "")
                    + (row == Row.PHP ? " fastcgi_param SCRIPT_FILENAME " + directory + "/application.php;" : "");
        }
        return "proxy_pass http://" + upstream + "; include proxy_params;"
                + (row.isKept() ? " proxy_http_version 1.1; proxy_set_header Connection \"\";" : "");
    }

    private static String unbuffered(Row row) {
        String protocol = row.isFastCGI() ? "fastcgi" : "proxy";
        return "%s_buffering off; %1$s_request_buffering off;".formatted(protocol);
    }

    /** Starts it and waits until it accepts connections. */
    Program start(Path log) throws IOException, InterruptedException {
        Sources.copy("fastcgi_params", directory);
        Sources.copy("proxy_params", directory);
        Files.createDirectories(directory.resolve("static"));
        Files.writeString(directory.resolve("static/hello"), "Hello, world!");
        Path configuration = Sources.fill(
                "nginx.conf",
                directory,
                Map.of(
                        "user", Servers.isRoot() ? "user root;" : "",
                        "upstreams", upstreams.toString(),
                        "servers", servers.toString()));
        Program nginx = Program.start(
                directory,
                log,
                List.of(
                        Program.find("nginx").orElseThrow(() -> new IOException("nginx is not on this machine")),
                        "-p",
                        directory + "/",
                        "-e",
                        directory.resolve("error.log").toString(),
                        "-c",
                        configuration.toString()));
        Ports.awaitAccepting(nginx, ports.values().iterator().next());
        return nginx;
    }

    /** {@code null} when the row can't be reached. */
    Integer port(Row row, Cell cell) {
        Application application = row.backend() == Row.Backend.JETTY ? cell.application() : Application.SERVLET;
        return ports.get(new Way(row, application, cell.buffered()));
    }
}

package io.github.jettyfastcgi.fcgispec;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.eclipse.jetty.server.Server;

/**
 * An application of others, as a process that runs until it is closed.
 *
 * @param name heads its column in CONFORMANCE.md
 * @param version what it is
 * @param arguments what fcgispec is told of it: its address and options
 */
record Peer(String name, String version, List<String> arguments, Process process) implements Closeable {
    private static final Path APPLICATIONS =
            Path.of("src", "test", "applications").toAbsolutePath();
    private static final Duration START_LIMIT = Duration.ofSeconds(20);

    /** php-fpm started by root has to become somebody else. */
    private static final String PHP_USER = System.getProperty("user.name").equals("root") ? "user = nobody" : "";

    static Peer php(Path directory) throws IOException {
        String program = output("sh", "-c", "ls /usr/sbin/php-fpm* | tail -1");
        Path socket = directory.resolve("php.sock");
        Path script = Files.copy(APPLICATIONS.resolve("fcgispec.php"), directory.resolve("fcgispec.php"));
        Path configuration =
                Files.writeString(directory.resolve("php-fpm.conf"), """
                [global]
                error_log = %1$s/php-fpm.log
                daemonize = no
                [fcgispec]
                %2$s
                listen = %3$s
                listen.mode = 0666
                pm = static
                pm.max_children = 8
                php_admin_flag[log_errors] = on
                php_admin_value[output_buffering] = 0
                """.formatted(directory, PHP_USER, socket));
        return start(
                "php-fpm",
                output(program, "-v").replaceAll("(?s) \\(.*", ""),
                List.of("unix:" + socket, "--script-filename=" + script),
                program,
                "--fpm-config",
                configuration.toString());
    }

    static Peer go(Path directory) throws IOException {
        String program = directory.resolve("fcgispec-go").toString();
        output("go", "build", "-o", program, source("fcgispec.go"));
        String version = "net/http/fcgi of " + output("go", "version").replaceAll("(?s).*(go[0-9.]+).*", "$1");
        Path socket = directory.resolve("go.sock");
        return start("Go", version, List.of("unix:" + socket), program, "unix", socket.toString());
    }

    static Peer libfcgi(Path directory) throws IOException {
        String program = directory.resolve("fcgispec-c").toString();
        output("cc", "-O2", "-o", program, source("fcgispec.c"), "-lfcgi");
        String version = "libfcgi " + output("pkg-config", "--modversion", "fcgi");
        Path socket = directory.resolve("libfcgi.sock");
        return start("libfcgi", version, List.of("unix:" + socket), program, socket.toString());
    }

    static Peer jetty(Path directory) throws IOException {
        String classPath = System.getProperty("java.class.path") + ":" + System.getProperty("fcgispec.jetty") + "/*";
        String version = "jetty-fcgi-server " + Server.getVersion();
        Path socket = directory.resolve("jetty.sock");
        return start(
                "jetty-fcgi-server",
                version,
                List.of("unix:" + socket),
                ConnectorIT.java(),
                "-cp",
                classPath,
                source("JettyFCGIServer.java"),
                socket.toString());
    }

    private static String source(String name) {
        return APPLICATIONS.resolve(name).toString();
    }

    /** {@return what the command prints, without blanks around it} */
    private static String output(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (await(process) != 0) throw new IOException(String.join(" ", command) + ": " + output);
        return output.strip();
    }

    /** Starts a process, and waits until it accepts connections at the address, the first argument. */
    private static Peer start(String name, String version, List<String> arguments, String... command)
            throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        Peer peer = new Peer(name, version, arguments, process);
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (true) {
            try {
                Address.parse(arguments.get(0)).connect().close();
                return peer;
            } catch (IOException e) {
                if (process.isAlive() && System.nanoTime() < deadline) continue;
                peer.close();
                throw new IOException(name + " doesn't accept connections", e);
            }
        }
    }

    private static int await(Process process) {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            return -1;
        }
    }

    @Override
    public void close() {
        process.destroy();
        await(process);
    }
}

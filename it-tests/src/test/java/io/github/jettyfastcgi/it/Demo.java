package io.github.jettyfastcgi.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Runs the sample application in Jetty's distribution, with a web server in front that reaches it over FastCGI on a
 * Unix-domain socket, until it is interrupted. This is {@code mvn -Pdemo}.
 *
 * <p>System properties: {@code demo.port} is the port of the web server (8080; another one while that is in use),
 * {@code demo.front} is {@code nginx} or {@code gateway} (nginx, where the machine has it).
 */
public final class Demo implements AutoCloseable {
    private final Path directory;
    private ServerProcess jetty;
    private Runnable frontStop = () -> {};

    private Demo(Path directory) {
        this.directory = directory;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        try (Demo demo = new Demo(Files.createTempDirectory("jetty-fastcgi-demo-"))) {
            Runtime.getRuntime().addShutdownHook(new Thread(demo::close, "demo-end"));
            demo.start();
            demo.jetty.awaitEnd();
        }
    }

    private void start() throws IOException, InterruptedException {
        JettyBase base = JettyBase.create(directory.resolve("base"), "fastcgi-unix", "ee10-deploy", "ee10-jsp")
                .deploySample("ROOT");
        jetty = base.start(List.of());
        String front = System.getProperty("demo.front", WebServers.find("nginx").isPresent() ? "nginx" : "gateway");
        int port = Ports.freeAt(Integer.getInteger("demo.port", 8080));
        frontStop = startFront(front, base, port);
        System.out.printf(
                "%nhttp://127.0.0.1:%d/ is served by %s, over FastCGI on %s (Ctrl-C ends it)%n%n",
                port, front.equals("nginx") ? "nginx" : "Jetty's FastCGI proxy", base.unixSocket());
    }

    private Runnable startFront(String front, JettyBase base, int port) throws IOException, InterruptedException {
        return switch (front) {
            case "nginx" ->
                NginxServer.start(directory.resolve("nginx"), NginxExample.configuration(base, port))::close;
            case "gateway" -> Gateway.start(directory.resolve("gateway"), base.unixSocket(), port)::close;
            default -> throw new IllegalArgumentException("demo.front is " + front + " (expected: nginx, gateway)");
        };
    }

    /** Called at the end of the JVM as well as of the demo, whichever comes first. */
    @Override
    public synchronized void close() {
        frontStop.run();
        if (jetty != null) {
            jetty.close();
        }
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            // Gone already, or the system's temporary files are cleared some time anyway.
        }
    }
}

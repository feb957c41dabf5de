package benchmark;

import io.github.jettyfastcgi.server.FastCGIConnectionFactory;
import io.github.jettyfastcgi.server.FastCGITCPConnector;
import io.github.jettyfastcgi.server.FastCGIUnixConnector;
import java.nio.file.Path;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.fcgi.server.ServerFCGIConnectionFactory;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.ForwardedRequestCustomizer;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.unixdomain.server.UnixDomainServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * Jetty in one JVM with all that a web server can reach it by: HTTP, Jetty's own FastCGI and this project's, each over TCP
 * and over a Unix-domain socket, for a servlet and again for a core handler.
 *
 * <p>Usage: {@code JettyApplication DIRECTORY}. The sockets are made in the directory. Prints a line
 * {@code port NAME NUMBER} for each TCP connector, then {@code ready}.
 */
public final class JettyApplication {
    /** No thread ends while its allocations are being counted. */
    private static final int THREAD_IDLE_TIMEOUT = 3_600_000;

    private final Path directory;
    private final String name;
    private final Server server;

    private JettyApplication(Path directory, String name, Handler handler) {
        this.directory = directory;
        this.name = name;
        QueuedThreadPool threads = new QueuedThreadPool();
        threads.setName(name);
        threads.setIdleTimeout(THREAD_IDLE_TIMEOUT);
        server = new Server(threads);
        server.setHandler(handler);
    }

    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        ServletContextHandler servlets = new ServletContextHandler();
        servlets.addServlet(BenchmarkServlet.class, "/");
        new JettyApplication(directory, "servlet", servlets).start();
        new JettyApplication(directory, "core", new HelloHandler()).start();
        System.out.println("ready");
    }

    private void start() throws Exception {
        HttpConfiguration proxied = new HttpConfiguration();
        proxied.addCustomizer(new ForwardedRequestCustomizer());
        addConnectors("http", new HttpConnectionFactory(proxied));
        addConnectors("jetty-fcgi", new ServerFCGIConnectionFactory(new HttpConfiguration()));

        FastCGIConnectionFactory fastcgi = new FastCGIConnectionFactory();
        FastCGITCPConnector tcp = new FastCGITCPConnector(server, fastcgi);
        tcp.setPort(0);
        tcp.setName("fastcgi");
        server.addConnector(tcp);
        FastCGIUnixConnector unix = new FastCGIUnixConnector(server, fastcgi);
        unix.setUnixDomainPath(socket("fastcgi"));
        unix.setMode("0666");
        server.addConnector(unix);

        server.start();
        for (var connector : server.getConnectors())
            if (connector instanceof ServerConnector tcpConnector)
                System.out.println("port " + name + "-" + connector.getName() + " " + tcpConnector.getLocalPort());
    }

    private void addConnectors(String protocol, ConnectionFactory factory) {
        ServerConnector tcp = new ServerConnector(server, factory);
        tcp.setHost("127.0.0.1");
        tcp.setName(protocol);
        server.addConnector(tcp);
        UnixDomainServerConnector unix = new UnixDomainServerConnector(server, factory);
        unix.setUnixDomainPath(socket(protocol));
        server.addConnector(unix);
    }

    private Path socket(String protocol) {
        return directory.resolve(name + "-" + protocol + ".sock");
    }
}

package io.github.jettyfastcgi.fcgispec;

import io.github.jettyfastcgi.server.FastCGIConnectionFactory;
import io.github.jettyfastcgi.server.FastCGITCPConnector;
import io.github.jettyfastcgi.server.FastCGIUnixConnector;
import java.nio.file.Path;
import org.eclipse.jetty.server.Server;

/** Jetty in this JVM, with this project's connectors and the application that fcgispec tests. */
final class ConnectorServer {
    private final Server server = new Server();
    private final FastCGITCPConnector tcp;
    private final Path socket;

    private ConnectorServer(Path directory) {
        FastCGIConnectionFactory fastcgi = new FastCGIConnectionFactory();
        fastcgi.setStderr("errors");
        fastcgi.setAuthorizerPath("/authorize");
        socket = directory.resolve("connector.sock");
        FastCGIUnixConnector unix = new FastCGIUnixConnector(server, fastcgi);
        unix.setUnixDomainPath(socket);
        server.addConnector(unix);
        tcp = new FastCGITCPConnector(server, fastcgi);
        tcp.setPort(0);
        server.addConnector(tcp);
        server.setHandler(new SpecHandler(true));
    }

    static ConnectorServer start(Path directory) throws Exception {
        ConnectorServer started = new ConnectorServer(directory);
        started.server.start();
        return started;
    }

    String unixAddress() {
        return "unix:" + socket;
    }

    String tcpAddress() {
        return "tcp:127.0.0.1:" + tcp.getLocalPort();
    }

    void stop() throws Exception {
        server.stop();
    }
}

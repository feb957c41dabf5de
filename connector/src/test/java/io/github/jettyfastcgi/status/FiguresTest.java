package io.github.jettyfastcgi.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.github.jettyfastcgi.server.FastCGIConnectionFactory;
import io.github.jettyfastcgi.server.FastCGITCPConnector;
import io.github.jettyfastcgi.server.FastCGIUnixConnector;
import io.github.jettyfastcgi.server.LogCapture;
import java.nio.file.Path;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That they are those of all connectors is tested with the handler. */
class FiguresTest {
    @TempDir
    Path directory;

    private final Server server = new Server();
    private final FastCGIConnectionFactory first = new FastCGIConnectionFactory();
    private final FastCGIConnectionFactory second = new FastCGIConnectionFactory();

    private void add(Connector... connectors) {
        for (Connector each : connectors) server.addConnector(each);
    }

    @Test
    void limitsAreAddedUpOnceForEachFactory() {
        first.setMaxRequests(10);
        first.setMaxQueuedRequests(3);
        second.setMaxRequests(20);
        second.setMaxQueuedRequests(4);
        add(
                new FastCGITCPConnector(server, first),
                new FastCGIUnixConnector(server, first),
                new FastCGITCPConnector(server, second));

        Figures figures = Figures.of(server);

        assertThat(figures.maxRequests()).isEqualTo(30);
        assertThat(figures.maxQueuedRequests()).isEqualTo(7);
    }

    @Test
    void thereIsNoLimitWhereOneFactoryHasNone() {
        first.setMaxRequests(10);
        second.setMaxRequests(0);
        add(new FastCGITCPConnector(server, first), new FastCGITCPConnector(server, second));

        assertThat(Figures.of(server).maxRequests()).isZero();
    }

    @Test
    void connectorsAreThoseThatSpeakFastCGI() throws Exception {
        FastCGIUnixConnector unix = new FastCGIUnixConnector(server, first);
        unix.setUnixDomainPath(directory.resolve("f.sock"));
        ServerConnector tcp = new ServerConnector(server, second);
        tcp.setHost("127.0.0.1");
        ServerConnector http = new ServerConnector(server);
        http.setHost("127.0.0.1");
        add(unix, tcp, http);
        assertThat(Figures.of(server).connectors())
                .extracting(ConnectorFigures::name, ConnectorFigures::address)
                .containsExactly(tuple("fastcgi-unix", null), tuple("fastcgi", null));

        LogCapture log = new LogCapture();
        try {
            server.start();
            assertThat(Figures.of(server).connectors())
                    .extracting(ConnectorFigures::address)
                    .containsExactly(directory.resolve("f.sock").toString(), "127.0.0.1:" + tcp.getLocalPort());
        } finally {
            server.stop();
            log.close();
        }
    }
}

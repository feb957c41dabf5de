package io.github.jettyfastcgi.server;

import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.util.concurrent.Executor;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.annotation.Name;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * A connector for web servers that speak FastCGI over TCP. It is a {@link ServerConnector} whose defaults are those of
 * FastCGI: the loopback address, an idle timeout longer than that of web servers, so that no request meets a
 * connection that is being closed, and a queue for bursts of connections.
 */
public class FastCGITCPConnector extends ServerConnector {
    /** The default of {@link #getName()}. */
    public static final String DEFAULT_NAME = "fastcgi-tcp";

    /** The default of {@link #getHost()}. */
    public static final String DEFAULT_HOST = "127.0.0.1";

    /** The default of {@link #getPort()}. */
    public static final int DEFAULT_PORT = 9000;

    /** The default of {@link #getIdleTimeout()}, in milliseconds; nginx keeps idle connections for 60 seconds. */
    public static final long DEFAULT_IDLE_TIMEOUT = 90_000;

    /** The default of {@link #getAcceptQueueSize()}: bursts of a busy web server, which answers 502 to what is refused. */
    public static final int DEFAULT_ACCEPT_QUEUE_SIZE = 1024;

    /**
     * Creates a connector with Jetty's numbers of acceptors and selectors.
     *
     * @param server the server
     * @param factories a {@link FastCGIConnectionFactory}
     */
    public FastCGITCPConnector(Server server, ConnectionFactory... factories) {
        this(server, -1, -1, factories);
    }

    /**
     * Creates a connector.
     *
     * @param server the server
     * @param acceptors the number of acceptor threads, -1 for Jetty's choice
     * @param selectors the number of selector threads, -1 for Jetty's choice
     * @param factories a {@link FastCGIConnectionFactory}
     */
    public FastCGITCPConnector(
            @Name("server") Server server,
            @Name("acceptors") int acceptors,
            @Name("selectors") int selectors,
            @Name("factories") ConnectionFactory... factories) {
        super(server, acceptors, selectors, factories);
        setName(DEFAULT_NAME);
        setHost(DEFAULT_HOST);
        setPort(DEFAULT_PORT);
        setIdleTimeout(DEFAULT_IDLE_TIMEOUT);
        setAcceptQueueSize(DEFAULT_ACCEPT_QUEUE_SIZE);
    }

    @Override
    protected SelectorManager newSelectorManager(Executor executor, Scheduler scheduler, int selectors) {
        return new ServerConnectorManager(executor, scheduler, selectors) {
            @Override
            protected void execute(Runnable task) {
                if (NewConnections.opens(task)) task.run();
                else super.execute(task);
            }
        };
    }

    @Override
    protected ServerSocketChannel openAcceptChannel() throws IOException {
        try {
            return super.openAcceptChannel();
        } catch (IOException x) {
            throw unusable(x.getCause() == null ? x : x.getCause());
        } catch (IllegalArgumentException x) { // no such port, or no such host
            throw unusable(x);
        }
    }

    private ConfigurationException unusable(Throwable cause) {
        String reason = cause instanceof UnresolvedAddressException ? "unknown host" : cause.getMessage();
        return new ConfigurationException("jetty.fastcgi.tcp.host, jetty.fastcgi.tcp.port: can't listen on " + getHost()
                + ":" + getPort() + ": " + reason);
    }
}

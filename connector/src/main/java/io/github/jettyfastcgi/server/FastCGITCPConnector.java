package io.github.jettyfastcgi.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.channels.SelectableChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.IO;
import org.eclipse.jetty.util.NanoTime;
import org.eclipse.jetty.util.annotation.ManagedAttribute;
import org.eclipse.jetty.util.annotation.Name;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * A connector for web servers that speak FastCGI over TCP. It is a {@link ServerConnector} whose defaults are those of
 * FastCGI: the loopback address, an idle timeout longer than that of web servers, so that no request meets a
 * connection that is being closed, a queue for bursts of connections. Peers that may not connect are refused before
 * anything is read.
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

    private static final AddressSet LOOPBACK = AddressSet.parse("127.0.0.0/8,::1");
    private static final AddressSet ANYBODY = AddressSet.parse("0.0.0.0/0,::/0");

    private final RefusedPeers refusedPeers = new RefusedPeers(NanoTime::now);
    private AddressSet allow;
    private volatile AddressSet allowed;
    private volatile QueueEnd queueEnd;

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

    /** {@return from where peers may connect, {@code null} if that isn't set} */
    @ManagedAttribute("From where peers may connect")
    public String getAllow() {
        return allow == null ? null : allow.toString();
    }

    /**
     * Sets from where peers may connect; connections of others are closed at once. Without it, these are loopback
     * addresses, if the connector listens on one of them. If it doesn't, it doesn't start, unless the web server has to
     * tell a secret, {@link FastCGIConnectionFactory#setSecret(String)}, with which it may connect from anywhere.
     *
     * @param allow addresses, networks such as {@code 10.0.0.0/8}, and ranges such as {@code 10.0.0.1-10.0.0.9},
     *     separated by commas; names are no addresses; empty or {@code null} for the default
     */
    public void setAllow(String allow) {
        try {
            this.allow = allow == null || allow.isBlank() ? null : AddressSet.parse(allow);
        } catch (IllegalArgumentException x) {
            throw new ConfigurationException("jetty.fastcgi.tcp.allow: " + x.getMessage());
        }
    }

    @Override
    public void open(ServerSocketChannel channel) throws IOException {
        try {
            allowed = allow == null ? peersByDefault(channel) : allow;
        } catch (ConfigurationException x) {
            channel.close();
            throw x;
        }
        super.open(channel);
    }

    private AddressSet peersByDefault(ServerSocketChannel channel) throws IOException {
        boolean isLocal = channel.getLocalAddress() instanceof InetSocketAddress address
                && address.getAddress().isLoopbackAddress();
        if (isLocal) return LOOPBACK;
        FastCGIConnectionFactory factory = getConnectionFactory(FastCGIConnectionFactory.class);
        if (factory != null && factory.isSecretRequired()) return ANYBODY;
        throw new ConfigurationException("jetty.fastcgi.tcp.host: " + getHost()
                + " lets others connect (expected: a loopback address, or besides jetty.fastcgi.tcp.allow or"
                + " jetty.fastcgi.secret)");
    }

    /**
     * Waits until what is connected now is accepted, which closing the socket would reset: a connection of its own is the
     * last in the queue of the socket, which is served in order.
     *
     * @param timeout how long to wait, in milliseconds
     * @param whenFull is run if it takes longer than to accept: then there are as many connections as allowed
     */
    void awaitAccepted(long timeout, Runnable whenFull) throws InterruptedException {
        if (timeout <= 0 || !(getTransport() instanceof ServerSocketChannel listening)) return;
        long deadline = NanoTime.now() + TimeUnit.MILLISECONDS.toNanos(timeout);
        try (Socket socket = new Socket()) {
            InetSocketAddress own = (InetSocketAddress) listening.getLocalAddress();
            InetAddress host =
                    own.getAddress().isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : own.getAddress();
            socket.bind(new InetSocketAddress(host, 0));
            QueueEnd end = new QueueEnd(socket.getLocalSocketAddress(), new CountDownLatch(1));
            queueEnd = end;
            socket.connect(new InetSocketAddress(host, own.getPort()), (int) Math.min(timeout, Integer.MAX_VALUE));
            if (end.accepted.await(Math.min(timeout, Connections.ACCEPT_TIME), TimeUnit.MILLISECONDS)) return;
            whenFull.run();
            end.accepted.await(NanoTime.millisUntil(deadline), TimeUnit.MILLISECONDS);
        } catch (IOException x) {
            LOG.debug("The queue of {} can't be waited for", this, x);
        } finally {
            queueEnd = null;
        }
    }

    /**
     * The last connection that is accepted before the socket is closed.
     *
     * @param address from where it comes
     * @param accepted is counted down
     */
    private record QueueEnd(SocketAddress address, CountDownLatch accepted) {}

    private boolean isQueueEnd(SelectableChannel channel) {
        QueueEnd end = queueEnd;
        if (end == null
                || !end.address.equals(((SocketChannel) channel).socket().getRemoteSocketAddress())) return false;
        IO.close(channel);
        end.accepted.countDown();
        return true;
    }

    /** {@return whether the peer may connect; if it may not, its connection is closed} */
    private boolean admit(SelectableChannel channel) {
        InetAddress peer = ((SocketChannel) channel).socket().getInetAddress();
        if (allowed.contains(peer)) return true;
        FastCGIConnectionFactory factory = getConnectionFactory(FastCGIConnectionFactory.class);
        if (factory != null) factory.getCounters().refusedConnections.increment();
        refusedPeers.refused(peer, allowed);
        IO.close(channel);
        return false;
    }

    @Override
    protected SelectorManager newSelectorManager(Executor executor, Scheduler scheduler, int selectors) {
        return new ServerConnectorManager(executor, scheduler, selectors) {
            @Override
            public void accept(SelectableChannel channel, Object attachment) {
                if (!isQueueEnd(channel) && admit(channel)) super.accept(channel, attachment);
            }

            @Override
            protected void execute(Runnable task) {
                if (ConnectionTasks.includes(task)) task.run();
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

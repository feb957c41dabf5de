package io.github.jettyfastcgi.status;

import io.github.jettyfastcgi.server.FastCGIUnixConnector;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.OptionalInt;
import org.eclipse.jetty.server.Connector;

/**
 * A connector and its socket.
 *
 * @param name the connector's name, or its protocol if it has none
 * @param address what it listens on, or {@code null}
 * @param backlog how many connections wait to be accepted, if the system tells
 */
record ConnectorFigures(String name, String address, OptionalInt backlog) {
    private static final Backlog BACKLOG = new Backlog(Path.of("/proc/self/net"));

    static ConnectorFigures of(Connector connector) {
        String name = connector.getName();
        SocketAddress bound = bound(connector);
        return new ConnectorFigures(
                name == null ? connector.getDefaultConnectionFactory().getProtocol() : name,
                text(connector, bound),
                bound == null ? OptionalInt.empty() : BACKLOG.of(bound));
    }

    private static String text(Connector connector, SocketAddress bound) {
        if (bound instanceof InetSocketAddress inet) return inet.getHostString() + ":" + inet.getPort();
        // Its socket was bound to another name, under which nobody finds it
        SocketAddress address = connector instanceof FastCGIUnixConnector unix ? unix.getLocalSocketAddress() : bound;
        return address == null ? null : address.toString();
    }

    /** {@return the address that the socket was bound to, which is what the system knows it by} */
    private static SocketAddress bound(Connector connector) {
        try {
            return connector.getTransport() instanceof ServerSocketChannel channel ? channel.getLocalAddress() : null;
        } catch (IOException x) {
            return null; // closed meanwhile
        }
    }
}

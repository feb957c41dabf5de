package io.github.jettyfastcgi.server;

import java.nio.channels.SelectableChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.unixdomain.server.UnixDomainServerConnector;
import org.eclipse.jetty.util.NanoTime;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many connections the connectors of a factory accept. While there are as many as allowed they accept no more: further
 * ones wait in the queues of the sockets. Unlike Jetty's NetworkConnectionLimit it never closes what was accepted, since
 * with it a request would be lost, and doesn't log whenever a peer fills the last place.
 */
final class ConnectionLimit implements SelectorManager.AcceptListener {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionLimit.class);
    private static final long LOG_INTERVAL = TimeUnit.MINUTES.toNanos(1);

    private final Set<AbstractConnector> connectors = ConcurrentHashMap.newKeySet();
    private volatile int max;
    private int accepted; // guarded by this, as is what follows
    private boolean full;
    private long lastLog = NanoTime.now() - LOG_INTERVAL;

    /** Sets how many connections there may be, 0 for any number. */
    void set(int max) {
        this.max = max;
    }

    /** Counts the connections of a connector that is starting. */
    void applyTo(Connector connector) {
        // Jetty's own Unix connector accepts nothing more after a pause
        if (connector instanceof UnixDomainServerConnector && !(connector instanceof FastCGIUnixConnector)) return;
        if (connector instanceof AbstractConnector limited) {
            connectors.add(limited);
            for (SelectorManager manager : limited.getBeans(SelectorManager.class)) manager.addEventListener(this);
        }
    }

    @Override
    public void onAccepting(SelectableChannel channel) {
        count(1);
    }

    @Override
    public void onAcceptFailed(SelectableChannel channel, Throwable cause) {
        count(-1);
    }

    @Override
    public void onClosed(SelectableChannel channel) {
        count(-1);
    }

    private synchronized void count(int change) {
        accepted += change;
        boolean wasFull = full;
        full = max > 0 && accepted >= max;
        if (full == wasFull) return;
        for (AbstractConnector connector : connectors) connector.setAccepting(!full);
        if (full && NanoTime.since(lastLog) >= LOG_INTERVAL) {
            lastLog = NanoTime.now();
            LOG.warn("{} FastCGI connections, as many as jetty.fastcgi.maxConnections allows", accepted);
        }
    }
}

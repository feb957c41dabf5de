package io.github.jettyfastcgi.server;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.ContextHandler;
import org.eclipse.jetty.util.NanoTime;
import org.eclipse.jetty.util.component.Container;
import org.eclipse.jetty.util.component.LifeCycle;

/**
 * Lets requests finish whose server stops, or whose web application is replaced or taken away. Both is done by servers that
 * have a stop timeout, as Jetty's {@code graceful} module sets one.
 *
 * <p><b>Stop.</b> Jetty answers 503 to all that comes after it has begun to shut down, and a connection that it closes may
 * be one that a web server is just sending a request on. So before Jetty begins, nobody connects any more, the connections
 * that there are end right behind their next response, those that nobody has accepted yet included, and idle ones get some
 * time to have one.
 *
 * <p><b>Replacement.</b> Jetty maps requests to the new web application, then tells that the old one is removed, then stops
 * it with whatever is running in it. In between, requests that were mapped to the old one are waited for. The same is done
 * before a web application stops that is taken away. Nothing is done for that per request: those that are running are looked
 * through, and any that is below the context's path is taken for one of it.
 */
final class GracefulChange implements LifeCycle.Listener, Container.InheritedListener {
    private final LimitedConnectionFactory settings;
    private final Connections connections;
    private final Set<AbstractConnector> connectors = ConcurrentHashMap.newKeySet();

    GracefulChange(LimitedConnectionFactory settings, Connections connections) {
        this.settings = settings;
        this.connections = connections;
    }

    /** Cares for a connector that is starting, and for its server. */
    void applyTo(Connector connector) {
        connections.keep();
        if (connector instanceof AbstractConnector stoppable) {
            connectors.add(stoppable);
            // Jetty would shorten the idle timeout of all connections, so that requests fail that wait
            stoppable.setShutdownIdleTimeout(-1);
        }
        Server server = connector.getServer();
        if (!server.contains(this)) server.addBean(this);
    }

    @Override
    public void lifeCycleStopping(LifeCycle component) {
        try {
            if (component instanceof Server server) stop(server);
            if (component instanceof ContextHandler context) finishRequests(context);
        } catch (InterruptedException x) {
            Thread.currentThread().interrupt(); // then Jetty stops without waiting, too
        }
    }

    private void stop(Server server) throws InterruptedException {
        if (server.getStopTimeout() <= 0) return;
        long deadline = NanoTime.now() + TimeUnit.MILLISECONDS.toNanos(settings.getShutdownDrainTimeout());
        // As long as connections are kept, few are made while a socket closes, which would be reset
        for (AbstractConnector connector : connectors) {
            if (connector instanceof FastCGIUnixConnector unix && unix.withdraw()) continue;
            if (connector instanceof FastCGITCPConnector tcp)
                tcp.awaitAccepted(NanoTime.millisUntil(deadline), connections::endBehindResponses);
            connector.shutdown();
        }
        connections.endBehindResponses();
        connections.end(NanoTime.millisUntil(deadline));
        connectors.forEach(AbstractConnector::shutdown);
    }

    @Override
    public void beanAdded(Container parent, Object child) {
        // Nothing is done before it goes
    }

    @Override
    public void beanRemoved(Container parent, Object child) {
        try {
            if (child instanceof ContextHandler context) finishRequests(context);
        } catch (InterruptedException x) {
            Thread.currentThread().interrupt();
        }
    }

    private void finishRequests(ContextHandler context) throws InterruptedException {
        Server server = context.getServer();
        if (server == null || !server.isStarted() || server.getStopTimeout() <= 0) return;
        connections.awaitRequests(
                uri -> context.getContext().getPathInContext(uri.getCanonicalPath()) != null, server.getStopTimeout());
    }
}

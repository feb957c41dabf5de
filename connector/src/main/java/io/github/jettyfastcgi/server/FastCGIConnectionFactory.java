package io.github.jettyfastcgi.server;

import io.github.jettyfastcgi.cgi.PathSource;
import io.github.jettyfastcgi.cgi.RequestMapper;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.AbstractConnectionFactory;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.util.annotation.ManagedAttribute;
import org.eclipse.jetty.util.annotation.ManagedObject;
import org.eclipse.jetty.util.annotation.Name;

/**
 * Creates the connections of a connector to which web servers speak FastCGI: in a
 * {@link org.eclipse.jetty.server.ServerConnector} over TCP, in a {@link FastCGIUnixConnector} over a Unix-domain socket.
 *
 * <p>Settings are made before it starts. One factory may serve several connectors; its limit of running requests and its
 * counters are then theirs together.
 */
@ManagedObject("Creates FastCGI connections")
public class FastCGIConnectionFactory extends AbstractConnectionFactory implements HttpConfiguration.ConnectionFactory {
    /** The name of the protocol. */
    public static final String PROTOCOL = "fastcgi";

    /** How often, in milliseconds, connections that were idle meanwhile let go of what they remember. */
    static final long IDLE_CHECK_INTERVAL = 10_000;

    /** The default of {@link #getDrainTimeout()}, in milliseconds. */
    public static final long DEFAULT_DRAIN_TIMEOUT = 5_000;

    private final HttpConfiguration configuration;
    private final Counters counters = new Counters();
    private final AtomicInteger runningRequests = new AtomicInteger();
    private final Set<FastCGIConnection> connections = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean checkScheduled = new AtomicBoolean();
    private RequestMapper requestMapper = new RequestMapper(PathSource.REQUEST_URI);
    private PathSource pathSource = PathSource.REQUEST_URI;
    private long drainTimeout = DEFAULT_DRAIN_TIMEOUT;
    private int maxRequests;

    /** Creates a factory with a {@link FastCGIHttpConfiguration}. */
    public FastCGIConnectionFactory() {
        this(new FastCGIHttpConfiguration());
    }

    /**
     * Creates a factory.
     *
     * @param configuration is used as it is; {@link FastCGIHttpConfiguration} has the defaults that suit FastCGI
     */
    public FastCGIConnectionFactory(@Name("configuration") HttpConfiguration configuration) {
        super(PROTOCOL);
        this.configuration = Objects.requireNonNull(configuration);
        installBean(configuration);
        super.setInputBufferSize(configuration.getInputBufferSize());
    }

    @Override
    public HttpConfiguration getHttpConfiguration() {
        return configuration;
    }

    /** {@inheritDoc} It is the configuration's. */
    @Override
    public int getInputBufferSize() {
        return configuration.getInputBufferSize();
    }

    @Override
    public void setInputBufferSize(int size) {
        super.setInputBufferSize(size);
        configuration.setInputBufferSize(size);
    }

    /** {@return which variables lead to the URI of a request: {@code request-uri} or {@code script-name}} */
    @ManagedAttribute("Which variables lead to the URI: request-uri or script-name")
    public String getPathSource() {
        return pathSource.toString();
    }

    /**
     * Sets which variables lead to the URI of a request.
     *
     * @param pathSource {@code request-uri}, the default, or {@code script-name}
     * @throws IllegalArgumentException for any other value
     */
    public void setPathSource(String pathSource) {
        try {
            this.pathSource = PathSource.from(pathSource);
        } catch (IllegalArgumentException x) {
            throw new ConfigurationException("jetty.fastcgi.pathSource: " + x.getMessage());
        }
        requestMapper = new RequestMapper(this.pathSource);
    }

    /** {@return how long, in milliseconds, leftovers of a finished request are waited for} */
    @ManagedAttribute("How long leftovers of a finished request are waited for, in milliseconds")
    public long getDrainTimeout() {
        return drainTimeout;
    }

    /**
     * Sets how long leftovers of a finished request are waited for before the connection is closed: content that was not
     * read, after an early answer, and the end of the stream, after the answer on a connection that isn't kept.
     *
     * @param drainTimeout the time in milliseconds, 1 or more
     */
    public void setDrainTimeout(long drainTimeout) {
        if (drainTimeout < 1)
            throw new ConfigurationException("jetty.fastcgi.drainTimeout: " + drainTimeout + " (expected: >= 1)");
        this.drainTimeout = drainTimeout;
    }

    /** {@return how many requests may run at the same time, 0 for any number} */
    @ManagedAttribute("How many requests may run at the same time, 0 for any number")
    public int getMaxRequests() {
        return maxRequests;
    }

    /**
     * Sets how many requests may run at the same time; more are answered with 503 and Retry-After.
     *
     * @param maxRequests their number, 0 for any
     */
    public void setMaxRequests(int maxRequests) {
        if (maxRequests < 0)
            throw new ConfigurationException("jetty.fastcgi.maxRequests: " + maxRequests + " (expected: >= 0)");
        this.maxRequests = maxRequests;
    }

    /** {@return how many requests are running now} */
    @ManagedAttribute("How many requests are running now")
    public int getRunningRequests() {
        return runningRequests.get();
    }

    /** {@return what was counted since the factory was created} */
    public Counters getCounters() {
        return counters;
    }

    @Override
    public Connection newConnection(Connector connector, EndPoint endPoint) {
        return configure(new FastCGIConnection(this, connector, endPoint), connector, endPoint);
    }

    void opened(FastCGIConnection connection) {
        connections.add(connection);
        if (checkScheduled.compareAndSet(false, true)) scheduleIdleCheck(connection.getConnector());
    }

    void closed(FastCGIConnection connection) {
        connections.remove(connection);
    }

    private void scheduleIdleCheck(Connector connector) {
        connector.getScheduler().schedule(() -> checkIdle(connector), IDLE_CHECK_INTERVAL, TimeUnit.MILLISECONDS);
    }

    private void checkIdle(Connector connector) {
        connections.forEach(FastCGIConnection::releaseIfIdle);
        checkScheduled.set(false);
        if (!connections.isEmpty() && checkScheduled.compareAndSet(false, true)) scheduleIdleCheck(connector);
    }

    RequestMapper requestMapper() {
        return requestMapper;
    }

    /** Counts a request as running, until {@link #requestEnded()}; {@return whether it is within the limit} */
    boolean requestStarted() {
        int running = runningRequests.incrementAndGet();
        return maxRequests == 0 || running <= maxRequests;
    }

    void requestEnded() {
        runningRequests.decrementAndGet();
    }
}

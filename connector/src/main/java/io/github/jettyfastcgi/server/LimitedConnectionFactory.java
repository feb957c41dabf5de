package io.github.jettyfastcgi.server;

import org.eclipse.jetty.server.AbstractConnectionFactory;
import org.eclipse.jetty.util.annotation.ManagedAttribute;

/**
 * What FastCGI connections and their requests may take, and for how long: limits, each of which has a default that is
 * safe. They hold for all connectors of a factory together, and are set before it starts.
 */
abstract class LimitedConnectionFactory extends AbstractConnectionFactory {
    /** The default of {@link #getMaxVariables()}. */
    public static final int DEFAULT_MAX_VARIABLES = 1024;

    /** The default of {@link #getMaxConnections()}. */
    public static final int DEFAULT_MAX_CONNECTIONS = 8192;

    /** The default of {@link #getMaxRequests()}. */
    public static final int DEFAULT_MAX_REQUESTS = 1024;

    /** The default of {@link #getMaxQueuedRequests()}. */
    public static final int DEFAULT_MAX_QUEUED_REQUESTS = 1024;

    /** The default of {@link #getQueueTimeout()}, in milliseconds. */
    public static final long DEFAULT_QUEUE_TIMEOUT = 10_000;

    /** The default of {@link #getRequestTimeout()}, in milliseconds. */
    public static final long DEFAULT_REQUEST_TIMEOUT = 30_000;

    /** The default of {@link #getDrainTimeout()}, in milliseconds. */
    public static final long DEFAULT_DRAIN_TIMEOUT = 5_000;

    /** The default of {@link #getShutdownDrainTimeout()}, in milliseconds. */
    public static final long DEFAULT_SHUTDOWN_DRAIN_TIMEOUT = 3_000;

    private final RequestLimit requestLimit = new RequestLimit();
    private final ConnectionLimit connectionLimit = new ConnectionLimit();
    private int maxVariables = DEFAULT_MAX_VARIABLES;
    private int maxConnections;
    private int maxRequests;
    private int maxQueuedRequests;
    private long maxContentLength = -1;
    private long queueTimeout = DEFAULT_QUEUE_TIMEOUT;
    private long requestTimeout = DEFAULT_REQUEST_TIMEOUT;
    private long contentTimeout = -1;
    private long drainTimeout = DEFAULT_DRAIN_TIMEOUT;
    private long shutdownDrainTimeout = DEFAULT_SHUTDOWN_DRAIN_TIMEOUT;

    LimitedConnectionFactory(String protocol) {
        super(protocol);
        setMaxConnections(DEFAULT_MAX_CONNECTIONS);
        setMaxRequests(DEFAULT_MAX_REQUESTS);
        setMaxQueuedRequests(DEFAULT_MAX_QUEUED_REQUESTS);
    }

    /** {@return how many variables a request may have} */
    @ManagedAttribute("How many variables a request may have")
    public int getMaxVariables() {
        return maxVariables;
    }

    /**
     * Sets how many variables a request may have; one with more is answered with 431.
     *
     * @param maxVariables their number, 1 or more
     */
    public void setMaxVariables(int maxVariables) {
        this.maxVariables = (int) checked("maxVariables", maxVariables, 1);
    }

    /** {@return how many connections there may be, 0 for any number} */
    @ManagedAttribute("How many connections there may be, 0 for any number")
    public int getMaxConnections() {
        return maxConnections;
    }

    /**
     * Sets how many connections there may be. Further ones are not accepted before others end: they wait in the queue of
     * the socket. Jetty's own Unix connector can't pause; it accepts any number.
     *
     * @param maxConnections their number, 0 for any
     */
    public void setMaxConnections(int maxConnections) {
        this.maxConnections = (int) checked("maxConnections", maxConnections, 0);
        connectionLimit.set(maxConnections);
    }

    /** {@return how many requests may run at the same time, 0 for any number} */
    @ManagedAttribute("How many requests may run at the same time, 0 for any number")
    public int getMaxRequests() {
        return maxRequests;
    }

    /**
     * Sets how many requests may run at the same time, whether they hold a thread or not; further ones wait.
     *
     * @param maxRequests their number, 0 for any
     */
    public void setMaxRequests(int maxRequests) {
        this.maxRequests = (int) checked("maxRequests", maxRequests, 0);
        requestLimit.set(maxRequests, maxQueuedRequests);
    }

    /** {@return how many requests may wait for others to end} */
    @ManagedAttribute("How many requests may wait for others to end")
    public int getMaxQueuedRequests() {
        return maxQueuedRequests;
    }

    /**
     * Sets how many requests may wait for others to end; further ones are answered with 503 and Retry-After. A request
     * that waits holds no thread, and gives up its place when its peer goes.
     *
     * @param maxQueuedRequests their number, 0 for none
     */
    public void setMaxQueuedRequests(int maxQueuedRequests) {
        this.maxQueuedRequests = (int) checked("maxQueuedRequests", maxQueuedRequests, 0);
        requestLimit.set(maxRequests, maxQueuedRequests);
    }

    /** {@return how long, in milliseconds, a request may wait for others to end} */
    @ManagedAttribute("How long a request may wait for others to end, in milliseconds")
    public long getQueueTimeout() {
        return queueTimeout;
    }

    /**
     * Sets how long a request may wait for others to end, before it is answered with 503 and Retry-After.
     *
     * @param queueTimeout the time in milliseconds, 1 or more; it is kept to half a second
     */
    public void setQueueTimeout(long queueTimeout) {
        this.queueTimeout = checked("queueTimeout", queueTimeout, 1);
    }

    /** {@return how many bytes of content a request may have, -1 for any number} */
    @ManagedAttribute("How many bytes of content a request may have, -1 for any number")
    public long getMaxContentLength() {
        return maxContentLength;
    }

    /**
     * Sets how many bytes of content a request may have. If CONTENT_LENGTH tells of more, the request is answered with 413
     * and its content is not read; if it doesn't tell, reading more fails with a 413. Content goes to the application as
     * it reads it and takes no memory here: the default is any number.
     *
     * @param maxContentLength their number, -1 for any
     */
    public void setMaxContentLength(long maxContentLength) {
        this.maxContentLength = checked("maxContentLength", maxContentLength, -1);
    }

    /** {@return how long, in milliseconds, the variables of a request may take to come, 0 for any time} */
    @ManagedAttribute("How long the variables of a request may take to come, in milliseconds, 0 for any time")
    public long getRequestTimeout() {
        return requestTimeout;
    }

    /**
     * Sets how long the variables of a request may take to come, all of them, from the read of its begin; then it is
     * answered with 408, and the connection ends.
     *
     * @param requestTimeout the time in milliseconds, 0 for any
     */
    public void setRequestTimeout(long requestTimeout) {
        this.requestTimeout = checked("requestTimeout", requestTimeout, 0);
    }

    /** {@return how long, in milliseconds, a request may stall, 0 for any time, -1 for the connector's idle timeout} */
    @ManagedAttribute("How long a request may stall, in milliseconds, 0 for any time, -1 for the idle timeout")
    public long getContentTimeout() {
        return contentTimeout;
    }

    /**
     * Sets how long a request may stall: its content not come, its response not be read by the peer, or neither be read
     * nor written by an asynchronous application that has no timeout of its own. {@code HttpConfiguration.setIdleTimeout}
     * goes before it.
     *
     * @param contentTimeout the time in milliseconds, 0 for any, -1 for the connector's idle timeout
     */
    public void setContentTimeout(long contentTimeout) {
        this.contentTimeout = checked("contentTimeout", contentTimeout, -1);
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
        this.drainTimeout = checked("drainTimeout", drainTimeout, 1);
    }

    /** {@return how long, in milliseconds, idle connections stay open for a last request when the server stops} */
    @ManagedAttribute("How long idle connections stay open for a last request when the server stops, in milliseconds")
    public long getShutdownDrainTimeout() {
        return shutdownDrainTimeout;
    }

    /**
     * Sets how long idle connections stay open for a last request when the server stops, if it has a stop timeout. What a
     * web server is just sending on one is served, and its connection ends right behind the response. The stop timeout, in
     * which requests that are running have to finish, begins after it.
     *
     * @param shutdownDrainTimeout the time in milliseconds, 0 to close idle connections at once
     */
    public void setShutdownDrainTimeout(long shutdownDrainTimeout) {
        this.shutdownDrainTimeout = checked("shutdownDrainTimeout", shutdownDrainTimeout, 0);
    }

    private static long checked(String property, long value, long least) {
        if (value < least)
            throw new ConfigurationException(
                    "jetty.fastcgi." + property + ": " + value + " (expected: >= " + least + ")");
        return value;
    }

    /** {@return how many requests are running now} */
    @ManagedAttribute("How many requests are running now")
    public int getRunningRequests() {
        return requestLimit.running();
    }

    /** {@return how many requests are waiting for others to end} */
    @ManagedAttribute("How many requests are waiting for others to end")
    public int getQueuedRequests() {
        return requestLimit.queued();
    }

    RequestLimit requestLimit() {
        return requestLimit;
    }

    ConnectionLimit connectionLimit() {
        return connectionLimit;
    }
}

package io.github.jettyfastcgi.server;

import io.github.jettyfastcgi.cgi.CGIRequest;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.AbstractMetaDataConnection;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.util.Attributes;
import org.eclipse.jetty.util.HostPort;
import org.eclipse.jetty.util.NanoTime;

/**
 * What a connection tells the application of itself: while a request is active, what the web server tells of the client,
 * since a kept connection serves one client after another.
 */
abstract class RequestConnection extends AbstractMetaDataConnection {
    private static final AtomicLong CONNECTIONS = new AtomicLong();

    private static final int LARGE_HEAD = 4000;

    private final Attributes attributes = new Attributes.Lazy();
    private final long id = CONNECTIONS.incrementAndGet();
    private volatile long requests;
    private volatile long responses;
    private volatile long bytesIn;
    private volatile long bytesOut;
    private volatile long bytesOutBefore;
    private volatile long lastResponse;
    private volatile int lastHeadSize;
    private volatile boolean lastHandedOver;

    RequestConnection(Connector connector, HttpConfiguration configuration, EndPoint endPoint) {
        super(connector, configuration, endPoint);
    }

    /** {@return the active request, or {@code null}} */
    abstract CGIRequest activeRequest();

    @Override
    public String getId() {
        return Long.toString(id);
    }

    @Override
    public HttpVersion getHttpVersion() {
        CGIRequest request = activeRequest();
        return request == null ? HttpVersion.HTTP_1_1 : request.getHttpVersion();
    }

    /** {@inheritDoc} It is the client's. */
    @Override
    public String getProtocol() {
        CGIRequest request = activeRequest();
        return request == null ? HttpVersion.HTTP_1_1.asString() : request.serverProtocol();
    }

    /** {@inheritDoc} It is the client's, or the web server's where that doesn't tell. */
    @Override
    public SocketAddress getRemoteSocketAddress() {
        CGIRequest request = activeRequest();
        SocketAddress client = request == null ? null : request.remoteAddress();
        return client == null ? super.getRemoteSocketAddress() : client;
    }

    /** {@inheritDoc} It is the one that the client has connected to, or this end's where the web server doesn't tell. */
    @Override
    public SocketAddress getLocalSocketAddress() {
        CGIRequest request = activeRequest();
        SocketAddress local = request == null ? null : request.localAddress();
        if (local != null) return local;
        // The end point knows the temporary name that the socket was bound to, the connector its path
        SocketAddress path = getConnector() instanceof FastCGIUnixConnector unix ? unix.getLocalSocketAddress() : null;
        return path == null ? super.getLocalSocketAddress() : path;
    }

    /** {@inheritDoc} The path of a Unix-domain socket is no authority. */
    @Override
    public HostPort getServerAuthority() {
        HostPort configured = getHttpConfiguration().getServerAuthority();
        if (configured != null || !(getLocalSocketAddress() instanceof InetSocketAddress)) return configured;
        return super.getServerAuthority();
    }

    /** {@return what counts for all connections of the factory} */
    abstract Counters counters();

    /** Counts bytes that were read; called by one thread at a time, as are all that count. */
    void countReceived(long bytes) {
        bytesIn += bytes;
        counters().bytesIn.add(bytes);
    }

    /** Counts bytes that the system has taken. */
    void countSent(long bytes) {
        bytesOut += bytes;
        counters().bytesOut.add(bytes);
    }

    /** Counts a request. */
    void countRequest() {
        requests++;
        bytesOutBefore = bytesOut;
    }

    /**
     * Counts the end of a request.
     *
     * @param status the status of its response, 0 if it has none that is whole
     * @param beginNanoTime when it began
     * @param isHandedOver whether the web server may send something else instead
     */
    void countResponse(int status, long beginNanoTime, boolean isHandedOver) {
        responses++;
        lastHandedOver = isHandedOver;
        lastResponse = NanoTime.now();
        counters().requestFinished(status, lastResponse - beginNanoTime);
    }

    /** {@return whether the system has taken anything of the response to the active request} */
    boolean isResponseSent() {
        return bytesOut != bytesOutBefore;
    }

    /** Takes note of the size of a response's head, in bytes. */
    void countHead(int size) {
        lastHeadSize = size;
        if (size >= LARGE_HEAD) counters().largeHeads.record(size);
    }

    /** {@return whether the head of the last response is a page, or nearly so, which is what nginx has room for} */
    boolean isLastHeadLarge() {
        return lastHeadSize >= LARGE_HEAD;
    }

    /** {@return whether a request has ended less than a second ago, with an answer that the web server has just passed on} */
    boolean isJustAnswered() {
        return responses > 0 && !lastHandedOver && NanoTime.secondsSince(lastResponse) < 1;
    }

    @Override
    public long getMessagesIn() {
        return requests;
    }

    @Override
    public long getMessagesOut() {
        return responses;
    }

    @Override
    public long getBytesIn() {
        return bytesIn;
    }

    @Override
    public long getBytesOut() {
        return bytesOut;
    }

    @Override
    public Object getAttribute(String name) {
        return attributes.getAttribute(name);
    }

    @Override
    public Object setAttribute(String name, Object attribute) {
        return attributes.setAttribute(name, attribute);
    }

    @Override
    public Object removeAttribute(String name) {
        return attributes.removeAttribute(name);
    }

    @Override
    public Set<String> getAttributeNameSet() {
        return attributes.getAttributeNameSet();
    }

    @Override
    public void clearAttributes() {
        attributes.clearAttributes();
    }
}

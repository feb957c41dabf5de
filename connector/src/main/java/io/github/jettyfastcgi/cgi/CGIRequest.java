package io.github.jettyfastcgi.cgi;

import java.net.InetSocketAddress;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.MetaData;

/**
 * A request as the variables tell it: what HTTP has, and what the web server knows about its client. Immutable.
 */
public final class CGIRequest extends MetaData.Request {
    private final String protocol;
    private final InetSocketAddress remoteAddress;
    private final InetSocketAddress localAddress;
    private final HttpException.RuntimeException failure;

    CGIRequest(
            long beginNanoTime,
            String method,
            HttpURI uri,
            String protocol,
            HttpVersion version,
            HttpFields fields,
            long contentLength,
            InetSocketAddress remoteAddress,
            InetSocketAddress localAddress,
            HttpException.RuntimeException failure) {
        super(beginNanoTime, method, uri, version, fields, contentLength);
        this.protocol = protocol;
        this.remoteAddress = remoteAddress;
        this.localAddress = localAddress;
        this.failure = failure;
    }

    /** {@return SERVER_PROTOCOL as it came, such as {@code HTTP/2.0}} */
    public String serverProtocol() {
        return protocol;
    }

    /** {@return the client's address, resolved without a name service, or {@code null} if the web server doesn't tell} */
    public InetSocketAddress remoteAddress() {
        return remoteAddress;
    }

    /** {@return the address at which the client reached the web server, or {@code null} if it doesn't tell} */
    public InetSocketAddress localAddress() {
        return localAddress;
    }

    /** {@return why this is no request that can be served, or {@code null} if it can} */
    public HttpException.RuntimeException failure() {
        return failure;
    }

    /** {@return {@code false}: the web server has answered the expectation before it sent the request} */
    @Override
    public boolean is100ContinueExpected() {
        return false;
    }
}

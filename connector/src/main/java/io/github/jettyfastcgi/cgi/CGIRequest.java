package io.github.jettyfastcgi.cgi;

import java.net.InetSocketAddress;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
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
    private final boolean isAuthorization;

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
        this.isAuthorization = false;
    }

    private CGIRequest(CGIRequest request, HttpURI uri, HttpException.RuntimeException failure) {
        super(
                request.getBeginNanoTime(),
                request.getMethod(),
                uri,
                request.getHttpVersion(),
                HttpFields.build(request.getHttpFields())
                        .remove(HttpHeader.CONTENT_LENGTH)
                        .asImmutable(),
                0);
        this.protocol = request.protocol;
        this.remoteAddress = request.remoteAddress;
        this.localAddress = request.localAddress;
        this.failure = failure;
        this.isAuthorization = true;
    }

    /**
     * Makes the question whether this request is allowed (FastCGI specification 1.0, section 6.3): a request of its own,
     * without content whatever CONTENT_LENGTH says, for the path of who decides followed by the path asked about. It can't
     * get anywhere else: no path asked about leads out of the one in front.
     *
     * @param path the path of who decides, normal and without a slash at its end
     * @return the question; {@link #failure()} when it is about no path
     */
    public CGIRequest authorization(String path) {
        HttpURI asked = getHttpURI();
        if (failure != null) return new CGIRequest(this, asked, failure);
        String canonicalPath = asked.getCanonicalPath();
        if (canonicalPath != null && canonicalPath.startsWith("/")) {
            HttpURI uri =
                    HttpURI.build(asked).pathQuery(path + asked.getPathQuery()).asImmutable();
            if ((path + canonicalPath).equals(uri.getCanonicalPath())) return new CGIRequest(this, uri, null);
        }
        return new CGIRequest(
                this, asked, new HttpException.RuntimeException(HttpStatus.BAD_REQUEST_400, "No path to authorize"));
    }

    /** {@return whether this is the question if another request is allowed} */
    public boolean isAuthorization() {
        return isAuthorization;
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

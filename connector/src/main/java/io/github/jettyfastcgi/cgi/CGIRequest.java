package io.github.jettyfastcgi.cgi;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
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

    private CGIRequest(CGIRequest request, HttpURI uri, HttpFields fields, HttpException.RuntimeException failure) {
        super(request.getBeginNanoTime(), request.getMethod(), uri, request.getHttpVersion(), fields, 0);
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
     * <p>The password that Apache tells in REMOTE_PASSWD, of the user in REMOTE_USER, is an Authorization field again, as it
     * was for the client.
     *
     * @param path the path of who decides, normal and without a slash at its end
     * @param variables those that this request is made of
     * @return the question; {@link #failure()} when it is about no path
     */
    public CGIRequest authorization(String path, MetaVariables variables) {
        HttpURI asked = getHttpURI();
        HttpFields fields = authorizationFields(variables);
        if (failure != null) return new CGIRequest(this, asked, fields, failure);
        String canonicalPath = asked.getCanonicalPath();
        if (canonicalPath != null && canonicalPath.startsWith("/")) {
            HttpURI uri =
                    HttpURI.build(asked).pathQuery(path + asked.getPathQuery()).asImmutable();
            if ((path + canonicalPath).equals(uri.getCanonicalPath())) return new CGIRequest(this, uri, fields, null);
        }
        HttpException.RuntimeException bad =
                new HttpException.RuntimeException(HttpStatus.BAD_REQUEST_400, "No path to authorize");
        return new CGIRequest(this, asked, fields, bad);
    }

    private HttpFields authorizationFields(MetaVariables variables) {
        HttpFields.Mutable fields = HttpFields.build(getHttpFields()).remove(HttpHeader.CONTENT_LENGTH);
        String user = variables.get("REMOTE_USER");
        String password = variables.get("REMOTE_PASSWD");
        if (user != null && password != null && !fields.contains(HttpHeader.AUTHORIZATION)) {
            byte[] credentials = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
            fields.put(HttpHeader.AUTHORIZATION, "Basic " + Base64.getEncoder().encodeToString(credentials));
        }
        return fields.asImmutable();
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

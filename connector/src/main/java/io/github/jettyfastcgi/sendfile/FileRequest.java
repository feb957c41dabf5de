package io.github.jettyfastcgi.sendfile;

import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.server.Request;

/** A request as if it were for a file: not for a folder, and under conditions only where they are about reading. */
final class FileRequest extends Request.Wrapper {
    private final HttpURI uri;
    private final boolean isReading;

    FileRequest(Request wrapped) {
        super(wrapped);
        this.uri = withoutSlash(wrapped.getHttpURI());
        this.isReading = HttpMethod.GET.is(wrapped.getMethod()) || HttpMethod.HEAD.is(wrapped.getMethod());
    }

    private static HttpURI withoutSlash(HttpURI uri) {
        String path = uri.getPath();
        if (path == null || !path.endsWith("/")) return uri;
        return HttpURI.build(uri).path(path.replaceFirst("/+$", "")).asImmutable();
    }

    @Override
    public HttpURI getHttpURI() {
        return uri;
    }

    @Override
    public HttpFields getHeaders() {
        return isReading ? super.getHeaders() : HttpFields.EMPTY;
    }
}

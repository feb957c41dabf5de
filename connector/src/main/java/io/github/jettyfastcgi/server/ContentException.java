package io.github.jettyfastcgi.server;

import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.EofException;

/**
 * A request that its peer doesn't carry through: content that doesn't come as it should, an abort, a connection that is
 * closed. The status tells the client so if nothing was answered yet, and the access log in any case, where it is 4xx as
 * over HTTP. The peer causes it, not the code: it is no news for the log.
 */
final class ContentException extends EofException implements HttpException {
    private static final long serialVersionUID = 1L;

    private final int code;

    ContentException(int code, String message) {
        super(message);
        this.code = code;
    }

    static ContentException peerClosed() {
        return new ContentException(HttpStatus.BAD_REQUEST_400, "The web server has closed the connection");
    }

    @Override
    public int getCode() {
        return code;
    }

    @Override
    public String getReason() {
        return getMessage();
    }
}

package io.github.jettyfastcgi.server;

import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.io.EofException;

/**
 * Content of a request that doesn't come as it should, with the status that tells the client so if nothing was answered
 * yet. The peer causes it, not the code: it is no news for the log.
 */
final class ContentException extends EofException implements HttpException {
    private static final long serialVersionUID = 1L;

    private final int code;

    ContentException(int code, String message) {
        super(message);
        this.code = code;
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

package io.github.jettyfastcgi.server;

import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpStatus;

/**
 * Content of a request that stalls: 408, if nothing was answered yet.
 */
final class ContentTimeoutException extends TimeoutException implements HttpException {
    private static final long serialVersionUID = 1L;

    ContentTimeoutException(TimeoutException cause) {
        super(cause.getMessage());
        initCause(cause);
    }

    @Override
    public int getCode() {
        return HttpStatus.REQUEST_TIMEOUT_408;
    }

    @Override
    public String getReason() {
        return getMessage();
    }
}

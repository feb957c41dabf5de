package io.github.jettyfastcgi.server;

import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.io.QuietException;

/**
 * Answers a request with an error that its peer has caused: no news for the log, and no stack trace.
 */
final class QuietHttpException extends HttpException.RuntimeException implements QuietException {
    private static final long serialVersionUID = 1L;

    QuietHttpException(int code, String reason) {
        super(code, reason);
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}

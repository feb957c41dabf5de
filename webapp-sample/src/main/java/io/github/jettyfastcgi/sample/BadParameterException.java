package io.github.jettyfastcgi.sample;

import jakarta.servlet.ServletException;

/** A parameter that can't be served; its message is meant for the client. */
final class BadParameterException extends ServletException {
    private static final long serialVersionUID = 1L;

    BadParameterException(String message) {
        super(message);
    }
}

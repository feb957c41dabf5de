package io.github.jettyfastcgi.server;

import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpStatus;

/** Why a request was answered without any handler. */
public enum RequestRefusal {
    /** Another role than that of a responder: 501. */
    UNKNOWN_ROLE,
    /** It began within another request of the same connection: 503. */
    MULTIPLEXED,
    /** Variables over the limit, cut off, or that make no HTTP request: 400, 431. */
    BAD_REQUEST,
    /** It came without the secret that the web server has to tell, or with another: 403. */
    FORBIDDEN,
    /** A CONTENT_LENGTH over the limit: 413. */
    CONTENT_TOO_LARGE,
    /** Its variables did not come in time: 408. */
    TIMEOUT,
    /** As many requests as allowed were running, and others waiting, or it waited for too long: 503. */
    OVERLOAD;

    /** {@return the reason why variables make no request that is served} */
    static RequestRefusal of(HttpException.RuntimeException failure) {
        return failure.getCode() == HttpStatus.FORBIDDEN_403 ? FORBIDDEN : BAD_REQUEST;
    }
}

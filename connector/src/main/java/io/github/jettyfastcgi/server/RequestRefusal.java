package io.github.jettyfastcgi.server;

/** Why a request was answered without any handler. */
public enum RequestRefusal {
    /** Another role than that of a responder: 501. */
    UNKNOWN_ROLE,
    /** It began within another request of the same connection: 503. */
    MULTIPLEXED,
    /** Variables over the limit, cut off, or that make no HTTP request: 400, 431. */
    BAD_REQUEST,
    /** A CONTENT_LENGTH over the limit: 413. */
    CONTENT_TOO_LARGE,
    /** Its variables did not come in time: 408. */
    TIMEOUT,
    /** As many requests as allowed were running, and others waiting, or it waited for too long: 503. */
    OVERLOAD
}

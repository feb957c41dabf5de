package io.github.jettyfastcgi.server;

/** Why a connection was closed. */
public enum ConnectionEnd {
    /** The web server had asked for it with its request: no connection is kept. */
    NOT_KEPT,
    /**
     * The web server closed a kept connection within a second of the last response. It wasn't such that it had to: without
     * content, since the web server sends a file instead, or before the end of the request.
     */
    PEER_AT_ONCE,
    /** The web server closed it at another time, such as after some time without requests, or before the first. */
    PEER,
    /** It was idle for as long as the connector allows. */
    IDLE_TIMEOUT,
    /** A request on it failed, was aborted, or was none. */
    FAILURE,
    /** The connector was stopped. */
    STOPPED
}

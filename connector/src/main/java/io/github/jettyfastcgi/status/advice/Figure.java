package io.github.jettyfastcgi.status.advice;

/** What rules look at. Figures are of the last minutes, unless they say otherwise. */
public enum Figure {
    /** Requests that were finished. */
    REQUESTS,
    /** Requests whose web server does not keep the connection. */
    UNKEPT_REQUESTS,
    /** Kept connections that the web server closed within a second of a response. */
    CLOSED_AT_ONCE,
    /** Connections that ended since they were idle for too long for us. */
    IDLE_TIMEOUTS,
    /** Connections that were closed, for whatever reason. */
    CLOSED_CONNECTIONS,
    /** Requests that the web server aborted, or whose connection it closed. */
    ABORTED_REQUESTS,
    /** Requests refused since too many were running and waiting. */
    OVERLOADS,
    /** Requests answered with success while their content came in. */
    STREAMED_REQUESTS,
    /** Those of them whose content the web server had gathered before. */
    GATHERED_REQUESTS,
    /** Responses with a head of 4000 bytes or more. */
    LARGE_HEADS,
    /** Those of the connections closed at once whose last response had such a head. */
    LARGE_HEAD_ENDS,

    /** The largest head of a response since the start, in bytes. */
    LARGEST_HEAD,
    /** The 99th percentile of the time of a request, in milliseconds, since the start. */
    P99_MILLIS,
    /** The idle timeout of the connector, in milliseconds. */
    IDLE_TIMEOUT_MILLIS,
    /** How many requests may run at the same time. */
    MAX_REQUESTS,

    /** How many threads may handle requests, 0 if unknown. */
    MAX_THREADS,
    /** The most threads that handled requests in any sample. */
    PEAK_BUSY_THREADS,
    /** The most requests that were running in any sample. */
    PEAK_RUNNING_REQUESTS,
    /** How often all this was sampled. */
    SAMPLES,
    /** In how many samples requests waited for a thread, all of which were busy. */
    SATURATED_SAMPLES,
    /** In how many samples requests waited for others to end. */
    WAITING_SAMPLES,

    /** Requests whose variables were looked at. */
    SEEN_REQUESTS,
    /** Those of them that came over TCP from this machine. */
    SEEN_LOCAL_TCP,
    /** Those without a REQUEST_URI, although the path is taken from it. */
    SEEN_WITHOUT_URI,
    /** Those whose HTTP_HOST has no port, although their Origin or Referer has one for the same host. */
    SEEN_WITHOUT_PORT,
    /** Those with a REMOTE_ADDR, although the address is taken from fields that forward it. */
    SEEN_FORWARDED,
    /** Those answered with a file of a megabyte or more. */
    SEEN_LARGE_FILES,
    /** Sessions that were begun, and begun long enough ago to be used again. */
    SEEN_SESSIONS,
    /** Those of them that no other request has used. */
    SEEN_UNUSED_SESSIONS
}

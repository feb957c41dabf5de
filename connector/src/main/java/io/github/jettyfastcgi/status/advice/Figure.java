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
    /** Requests that the web server aborted, or whose connection it closed, before their response had begun. */
    UNANSWERED_ABORTS,
    /** How old these were when that was noticed, in milliseconds: all but a tenth were older. */
    ABORT_P10_MILLIS,
    /** All but a tenth were younger. */
    ABORT_P90_MILLIS,
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
    /** The largest of these heads, in bytes. */
    LARGEST_HEAD,

    /** Requests that were finished since the start. */
    REQUESTS_EVER,
    /** The most threads that handled requests in any sample since the start. */
    PEAK_BUSY_THREADS,
    /** The idle timeout of the connector, in milliseconds. */
    IDLE_TIMEOUT_MILLIS,
    /** How many requests may run at the same time. */
    MAX_REQUESTS,
    /** From which age on the slow log has a request, in milliseconds, 0 if it is off. */
    SLOW_LOG_MILLIS,

    /** How many threads may handle requests, 0 if unknown. */
    MAX_THREADS,
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
    /** Those whose HTTP_HOST has no port, although their Origin or Referer proves that the client has one. */
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

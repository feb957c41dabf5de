package io.github.jettyfastcgi.server;

import io.github.jettyfastcgi.protocol.FastCGIException;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what peers do wrong and what is refused. Any thread may count and read.
 */
public final class Counters {
    private final Map<FastCGIException.Reason, LongAdder> protocolErrors = new EnumMap<>(FastCGIException.Reason.class);

    /** BEGIN_REQUEST records refused: an unknown role, or within another request. */
    final LongAdder refusedRequests = new LongAdder();

    /** Requests answered with an error before any handler: variables over the limit, or no HTTP request. */
    final LongAdder badRequests = new LongAdder();

    /** Requests answered with 503, since as many as allowed were running. */
    final LongAdder overloads = new LongAdder();

    /** Requests whose peer sent ABORT_REQUEST or went away before the end of the response. */
    final LongAdder abortedRequests = new LongAdder();

    /** Requests whose STDIN was shorter or longer than CONTENT_LENGTH. */
    final LongAdder contentLengthMismatches = new LongAdder();

    /** Requests that wait for a thread now. */
    final AtomicInteger queuedRequests = new AtomicInteger();

    Counters() {
        for (FastCGIException.Reason reason : FastCGIException.Reason.values())
            protocolErrors.put(reason, new LongAdder());
    }

    void protocolError(FastCGIException.Reason reason) {
        protocolErrors.get(reason).increment();
    }

    long protocolErrors(FastCGIException.Reason reason) {
        return protocolErrors.get(reason).sum();
    }

    /** {@return how many connections were closed because of bytes that are no FastCGI, by reason} */
    public Map<String, Long> protocolErrors() {
        Map<String, Long> sums = new TreeMap<>();
        protocolErrors.forEach((reason, count) -> sums.put(reason.name(), count.sum()));
        return sums;
    }

    /** {@return the number of BEGIN_REQUEST records refused: an unknown role, or within another request} */
    public long refusedRequests() {
        return refusedRequests.sum();
    }

    /** {@return the number of requests answered with an error before any handler saw them} */
    public long badRequests() {
        return badRequests.sum();
    }

    /** {@return the number of requests answered with 503, since as many as allowed were running} */
    public long overloads() {
        return overloads.sum();
    }

    /** {@return the number of requests whose peer aborted them or went away before their end} */
    public long abortedRequests() {
        return abortedRequests.sum();
    }

    /** {@return the number of requests whose STDIN was shorter or longer than CONTENT_LENGTH} */
    public long contentLengthMismatches() {
        return contentLengthMismatches.sum();
    }

    /** {@return the number of requests that wait for a thread now} */
    public int queuedRequests() {
        return queuedRequests.get();
    }
}

package io.github.jettyfastcgi.server;

import io.github.jettyfastcgi.protocol.FastCGIException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.util.annotation.ManagedAttribute;
import org.eclipse.jetty.util.annotation.ManagedObject;

/**
 * Counts what the connections and requests of a factory came to, from its creation on. Any thread may count and read. All
 * that counts is an addition that waits for nobody; sums are exact once what they count is over.
 */
@ManagedObject("What the FastCGI connections and requests came to")
public final class Counters {
    /** Connections of peers that may not connect, which were closed before anything was read. */
    final LongAdder refusedConnections = new LongAdder();

    final LongAdder openedConnections = new LongAdder();
    final Tally<ConnectionEnd> closedConnections = new Tally<>(ConnectionEnd.class);
    final Tally<FastCGIException.Reason> protocolErrors = new Tally<>(FastCGIException.Reason.class);
    final LongAdder bytesIn = new LongAdder();
    final LongAdder bytesOut = new LongAdder();

    final Tally<RequestRefusal> refusedRequests = new Tally<>(RequestRefusal.class);

    /** Requests whose web server does not keep the connection. */
    final LongAdder unkeptRequests = new LongAdder();

    /** Requests whose peer sent ABORT_REQUEST or went away before the end of the response. */
    final LongAdder abortedRequests = new LongAdder();

    /** The ages, in nanoseconds, of those of them of whose response nothing was sent, when that was noticed. */
    final Histogram unansweredAborts = new Histogram();

    /** Requests whose STDIN was shorter or longer than CONTENT_LENGTH. */
    final LongAdder contentLengthMismatches = new LongAdder();

    /** Requests answered with success while their content was still coming in. */
    final LongAdder streamedRequests = new LongAdder();

    /** Those of them whose web server had gathered the content before it passed it on. */
    final LongAdder gatheredRequests = new LongAdder();

    /** The sizes of heads of a page or nearly so, in bytes. */
    final Histogram largeHeads = new Histogram();

    /** Connections that the web server closed within a second of such a response, though they were kept. */
    final LongAdder largeHeadEnds = new LongAdder();

    /** Requests that wait for a thread now. */
    final AtomicInteger waitingForThread = new AtomicInteger();

    private final LongAdder[] finishedRequests = new LongAdder[6];
    private final Histogram firstByteTimes = new Histogram();
    private final Histogram totalTimes = new Histogram();
    private final Histogram requestsPerConnection = new Histogram();

    Counters() {
        for (int i = 0; i < finishedRequests.length; i++) finishedRequests[i] = new LongAdder();
    }

    void connectionClosed(ConnectionEnd end, long requests) {
        closedConnections.increment(end);
        requestsPerConnection.record(requests);
    }

    /** The head of a response is about to be sent. */
    void responseStarted(long nanos) {
        firstByteTimes.record(nanos);
    }

    /**
     * A request is over.
     *
     * @param status the status of its response, 0 if it has none that is whole; one above 599 counts as 5xx (RFC 9110,
     *     section 15)
     * @param nanos how long it took
     */
    void requestFinished(int status, long nanos) {
        finishedRequests[Math.min(status / 100, finishedRequests.length - 1)].increment();
        totalTimes.record(nanos);
    }

    // ---- connections

    /** {@return how many connections were refused to peers that may not connect; they don't count as opened} */
    @ManagedAttribute("How many connections were refused to peers that may not connect")
    public long refusedConnections() {
        return refusedConnections.sum();
    }

    /** {@return how many connections were opened} */
    @ManagedAttribute("How many connections were opened")
    public long openedConnections() {
        return openedConnections.sum();
    }

    /** {@return how many connections are open now} */
    @ManagedAttribute("How many connections are open now")
    public long openConnections() {
        return Math.max(0, openedConnections.sum() - closedConnections.sum());
    }

    /** {@return how many connections were closed, by the names of {@link ConnectionEnd} in lower case} */
    @ManagedAttribute("How many connections were closed, by the reason")
    public Map<String, Long> closedConnectionsByReason() {
        return closedConnections.toMap();
    }

    /** {@return how many connections were closed because of bytes that are no FastCGI, by the reason in lower case} */
    @ManagedAttribute("How many connections were closed because of bytes that are no FastCGI, by the reason")
    public Map<String, Long> protocolErrorsByReason() {
        return protocolErrors.toMap();
    }

    long protocolErrors(FastCGIException.Reason reason) {
        return protocolErrors.get(reason);
    }

    /** {@return how many requests each connection has carried that is closed} */
    public Histogram.Snapshot requestsPerConnection() {
        return requestsPerConnection.snapshot();
    }

    /** {@return how many requests a connection has carried in the mean that is closed} */
    @ManagedAttribute("How many requests a connection has carried in the mean that is closed")
    public double meanRequestsPerConnection() {
        return requestsPerConnection().mean();
    }

    /** {@return how many bytes were received} */
    @ManagedAttribute("How many bytes were received")
    public long bytesIn() {
        return bytesIn.sum();
    }

    /** {@return how many bytes were given to the system to be sent} */
    @ManagedAttribute("How many bytes were sent")
    public long bytesOut() {
        return bytesOut.sum();
    }

    // ---- requests

    /** {@return how many requests wait for a thread now} */
    @ManagedAttribute("How many requests wait for a thread now")
    public int requestsWaitingForThread() {
        return waitingForThread.get();
    }

    /** {@return how many requests are finished, be it without a whole response} */
    @ManagedAttribute("How many requests are finished")
    public long finishedRequests() {
        long sum = 0;
        for (LongAdder each : finishedRequests) sum += each.sum();
        return sum;
    }

    /**
     * {@return how many requests are finished, by the class of their status: {@code 2xx} to {@code 5xx}, and {@code none}
     * for those whose response did not come to its end}
     */
    @ManagedAttribute("How many requests are finished, by the class of their status")
    public Map<String, Long> finishedRequestsByStatus() {
        Map<String, Long> map = new TreeMap<>();
        map.put("none", finishedRequests[0].sum());
        for (int i = HttpStatus.OK_200 / 100; i < finishedRequests.length; i++)
            map.put(i + "xx", finishedRequests[i].sum());
        return map;
    }

    /** {@return how many requests were answered without any handler} */
    @ManagedAttribute("How many requests were answered without any handler")
    public long refusedRequests() {
        return refusedRequests.sum();
    }

    /** {@return how many requests were answered without any handler, by the names of {@link RequestRefusal} in lower case} */
    @ManagedAttribute("How many requests were answered without any handler, by the reason")
    public Map<String, Long> refusedRequestsByReason() {
        return refusedRequests.toMap();
    }

    /**
     * Tells how many requests were refused for a reason.
     *
     * @param reason the reason
     * @return how many
     */
    public long refusedRequests(RequestRefusal reason) {
        return refusedRequests.get(reason);
    }

    /**
     * {@return the number of requests whose web server didn't keep the connection} Those of the Authorizer role don't count:
     * no web server can be told to keep theirs.
     */
    @ManagedAttribute("How many requests asked for their connection to be closed")
    public long unkeptRequests() {
        return unkeptRequests.sum();
    }

    /** {@return the number of requests whose peer aborted them or went away before their end} */
    @ManagedAttribute("How many requests were aborted, or their web server went away before their end")
    public long abortedRequests() {
        return abortedRequests.sum();
    }

    /** {@return how old, in nanoseconds, those of them were of whose response nothing was sent, when that was noticed} */
    public Histogram.Snapshot unansweredAborts() {
        return unansweredAborts.snapshot();
    }

    /** {@return the number of requests whose STDIN was shorter or longer than CONTENT_LENGTH} */
    @ManagedAttribute("How many requests had more or less content than their CONTENT_LENGTH")
    public long contentLengthMismatches() {
        return contentLengthMismatches.sum();
    }

    /** {@return the number of requests that were answered with success while their content was still coming in} */
    @ManagedAttribute("How many requests were answered while their content was still coming in")
    public long streamedRequests() {
        return streamedRequests.sum();
    }

    /** {@return the number of those whose web server had gathered their content before it passed it on} */
    @ManagedAttribute("How many of these had their content gathered by the web server before")
    public long gatheredRequests() {
        return gatheredRequests.sum();
    }

    /** {@return the number of responses with a head of 4000 bytes or more} */
    @ManagedAttribute("How many responses had a head of 4000 bytes or more")
    public long largeHeads() {
        return largeHeadSizes().count();
    }

    /** {@return the number of kept connections that the web server closed within a second of such a response} */
    @ManagedAttribute("How many kept connections were closed upon a response with a head of 4000 bytes or more")
    public long largeHeadEnds() {
        return largeHeadEnds.sum();
    }

    /** {@return the sizes of these heads, in bytes} */
    public Histogram.Snapshot largeHeadSizes() {
        return largeHeads.snapshot();
    }

    /** {@return the size of the largest of these heads in bytes, or at most 1/32 more, 0 if there are none} */
    @ManagedAttribute("The size of the largest of these heads, in bytes")
    public long largestHead() {
        return largeHeadSizes().max();
    }

    // ---- times

    /** {@return how many nanoseconds passed from BEGIN_REQUEST to the head of the response} */
    public Histogram.Snapshot firstByteTimes() {
        return firstByteTimes.snapshot();
    }

    /** {@return how many nanoseconds passed from BEGIN_REQUEST to the end of the request, its response written} */
    public Histogram.Snapshot totalTimes() {
        return totalTimes.snapshot();
    }

    /** {@return the times to the first byte: mean, percentiles and maximum, in milliseconds} */
    @ManagedAttribute("The times from BEGIN_REQUEST to the head of the response, in milliseconds")
    public Map<String, Double> firstByteMillis() {
        return millis(firstByteTimes());
    }

    /** {@return the times of whole requests: mean, percentiles and maximum, in milliseconds} */
    @ManagedAttribute("The times from BEGIN_REQUEST to the end of the request, in milliseconds")
    public Map<String, Double> totalMillis() {
        return millis(totalTimes());
    }

    private static Map<String, Double> millis(Histogram.Snapshot times) {
        double nanosPerMilli = TimeUnit.MILLISECONDS.toNanos(1);
        Map<String, Double> map = new TreeMap<>();
        map.put("mean", times.mean() / nanosPerMilli);
        map.put("max", times.max() / nanosPerMilli);
        for (int percent : new int[] {50, 90, 95, 99})
            map.put("p" + percent, times.percentile(percent) / nanosPerMilli);
        return map;
    }
}

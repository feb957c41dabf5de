package io.github.jettyfastcgi.server;

import io.github.jettyfastcgi.cgi.ResponseHead;
import io.github.jettyfastcgi.protocol.EndRequest;
import io.github.jettyfastcgi.protocol.NameValuePairs;
import io.github.jettyfastcgi.protocol.ProtocolStatus;
import io.github.jettyfastcgi.protocol.RecordEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;

/**
 * Answers what never becomes a request of the application: management records, and requests that are refused, aborted or
 * given up before their variables are complete. Used by the owner of the parser.
 *
 * <p>Each refusal is a real response, then END_REQUEST: Apache takes a bare END_REQUEST for an empty 200, whatever its
 * protocol status, and HAProxy waits on.
 */
final class Replies {
    static final String RETRY_SECONDS = "1";

    private static final int MAX_LENGTH = 512;
    private static final String UNLIMITED = "1000";

    private final FastCGIConnectionFactory factory;
    private final RecordFlusher flusher;

    Replies(FastCGIConnectionFactory factory, RecordFlusher flusher) {
        this.factory = factory;
        this.flusher = flusher;
    }

    /** Answers GET_VALUES: the names asked for that are known, once each. */
    void values(NameValuePairs names) {
        Map<String, String> known = Map.of(
                "FCGI_MAX_CONNS", limit(factory.getMaxConnections()),
                "FCGI_MAX_REQS", limit(factory.getMaxRequests()),
                "FCGI_MPXS_CONNS", "0");
        Map<String, String> values = new LinkedHashMap<>();
        names.forEach((bytes, nameOffset, nameLength, valueOffset, valueLength) -> {
            String name = new String(bytes, nameOffset, nameLength, StandardCharsets.ISO_8859_1);
            if (known.containsKey(name)) values.put(name, known.get(name));
        });
        flusher.reply(RecordEncoder.getValuesResult(values));
    }

    private static String limit(int number) {
        return number == 0 ? UNLIMITED : Integer.toString(number);
    }

    /** Answers a management record of another type. */
    void unknownType(int typeCode) {
        flusher.reply(RecordEncoder.unknownType(typeCode));
    }

    /** Ends a request that was aborted before the application has seen it. */
    void aborted(int requestId) {
        factory.getCounters().abortedRequests.increment();
        flusher.reply(RecordEncoder.endRequest(requestId, EndRequest.COMPLETE));
    }

    /** Refuses a role that isn't served. */
    void unknownRole(int requestId) {
        factory.getCounters().refusedRequests.increment(RequestRefusal.UNKNOWN_ROLE);
        flusher.reply(response(
                requestId,
                HttpStatus.NOT_IMPLEMENTED_501,
                HttpFields.build(),
                "This FastCGI application does not serve this role.\n",
                ProtocolStatus.UNKNOWN_ROLE));
    }

    /** Refuses a request that begins within another. */
    void multiplexed(int requestId) {
        factory.getCounters().refusedRequests.increment(RequestRefusal.MULTIPLEXED);
        flusher.reply(response(
                requestId,
                HttpStatus.SERVICE_UNAVAILABLE_503,
                HttpFields.build().put(HttpHeader.RETRY_AFTER, RETRY_SECONDS),
                "This FastCGI application serves one request at a time on a connection.\n",
                ProtocolStatus.CANT_MPX_CONN));
    }

    /** Gives up a request whose variables don't come. */
    void timeout(int requestId) {
        factory.getCounters().refusedRequests.increment(RequestRefusal.TIMEOUT);
        flusher.reply(response(
                requestId,
                HttpStatus.REQUEST_TIMEOUT_408,
                HttpFields.build(),
                "The web server did not send the whole request in time.\n",
                ProtocolStatus.REQUEST_COMPLETE));
    }

    private static ByteBuffer response(
            int requestId, int status, HttpFields.Mutable fields, String text, ProtocolStatus protocolStatus) {
        byte[] body = text.getBytes(StandardCharsets.US_ASCII);
        fields.put(HttpHeader.CONTENT_TYPE, "text/plain;charset=utf-8");
        fields.put(HttpHeader.CONTENT_LENGTH, body.length);
        ByteBuffer content = ByteBuffer.allocate(MAX_LENGTH);
        ResponseHead.putTo(status, fields, content);
        content.put(body);
        byte[] bytes = Arrays.copyOf(content.array(), content.position());
        return RecordEncoder.response(requestId, bytes, new EndRequest(0, protocolStatus));
    }
}

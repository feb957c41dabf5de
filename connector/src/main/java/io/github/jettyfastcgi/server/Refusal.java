package io.github.jettyfastcgi.server;

import io.github.jettyfastcgi.cgi.ResponseHead;
import io.github.jettyfastcgi.protocol.EndRequest;
import io.github.jettyfastcgi.protocol.ProtocolStatus;
import io.github.jettyfastcgi.protocol.RecordEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;

/**
 * Answers to what never becomes a request of the application. Each is a real response, then END_REQUEST: Apache takes a
 * bare END_REQUEST for an empty 200, whatever its protocol status, and HAProxy waits on.
 */
final class Refusal {
    private static final int MAX_LENGTH = 512;
    static final String RETRY_SECONDS = "1";

    private Refusal() {}

    /** {@return the answer to a role that isn't served} */
    static ByteBuffer role(int requestId) {
        return encode(
                requestId,
                HttpStatus.NOT_IMPLEMENTED_501,
                HttpFields.build(),
                "This FastCGI application serves the Responder role only.\n",
                ProtocolStatus.UNKNOWN_ROLE);
    }

    /** {@return the answer to a request that begins within another} */
    static ByteBuffer multiplexed(int requestId) {
        return encode(
                requestId,
                HttpStatus.SERVICE_UNAVAILABLE_503,
                HttpFields.build().put(HttpHeader.RETRY_AFTER, RETRY_SECONDS),
                "This FastCGI application serves one request at a time on a connection.\n",
                ProtocolStatus.CANT_MPX_CONN);
    }

    /** {@return the answer to variables that don't come} */
    static ByteBuffer timeout(int requestId) {
        return encode(
                requestId,
                HttpStatus.REQUEST_TIMEOUT_408,
                HttpFields.build(),
                "The web server did not send the whole request in time.\n",
                ProtocolStatus.REQUEST_COMPLETE);
    }

    private static ByteBuffer encode(
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

package io.github.jettyfastcgi.server;

import io.github.jettyfastcgi.cgi.CGIRequest;
import io.github.jettyfastcgi.protocol.RecordEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.ErrorHandler;

/**
 * What goes into the error log of the web server, through STDERR, about a request that has failed: one line with status,
 * method, path and exception. It is of printable ASCII, with escapes as in Java for all the rest: no message looks like two
 * entries, and none gives orders to the terminal that shows it, in whatever encoding.
 */
final class ErrorReport {
    /** The most bytes of a line. nginx cuts its entries at 2,048 bytes, what it adds to them included. */
    static final int MAX_LENGTH = 1024;

    private static final String CUT = "...";

    /** Where containers put what an error page is about: Jetty, Servlet 5.0 and newer, and older. */
    private static final String[] EXCEPTION_ATTRIBUTES = {
        ErrorHandler.ERROR_EXCEPTION, "jakarta.servlet.error.exception", "javax.servlet.error.exception"
    };

    private static final String[] MESSAGE_ATTRIBUTES = {
        ErrorHandler.ERROR_MESSAGE, "jakarta.servlet.error.message", "javax.servlet.error.message"
    };

    private ErrorReport() {}

    /**
     * Reports an answer that is an error.
     *
     * @param requestId the id of the request
     * @param status the status of the answer
     * @param request the request
     * @param attributes has the exception, where the container tells it
     * @return the records
     */
    static ByteBuffer ofAnswer(int requestId, int status, CGIRequest request, Request attributes) {
        return records(requestId, line(status, request, reason(status, attributes)));
    }

    /**
     * Reports an answer that breaks off.
     *
     * @param requestId the id of the request
     * @param status the status of the answer
     * @param request the request
     * @param cause why it breaks off
     * @return the records
     */
    static ByteBuffer ofTruncation(int requestId, int status, CGIRequest request, Throwable cause) {
        return records(requestId, line(status, request, "the response breaks off, " + describe(cause)));
    }

    private static String reason(int status, Request attributes) {
        for (String name : EXCEPTION_ATTRIBUTES)
            if (attributes.getAttribute(name) instanceof Throwable cause) return describe(cause);
        for (String name : MESSAGE_ATTRIBUTES)
            if (attributes.getAttribute(name) instanceof String message) return message;
        return HttpStatus.getMessage(status);
    }

    /** {@return the exception, and the one that it comes from} */
    private static String describe(Throwable cause) {
        Throwable root = cause;
        while (root.getCause() != null) root = root.getCause();
        return root == cause ? cause.toString() : cause + "; root cause " + root;
    }

    private static String line(int status, CGIRequest request, String reason) {
        return status + " " + request.getMethod() + " " + request.getHttpURI().getCanonicalPath() + ": " + reason;
    }

    private static ByteBuffer records(int requestId, String line) {
        return RecordEncoder.stderr(requestId, printable(line).getBytes(StandardCharsets.US_ASCII));
    }

    /** {@return a text of which no byte does anything but be seen, and not too many} */
    static String printable(String text) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < text.length() && line.length() <= MAX_LENGTH; i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\n' -> line.append("\\n");
                case '\r' -> line.append("\\r");
                case '\t' -> line.append("\\t");
                default -> {
                    if (c >= ' ' && c <= '~') line.append(c);
                    else line.append(String.format("\\u%04x", (int) c));
                }
            }
        }
        if (line.length() <= MAX_LENGTH) return line.toString();
        return line.substring(0, MAX_LENGTH - CUT.length()) + CUT;
    }
}

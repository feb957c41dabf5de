package io.github.jettyfastcgi.status;

import io.github.jettyfastcgi.server.FastCGIConnectionFactory;
import io.github.jettyfastcgi.status.advice.Figure;
import io.github.jettyfastcgi.status.advice.WebServer;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.ForwardedRequestCustomizer;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;

/**
 * Looks at requests for what the counters don't tell, but advice needs: at the first {@value #AT_LEAST} in each interval, so
 * that of a server with little to do all is seen, and at one of {@value #ONE_OF} others. Any thread may call.
 */
final class RequestObserver {
    private static final int ONE_OF = 8;
    private static final int AT_LEAST = 20;
    private static final int LARGE = 1_000_000;

    private final Map<Figure, LongAdder> counts = new EnumMap<>(Figure.class);
    private final SessionObserver sessions;
    private final boolean usesRequestUri;
    private final AtomicInteger owed = new AtomicInteger(AT_LEAST);
    private volatile WebServer webServer = WebServer.OTHER;

    /**
     * Creates an observer.
     *
     * @param usesRequestUri whether paths are taken from REQUEST_URI
     * @param sessions looks at the cookies of sessions
     */
    RequestObserver(boolean usesRequestUri, SessionObserver sessions) {
        this.usesRequestUri = usesRequestUri;
        this.sessions = sessions;
        for (Figure figure : Figure.values()) counts.put(figure, new LongAdder());
    }

    WebServer webServer() {
        return webServer;
    }

    long get(Figure figure) {
        return switch (figure) {
            case SEEN_SESSIONS -> sessions.known();
            case SEEN_UNUSED_SESSIONS -> sessions.unused();
            default -> counts.get(figure).sum();
        };
    }

    /** The next interval begins. */
    void nextInterval() {
        owed.set(AT_LEAST);
        sessions.sweep();
    }

    /** Looks at a request that is about to be handled, or not. */
    void observe(Request request, Response response) {
        sessions.onRequest(request);
        boolean isOwed = owed.get() > 0 && owed.getAndDecrement() > 0;
        if (!isOwed && ThreadLocalRandom.current().nextInt(ONE_OF) != 0) return;
        if (!(request.getAttribute(FastCGIConnectionFactory.VARIABLES_ATTRIBUTE) instanceof Map<?, ?> variables))
            return;
        count(Figure.SEEN_REQUESTS, true);
        webServer = WebServer.of((String) variables.get("SERVER_SOFTWARE"));
        boolean hasUri = variables.get("REQUEST_URI") instanceof String uri && !uri.isEmpty();
        count(Figure.SEEN_WITHOUT_URI, usesRequestUri && !hasUri);
        count(Figure.SEEN_LOCAL_TCP, isLocal(Request.unWrap(request).getConnectionMetaData()));
        count(Figure.SEEN_WITHOUT_PORT, isPortLost(request, variables.get("SERVER_PORT")));
        count(Figure.SEEN_FORWARDED, isForwardingTrusted(request));
        Request.addCompletionListener(request, failure -> onCompletion(response));
    }

    private void count(Figure figure, boolean applies) {
        if (applies) counts.get(figure).increment();
    }

    private static boolean isLocal(ConnectionMetaData connection) {
        EndPoint endPoint = connection.getConnection().getEndPoint();
        return endPoint.getRemoteSocketAddress() instanceof InetSocketAddress remote
                && endPoint.getLocalSocketAddress() instanceof InetSocketAddress local
                && (remote.getAddress().isLoopbackAddress()
                        || remote.getAddress().equals(local.getAddress()));
    }

    /**
     * {@return whether the request comes from a page of the same host, at a port that it doesn't have itself} What proves
     * that the page isn't another site's on the same host: the web server listens there, or the browser says so.
     */
    private static boolean isPortLost(Request request, Object serverPort) {
        String host = request.getHeaders().get(HttpHeader.HOST);
        String origin = request.getHeaders().get(HttpHeader.ORIGIN);
        if (origin == null) origin = request.getHeaders().get(HttpHeader.REFERER);
        if (host == null || origin == null || host.indexOf(':') >= 0) return false;
        try {
            URI page = URI.create(origin);
            boolean isSameSite = Integer.toString(page.getPort()).equals(serverPort)
                    || "same-origin".equals(request.getHeaders().get("Sec-Fetch-Site"));
            return page.getPort() > 0 && isSameSite && host.equalsIgnoreCase(page.getHost());
        } catch (IllegalArgumentException x) {
            return false; // whatever a client has put there
        }
    }

    private static boolean isForwardingTrusted(Request request) {
        return request.getConnectionMetaData().getHttpConfiguration().getCustomizer(ForwardedRequestCustomizer.class)
                        != null
                && FastCGIConnectionFactory.clientOf(request) != null;
    }

    private void onCompletion(Response response) {
        sessions.onResponse(response);
        // Such as Jetty's handlers for files send, and nothing that is made on the fly does
        boolean isFile = response.getHeaders().contains(HttpHeader.ACCEPT_RANGES);
        count(Figure.SEEN_LARGE_FILES, isFile && Response.getContentBytesWritten(response) >= LARGE);
    }
}

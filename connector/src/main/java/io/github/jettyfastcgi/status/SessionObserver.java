package io.github.jettyfastcgi.status;

import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.eclipse.jetty.http.HttpCookie;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.NanoTime;

/**
 * Finds out whether sessions are used again, of those whose cookie it sees being set: one with {@value #COOKIE} in its name,
 * in any case. Another request uses a session by a cookie or, where clients have none, in the path. It knows
 * {@value #MAX_WAITING} sessions at a time. Any thread may call.
 */
final class SessionObserver {
    private static final String COOKIE = "SESSION";
    private static final int MAX_WAITING = 1000;

    private final Map<String, Long> waiting = new ConcurrentHashMap<>();
    private final LongAdder used = new LongAdder();
    private final LongAdder unused = new LongAdder();
    private final long graceNanos;

    /**
     * Creates an observer.
     *
     * @param graceMillis after how many milliseconds a session that wasn't used again won't be
     */
    SessionObserver(long graceMillis) {
        graceNanos = TimeUnit.MILLISECONDS.toNanos(graceMillis);
    }

    /** {@return how many sessions it is known of whether they were used again} */
    long known() {
        return used.sum() + unused.sum();
    }

    /** {@return how many sessions were not used again} */
    long unused() {
        return unused.sum();
    }

    void onResponse(Response response) {
        if (waiting.size() >= MAX_WAITING) return;
        for (HttpField field : response.getHeaders().getFields(HttpHeader.SET_COOKIE)) {
            String cookie = field.getValue();
            int equals = cookie == null ? -1 : cookie.indexOf('=');
            if (equals < 0 || !isOfSession(cookie.substring(0, equals))) continue;
            int end = cookie.indexOf(';', equals);
            String id = cookie.substring(equals + 1, end < 0 ? cookie.length() : end);
            if (!id.isEmpty()) waiting.put(id, NanoTime.now()); // else it is taken back
        }
    }

    void onRequest(Request request) {
        if (waiting.isEmpty()) return;
        String parameter = request.getHttpURI().getParam();
        if (parameter != null) onUse(parameter.substring(parameter.indexOf('=') + 1));
        if (!request.getHeaders().contains(HttpHeader.COOKIE)) return;
        List<HttpCookie> cookies = Request.getCookies(request);
        for (HttpCookie cookie : cookies) if (isOfSession(cookie.getName())) onUse(cookie.getValue());
    }

    private void onUse(String id) {
        if (waiting.remove(id) != null) used.increment();
    }

    private static boolean isOfSession(String cookie) {
        return cookie.toUpperCase(Locale.ROOT).contains(COOKIE);
    }

    /** Gives up on sessions that have waited for long; to be called from time to time. */
    void sweep() {
        Iterator<Long> begins = waiting.values().iterator();
        while (begins.hasNext()) {
            if (NanoTime.since(begins.next()) < graceNanos) continue;
            begins.remove();
            unused.increment();
        }
    }
}

package io.github.jettyfastcgi.status;

import java.util.Iterator;
import java.util.List;
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
 * Finds out whether sessions are used again, of those whose cookie it sees being set, by their usual cookie. It knows
 * {@value #MAX_WAITING} at a time. Any thread may call.
 */
final class SessionObserver {
    private static final String COOKIE = "JSESSIONID";
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
            if (cookie != null && cookie.startsWith(COOKIE + "=")) {
                int end = cookie.indexOf(';');
                String id = cookie.substring(COOKIE.length() + 1, end < 0 ? cookie.length() : end);
                waiting.put(id, NanoTime.now());
            }
        }
    }

    void onRequest(Request request) {
        if (waiting.isEmpty() || !request.getHeaders().contains(HttpHeader.COOKIE)) return;
        List<HttpCookie> cookies = Request.getCookies(request);
        for (HttpCookie cookie : cookies)
            if (COOKIE.equals(cookie.getName()) && waiting.remove(cookie.getValue()) != null) used.increment();
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

package io.github.jettyfastcgi.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.jettyfastcgi.server.LogCapture;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.Session;
import org.eclipse.jetty.server.handler.ContextHandler;
import org.eclipse.jetty.server.handler.ContextHandlerCollection;
import org.eclipse.jetty.session.SessionHandler;
import org.eclipse.jetty.session.SessionManager;
import org.eclipse.jetty.util.Callback;

/**
 * A server of contexts that count the visits of each visitor in his session. Another path does something else:
 * {@code /renew} renews the id, {@code /end} ends the session, {@code /wait} answers when the test says so.
 */
final class SessionServer {
    private static final String COUNT = "count";

    static final int DEADLINE_SECONDS = 15;

    final LogCapture log = new LogCapture();
    final Server server = new Server();
    final BoundedSessionCacheFactory caches = new BoundedSessionCacheFactory();
    final BlockingQueue<Callback> waiting = new LinkedBlockingQueue<>();
    private final AtomicInteger requests = new AtomicInteger();
    private final Map<String, CountDownLatch> running = new ConcurrentHashMap<>();
    private final LocalConnector connector = new LocalConnector(server);
    private final ContextHandlerCollection contexts = new ContextHandlerCollection();

    SessionServer(int maxSessions) {
        caches.setMaxSessions(maxSessions);
        server.addConnector(connector);
        server.addBean(caches);
        server.setHandler(new Handler.Wrapper(contexts) {
            @Override
            public boolean handle(Request request, Response response, Callback callback) throws Exception {
                CountDownLatch ended = running.get(request.getHeaders().get("Number"));
                Request.addCompletionListener(request, failure -> ended.countDown());
                return super.handle(request, response, callback);
            }
        });
    }

    /** Adds a context, in whose attributes a listener of Jetty's may be. */
    SessionServer add(String path, Object listener) {
        SessionHandler sessions = new SessionHandler();
        sessions.setHandler(new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) throws Exception {
                return count(request, response, callback);
            }
        });
        sessions.setSessionPath("/");
        ContextHandler context = new ContextHandler(sessions, path);
        context.getContext().setAttribute("listener", listener);
        return add(context);
    }

    SessionServer add(Handler context) {
        contexts.addHandler(context);
        return this;
    }

    SessionServer start() throws Exception {
        server.start();
        return this;
    }

    /** {@return the cache of the first context} */
    BoundedSessionCache cache() {
        return server.getContainedBeans(SessionManager.class).stream()
                .map(manager -> (BoundedSessionCache) manager.getSessionCache())
                .findFirst()
                .orElseThrow();
    }

    private boolean count(Request request, Response response, Callback callback) throws Exception {
        Session session = request.getSession(true);
        int count = session.getAttribute(COUNT) instanceof Integer before ? before + 1 : 1;
        session.setAttribute(COUNT, count);
        switch (Request.getPathInContext(request)) {
            case "/renew" -> session.renewId(request, response);
            case "/end" -> session.invalidate();
            case "/wait" -> {
                waiting.add(Callback.from(() -> Content.Sink.write(response, true, "" + count, callback)));
                return true;
            }
            default -> {
                // counted
            }
        }
        Content.Sink.write(response, true, "" + count, callback);
        return true;
    }

    /** Serves one request without a cookie. */
    void flood(String path) throws Exception {
        assertThat(new Visitor(this).visit(path)).isEqualTo(1);
    }

    void flood(String path, int requests) throws Exception {
        for (int i = 0; i < requests; i++) flood(path);
    }

    Visitor visitor() {
        return new Visitor(this);
    }

    /** {@return the response, when the request has left its session} */
    private String get(String path, String cookie) throws Exception {
        String number = Integer.toString(requests.incrementAndGet());
        CountDownLatch ended = new CountDownLatch(1);
        running.put(number, ended);
        String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nNumber: " + number
                + "\r\n" + (cookie == null ? "" : "Cookie: " + cookie + "\r\n") + "\r\n";
        String response = connector.getResponse(request, DEADLINE_SECONDS, TimeUnit.SECONDS);
        assertThat(ended.await(DEADLINE_SECONDS, TimeUnit.SECONDS)).isTrue();
        running.remove(number);
        return response;
    }

    void stop() throws Exception {
        server.stop();
        log.close();
    }

    /** Somebody who keeps his cookie. */
    static final class Visitor {
        private static final Pattern COOKIE = Pattern.compile("Set-Cookie: (.*?);");

        private final SessionServer site;
        private String cookie;

        private Visitor(SessionServer site) {
            this.site = site;
        }

        /** {@return which visit it is, by the counter in the session} */
        int visit(String path) throws Exception {
            String response = site.get(path, cookie);
            assertThat(response).startsWith("HTTP/1.1 200 ");
            Matcher set = COOKIE.matcher(response);
            if (set.find()) cookie = set.group(1);
            return Integer.parseInt(response.substring(response.indexOf("\r\n\r\n") + 4));
        }
    }
}

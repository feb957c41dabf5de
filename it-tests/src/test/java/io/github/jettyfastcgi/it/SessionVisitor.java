package io.github.jettyfastcgi.it;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A client with several sessions of the sample application, which it visits in turn. Each visit has to be answered, in the
 * session that the last answer was about, which counts visits: at least one more than the client knows of.
 */
final class SessionVisitor implements Runnable {
    private static final int SESSIONS = 10;
    private static final String NO_COOKIE = "X-None: none";

    private final int port;
    private final AtomicBoolean stop;
    private final AtomicInteger visits;
    private final List<Session> sessions = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();

    /**
     * Creates a visitor.
     *
     * @param port where the application is
     * @param stop when to stop
     * @param visits where visits are counted
     */
    SessionVisitor(int port, AtomicBoolean stop, AtomicInteger visits) {
        this.port = port;
        this.stop = stop;
        this.visits = visits;
        for (int i = 0; i < SESSIONS; i++) {
            sessions.add(new Session(port));
        }
    }

    @Override
    public void run() {
        for (int i = 0; !stop.get(); i = (i + 1) % SESSIONS) {
            visit(sessions.get(i));
        }
    }

    /** Visits each session once more. */
    void visitAll() {
        sessions.forEach(this::visit);
    }

    private void visit(Session session) {
        try {
            session.visit();
        } catch (IOException | AssertionError e) {
            failures.add(e.toString());
        }
        visits.incrementAndGet();
    }

    /** What went wrong. Not to be asked while it runs. */
    List<String> failures() {
        return failures;
    }

    /** How many sessions it has. */
    int sessions() {
        return (int) sessions.stream().filter(session -> session.counter > 0).count();
    }

    /** One session, and the connection over which it is visited. */
    static final class Session {
        private final Client client;
        private String id;
        private long counter;

        Session(int port) {
            client = new Client(port);
        }

        /** Visits the session, or begins it. */
        void visit() throws IOException {
            Info info = send(client.cookies());
            String now = (String) info.get("id");
            long count = (Long) info.get("counter");
            if (id != null && (!now.equals(id) || count <= counter)) {
                throw new AssertionError(
                        "Session " + id + " had " + counter + " visits, and now session " + now + " has " + count);
            }
            id = now;
            counter = count;
        }

        /** Visits the session with a cookie that names a node, and returns how many visits it has had there. */
        long visitAt(String node) throws IOException {
            return (Long) send("JSESSIONID=" + id + "." + node).get("counter");
        }

        private Info send(String cookies) throws IOException {
            String cookie = cookies.isEmpty() ? NO_COOKIE : "Cookie: " + cookies;
            String head = String.join(
                    "\r\n",
                    "GET /session HTTP/1.1",
                    "Host: www.example.com",
                    "Accept: application/json",
                    cookie,
                    "",
                    "");
            return Info.of(client.send(head.getBytes(StandardCharsets.US_ASCII), true));
        }

        long counter() {
            return counter;
        }

        /** The name of the node that had the session last. */
        String node() {
            String cookie = client.cookie("JSESSIONID");
            return cookie.substring(cookie.lastIndexOf('.') + 1);
        }
    }
}

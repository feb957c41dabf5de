package io.github.jettyfastcgi.sample;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counts a session's visits; a POST ends the session. Every link goes through {@code encodeURL}, so that a client
 * without cookies keeps its session in the path.
 */
public final class SessionServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final String COUNTER = "counter";

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        HttpSession session = request.getSession();
        int counter = count(session);
        Instant created = Instant.ofEpochMilli(session.getCreationTime());
        response.setHeader("Vary", "Accept");
        if (Answer.wantsJson(request)) {
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put(COUNTER, counter);
            answer.put("id", session.getId());
            answer.put("isNew", session.isNew());
            answer.put("creationTime", created.toString());
            Answer.json(response, answer);
            return;
        }
        String self = response.encodeURL(request.getContextPath() + request.getServletPath());
        Answer.page(
                request, response, "Session", Html.of("""
                <p>Visits in this session:</p>
                <p class="figure">%1$s</p>
                <p><a class="button" href="%2$s">Visit again</a></p>
                <table>
                <tr><th scope="row">id</th><td><code>%3$s</code></td></tr>
                <tr><th scope="row">new</th><td><code>%4$s</code></td></tr>
                <tr><th scope="row">created</th><td><time datetime="%5$s">%5$s</time></td></tr>
                </table>
                <form method="post" action="%2$s"><button>Log out</button></form>
                """, counter, self, session.getId(), session.isNew(), created));
    }

    /** Logs out. A redirect follows, so that reloading the page that comes then doesn't repeat the logout. */
    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        HttpSession session = request.getSession(false);
        if (session != null) {
            session.invalidate();
        }
        response.sendRedirect(request.getContextPath() + request.getServletPath());
    }

    private static int count(HttpSession session) {
        // Requests of one session may run in parallel, and the API doesn't promise them one session object to lock.
        synchronized (SessionServlet.class) {
            int counter = session.getAttribute(COUNTER) instanceof Integer last ? last + 1 : 1;
            session.setAttribute(COUNTER, counter);
            return counter;
        }
    }
}

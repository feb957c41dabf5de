package io.github.jettyfastcgi.session;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionBindingListener;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionListener;
import java.io.IOException;
import java.util.List;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Handler;

/** An application of ee10 that counts visits in the session, and tells what its listeners hear of a session's end. */
final class CounterOfEE10 {
    private CounterOfEE10() {}

    static Handler create(List<String> heard) {
        ServletContextHandler context = new ServletContextHandler(ServletContextHandler.SESSIONS);
        context.setContextPath("/");
        context.addServlet(new ServletHolder(new Counter(heard)), "/");
        context.addEventListener(new HttpSessionListener() {
            @Override
            public void sessionDestroyed(HttpSessionEvent event) {
                heard.add("destroyed with " + event.getSession().getAttribute("count"));
            }
        });
        return context;
    }

    private static final class Counter extends HttpServlet {
        private static final long serialVersionUID = 1L;

        private final transient List<String> heard;

        Counter(List<String> heard) {
            this.heard = heard;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            HttpSession session = request.getSession();
            int count = session.getAttribute("count") instanceof Integer before ? before + 1 : 1;
            session.setAttribute("count", count);
            session.setAttribute("bound", new HttpSessionBindingListener() {
                @Override
                public void valueUnbound(HttpSessionBindingEvent event) {
                    heard.add("unbound");
                }
            });
            response.getWriter().print(count);
        }
    }
}

package io.github.jettyfastcgi.session;

import java.io.IOException;
import java.util.List;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpSession;
import javax.servlet.http.HttpSessionBindingEvent;
import javax.servlet.http.HttpSessionBindingListener;
import javax.servlet.http.HttpSessionEvent;
import javax.servlet.http.HttpSessionListener;
import org.eclipse.jetty.ee8.servlet.ServletContextHandler;
import org.eclipse.jetty.ee8.servlet.ServletHolder;
import org.eclipse.jetty.server.Handler;

/** An application of ee8 that counts visits in the session, and tells what its listeners hear of a session's end. */
final class CounterOfEE8 {
    private CounterOfEE8() {}

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
        return context.get();
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

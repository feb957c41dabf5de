package io.github.jettyfastcgi.server;

import io.github.jettyfastcgi.sendfile.SendFileHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.ee8.nested.ServletConstraint;
import org.eclipse.jetty.ee8.security.ConstraintMapping;
import org.eclipse.jetty.ee8.security.ConstraintSecurityHandler;
import org.eclipse.jetty.ee8.servlet.ServletContextHandler;
import org.eclipse.jetty.ee8.servlet.ServletHolder;
import org.eclipse.jetty.security.LoginService;
import org.eclipse.jetty.server.Handler;

/** Applications of ee8, whose classes have the names of ee10's. Those of ee9 differ from it in nothing but names. */
final class NestedApplications {
    private NestedApplications() {}

    /** {@return an application that tells the user} */
    static Handler open(String contextPath) {
        return servlets(contextPath).get();
    }

    /** {@return the same, in which /admin/* is for the role of that name, and /any/* for any user} */
    static Handler secured(String contextPath, LoginService realm, String method) {
        ServletContextHandler context = servlets(contextPath);
        ConstraintSecurityHandler security = new ConstraintSecurityHandler();
        security.addConstraintMapping(mapping("/admin/*", "admin"));
        security.addConstraintMapping(mapping("/any/*", ServletConstraint.ANY_AUTH));
        security.setRoles(Set.of("admin", "guest"));
        security.setLoginService(realm);
        security.setAuthMethod(method);
        context.setSecurityHandler(security);
        return context.get();
    }

    /** {@return an application that does what it is told, with a path and a way to send 503 with "maintenance"} */
    static Handler failing(String contextPath, BiConsumer<String, Runnable> action) {
        return servlets(contextPath, new FailingServlet(action)).get();
    }

    /** {@return an application that marks its responses with files} */
    static Handler marking(String contextPath, Function<HttpServletRequest, Path> file) {
        return servlets(contextPath, new MarkingServlet(file)).get();
    }

    private static ServletContextHandler servlets(String contextPath) {
        return servlets(contextPath, new UserServlet());
    }

    private static ServletContextHandler servlets(String contextPath, HttpServlet servlet) {
        ServletContextHandler context = new ServletContextHandler(ServletContextHandler.SESSIONS);
        context.setContextPath(contextPath);
        context.addServlet(new ServletHolder(servlet), "/*");
        return context;
    }

    private static ConstraintMapping mapping(String path, String role) {
        ServletConstraint constraint = new ServletConstraint(path, role);
        constraint.setAuthenticate(true);
        ConstraintMapping mapping = new ConstraintMapping();
        mapping.setPathSpec(path);
        mapping.setConstraint(constraint);
        return mapping;
    }

    private static final class FailingServlet extends HttpServlet {
        private static final long serialVersionUID = 1L;

        private final transient BiConsumer<String, Runnable> action;

        FailingServlet(BiConsumer<String, Runnable> action) {
            this.action = action;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            action.accept(request.getPathInfo(), () -> {
                try {
                    response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE, "maintenance");
                } catch (IOException x) {
                    throw new UncheckedIOException(x);
                }
            });
        }
    }

    private static final class MarkingServlet extends HttpServlet {
        private static final long serialVersionUID = 1L;

        private final transient Function<HttpServletRequest, Path> file;

        MarkingServlet(Function<HttpServletRequest, Path> file) {
            this.file = file;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            request.setAttribute(SendFileHandler.ATTRIBUTE, file.apply(request));
        }
    }

    private static final class UserServlet extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            switch (request.getPathInfo()) {
                case "/login" -> request.login("alice", "secret");
                case "/logout" -> request.logout();
                default -> {
                    // Nothing but the answer
                }
            }
            response.setCharacterEncoding("ISO-8859-1");
            response.getWriter()
                    .print(request.getRemoteUser() + ", " + request.getUserPrincipal() + ", " + request.getAuthType()
                            + ", " + request.isUserInRole("admin"));
        }
    }
}

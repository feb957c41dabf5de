package io.github.jettyfastcgi.sample;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** The error page: tells status, message and path, and never a stack trace. */
public final class ErrorServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Object status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
        if (status == null && request.getDispatcherType() == DispatcherType.ERROR) {
            status = response.getStatus(); // Jetty's own errors, such as 416, come without the attribute.
        }
        if (status == null) {
            // Asked for by its own address; the container comes back here with the attributes of the error.
            response.sendError(HttpServletResponse.SC_NOT_FOUND);
            return;
        }
        Object message = request.getAttribute(RequestDispatcher.ERROR_MESSAGE);
        Object path = request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI);
        Answer.page(
                request,
                response,
                "Error " + status,
                Html.of("""
                <p>%s</p>
                <table>
                <tr><th scope="row">Path</th><td><code>%s</code></td></tr>
                </table>
                """, message == null ? "No further message." : message, path));
    }
}

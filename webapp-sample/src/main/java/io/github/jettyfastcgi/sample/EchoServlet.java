package io.github.jettyfastcgi.sample;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Objects;

/** Returns a request's body as it comes, without blocking a thread; {@link Echo} does the work. */
public final class EchoServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Answer.page(request, response, "Echo", Html.of("""
                <p>A POST or PUT comes back as it was sent, while it is sent.</p>
                <form method="post" enctype="text/plain">
                <p><label>Text <textarea name="text" rows="4">Hello</textarea></label></p>
                <p><button>Send</button></p>
                </form>
                """));
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        echo(request, response);
    }

    @Override
    protected void doPut(HttpServletRequest request, HttpServletResponse response) throws IOException {
        echo(request, response);
    }

    private static void echo(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType(Objects.requireNonNullElse(request.getContentType(), "application/octet-stream"));
        response.setHeader("X-Content-Type-Options", "nosniff");
        if (request.getContentLengthLong() >= 0) {
            response.setContentLengthLong(request.getContentLengthLong());
        }
        AsyncContext context = request.startAsync();
        // The time for a whole body is unlimited; the connector's idle timeout ends one that stalls.
        context.setTimeout(0);
        new Echo(context, request.getInputStream(), response.getOutputStream()).start();
    }
}

package io.github.jettyfastcgi.sample;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Answers {@code delay} milliseconds later (default 1000). With {@code timeout} instead, never answers by itself, until
 * after so many milliseconds the container's asynchronous timeout makes it a 503.
 */
public final class AsyncServlet extends ScheduledServlet {
    private static final long serialVersionUID = 1L;
    private static final long MAX_MILLIS = 600_000;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        if (request.getParameter("timeout") != null) {
            long timeout = number(request, "timeout", 0, 1, MAX_MILLIS);
            AsyncContext context = request.startAsync();
            context.setTimeout(timeout);
            context.addListener(new TimeoutAnswer(timeout));
        } else {
            long delay = number(request, "delay", 1000, 0, MAX_MILLIS);
            ScheduledAnswer.Step answer = () -> {
                Answer.text(response, "Answered after " + delay + " ms\n");
                return false;
            };
            new ScheduledAnswer(request.startAsync(), scheduler(), 0, answer).start(delay);
        }
    }
}

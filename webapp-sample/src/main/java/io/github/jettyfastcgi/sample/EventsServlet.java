package io.github.jettyfastcgi.sample;

import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Sends {@code count} server-sent events (default 10), one every {@code interval} milliseconds (default 1000). The
 * events carry their number, from 1, as id and as data.
 */
public final class EventsServlet extends ScheduledServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        int count = (int) number(request, "count", 10, 0, 1_000_000);
        long interval = number(request, "interval", 1000, 0, 60_000);
        response.setContentType("text/event-stream; charset=utf-8");
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Accel-Buffering", "no"); // nginx would gather the events otherwise.
        Events events = new Events(response.getOutputStream(), count);
        new ScheduledAnswer(request.startAsync(), scheduler(), interval, events).start(0);
    }

    private static final class Events implements ScheduledAnswer.Step {
        private final ServletOutputStream output;
        private final int count;
        private int sent;

        Events(ServletOutputStream output, int count) {
            this.output = output;
            this.count = count;
        }

        @Override
        public boolean write() throws IOException {
            if (sent < count) {
                sent++;
                output.print("id: " + sent + "\ndata: " + sent + "\n\n");
                output.flush();
            }
            return sent < count;
        }
    }
}

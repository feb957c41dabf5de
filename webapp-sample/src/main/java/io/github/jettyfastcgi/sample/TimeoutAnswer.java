package io.github.jettyfastcgi.sample;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Makes an asynchronous timeout a 503 with a text. */
final class TimeoutAnswer implements AsyncListener {
    private final long timeout;

    TimeoutAnswer(long timeout) {
        this.timeout = timeout;
    }

    @Override
    public void onTimeout(AsyncEvent event) throws IOException {
        HttpServletResponse response = (HttpServletResponse) event.getSuppliedResponse();
        response.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
        Answer.text(response, "No answer within " + timeout + " ms\n");
        event.getAsyncContext().complete();
    }

    @Override
    public void onError(AsyncEvent event) {
        event.getAsyncContext().complete();
    }

    @Override
    public void onComplete(AsyncEvent event) {}

    @Override
    public void onStartAsync(AsyncEvent event) {}
}

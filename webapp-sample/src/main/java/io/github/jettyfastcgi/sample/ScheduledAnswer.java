package io.github.jettyfastcgi.sample;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import java.io.IOException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Answers an asynchronous request in steps, each at its time; between them the request holds no thread.
 *
 * <p>Steps and completion exclude each other by this object's lock. A completed request's objects may already serve the
 * next request, and nothing may be written to that.
 */
final class ScheduledAnswer implements AsyncListener {

    /** Writes the next part of the answer. */
    interface Step {
        /** @return whether another step follows */
        boolean write() throws IOException;
    }

    private final AsyncContext context;
    private final ScheduledExecutorService scheduler;
    private final long interval;
    private final Step step;
    private Future<?> next;
    private boolean completed;

    /** @param interval the time between two steps, in milliseconds */
    ScheduledAnswer(AsyncContext context, ScheduledExecutorService scheduler, long interval, Step step) {
        this.context = context;
        this.scheduler = scheduler;
        this.interval = interval;
        this.step = step;
    }

    /** @param delay the time until the first step, in milliseconds */
    void start(long delay) {
        context.setTimeout(0);
        context.addListener(this);
        schedule(delay);
    }

    private synchronized void schedule(long delay) {
        next = scheduler.schedule(this::startStep, delay, TimeUnit.MILLISECONDS);
    }

    private synchronized void startStep() {
        if (!completed) {
            context.start(this::takeStep);
        }
    }

    private synchronized void takeStep() {
        if (completed) {
            return;
        }
        boolean more;
        try {
            more = step.write();
        } catch (IOException e) {
            more = false; // The client went away.
        }
        if (more) {
            schedule(interval);
        } else {
            complete();
        }
    }

    private synchronized void complete() {
        if (!completed) {
            completed = true;
            next.cancel(false);
            context.complete();
        }
    }

    /** The container noticed that the client went away. */
    @Override
    public void onError(AsyncEvent event) {
        complete();
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        complete();
    }

    @Override
    public void onComplete(AsyncEvent event) {}

    @Override
    public void onStartAsync(AsyncEvent event) {}
}

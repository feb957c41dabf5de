package io.github.jettyfastcgi.sample;

import java.util.concurrent.ScheduledThreadPoolExecutor;

/** A servlet with a scheduler, whose one thread only says when; the work is done on the container's threads. */
abstract class ScheduledServlet extends ParameterServlet {
    private static final long serialVersionUID = 1L;

    private transient ScheduledThreadPoolExecutor scheduler;

    @Override
    public void init() {
        scheduler = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, getServletName() + "-scheduler");
            thread.setDaemon(true);
            return thread;
        });
        scheduler.setRemoveOnCancelPolicy(true);
    }

    @Override
    public void destroy() {
        scheduler.shutdownNow();
    }

    ScheduledThreadPoolExecutor scheduler() {
        return scheduler;
    }
}

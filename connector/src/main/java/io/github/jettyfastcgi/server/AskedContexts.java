package io.github.jettyfastcgi.server;

import org.eclipse.jetty.server.Context;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.ContextHandler;
import org.eclipse.jetty.util.component.Container;

/**
 * Notes which web application gets the question whether a request is allowed. While the one that is to decide isn't there,
 * Jetty gives its requests to another, such as ROOT, whose 200 allows nothing, see {@link FastCGIStream}.
 */
final class AskedContexts implements Container.InheritedListener, ContextHandler.ContextScopeListener {
    private AskedContexts() {}

    /** Begins to listen, if nobody does. */
    static void listenTo(Server server) {
        if (server.getBean(AskedContexts.class) == null) server.addBean(new AskedContexts());
    }

    @Override
    public void enterScope(Context context, Request request) {
        FastCGIRequest question = request == null ? null : Request.as(request, FastCGIRequest.class);
        if (question != null) question.asks(context.getContextPath());
    }

    @Override
    public void beanAdded(Container parent, Object child) {
        if (child instanceof ContextHandler context)
            context.addEventListener(this); // perhaps it isn't the parent's to manage
    }

    @Override
    public void beanRemoved(Container parent, Object child) {
        // It goes with its context
    }
}

package io.github.jettyfastcgi.sendfile;

import java.io.IOException;
import org.eclipse.jetty.http.content.HttpContent;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.ResourceService;
import org.eclipse.jetty.util.component.Container;
import org.eclipse.jetty.util.component.ContainerLifeCycle;

/**
 * The contents of a {@link ResourceService}, which has decided what to send when it writes one: behind filters,
 * constraints, conditions and ranges. Such a service is what sends the files of core handlers and of the default servlets
 * from ee10 on; older environments have others.
 */
final class ServedContents extends ContainerLifeCycle implements HttpContent.Factory {
    private final HttpContent.Factory factory;

    private ServedContents(HttpContent.Factory factory) {
        this.factory = factory;
        installBean(factory);
    }

    @Override
    public HttpContent getContent(String path) throws IOException {
        HttpContent content = factory.getContent(path);
        return content == null ? null : new OffloadedContent(content);
    }

    /** Puts itself around the contents of every service below the handler that it listens to. */
    static final class Listener implements Container.InheritedListener {
        @Override
        public void beanAdded(Container parent, Object child) {
            // What a container doesn't manage, such as a context that is deployed while it runs, doesn't inherit
            if (child instanceof Handler && child instanceof Container handler) handler.addEventListener(this);
            if (parent instanceof ResourceService service
                    && child instanceof HttpContent.Factory factory
                    && !(factory instanceof ServedContents)) service.setHttpContentFactory(new ServedContents(factory));
        }

        @Override
        public void beanRemoved(Container parent, Object child) {
            // The contents go with their service
        }
    }
}

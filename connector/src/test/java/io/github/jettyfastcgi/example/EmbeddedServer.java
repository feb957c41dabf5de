package io.github.jettyfastcgi.example;

import io.github.jettyfastcgi.server.FastCGIConnectionFactory;
import io.github.jettyfastcgi.server.FastCGITCPConnector;
import io.github.jettyfastcgi.server.FastCGIUnixConnector;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ThreadPool;
import org.eclipse.jetty.util.thread.VirtualThreadPool;

/**
 * A program with Jetty and the connector in it. What stands between tags is quoted in README.md; the program runs as a
 * test, with the connector on the class path and on the module path.
 */
public final class EmbeddedServer {
    private EmbeddedServer() {}

    /**
     * Runs until it is ended.
     *
     * @param arguments {@code unix} for a socket in the working directory, or {@code tcp} and a port
     * @throws Exception if it can't start
     */
    public static void main(String... arguments) throws Exception {
        Server server = newServer();
        if (arguments[0].equals("unix")) listenOnUnixSocket(server);
        else listenOnPort(server, Integer.parseInt(arguments[1]));
        server.setHandler(new Hello());
        server.start();
        server.join();
    }

    private static Server newServer() {
        // tag::threads[]
        ThreadPool threads = VirtualThreads.areSupported() ? new VirtualThreadPool() : new QueuedThreadPool();
        Server server = new Server(threads);
        // end::threads[]
        return server;
    }

    private static void listenOnUnixSocket(Server server) {
        // tag::unix[]
        FastCGIUnixConnector connector = new FastCGIUnixConnector(server, new FastCGIConnectionFactory());
        connector.setPath("fastcgi.sock");
        connector.setMode("0660");
        server.addConnector(connector);
        // end::unix[]
    }

    private static void listenOnPort(Server server, int port) {
        // tag::tcp[]
        FastCGITCPConnector connector = new FastCGITCPConnector(server, new FastCGIConnectionFactory());
        connector.setHost("127.0.0.1");
        connector.setPort(port);
        server.addConnector(connector);
        // end::tcp[]
    }

    private static final class Hello extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            String thread = VirtualThreads.isVirtualThread() ? "a virtual thread" : "a platform thread";
            Content.Sink.write(response, true, "Hello " + Request.getRemoteAddr(request) + " from " + thread, callback);
            return true;
        }
    }
}

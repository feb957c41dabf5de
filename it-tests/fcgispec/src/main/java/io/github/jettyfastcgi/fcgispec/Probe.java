package io.github.jettyfastcgi.fcgispec;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What a case works with: connections to the application, requests, and what the application offers. */
final class Probe implements Closeable {
    /** How long the application may take to be harmed. */
    private static final Duration REACTION = Duration.ofMillis(100);

    private final Options options;
    private final Application application;
    private final List<Connection> connections = new ArrayList<>();

    Probe(Options options, Application application) {
        this.options = options;
        this.application = application;
    }

    Options options() {
        return options;
    }

    Duration timeout() {
        return options.timeout();
    }

    /** {@return a GET with the query; it needn't be kept} */
    Request request(String query) {
        return new Request(options, query);
    }

    /** {@return a connection that is closed at the end of the case} */
    Connection connect() throws IOException {
        Connection connection = new Connection(options.address().connect(), options.timeout());
        connections.add(connection);
        return connection;
    }

    /** {@return the answer to the request on a connection of its own, which is closed then, as web servers do} */
    Answer ask(Request request) throws IOException {
        try (Connection connection = connect()) {
            connection.send(request.bytes());
            return connection.answer(request.id());
        }
    }

    /** Skips the case unless the application knows the query. */
    void needs(String query) throws IOException {
        application.needs(query);
    }

    /** Fails unless the application answers others: what the case has done may harm its own connection only. */
    void stillServes() throws IOException {
        for (Connection connection : connections) connection.listen(REACTION);
        closeAll();
        try {
            ask(request("variables")).tells("REQUEST_METHOD", "GET");
        } catch (Unmet | IOException e) {
            throw new Unmet("afterwards a request on a new connection isn't answered: " + e.getMessage());
        }
    }

    private void closeAll() throws IOException {
        for (Connection connection : connections) connection.close();
        connections.clear();
    }

    @Override
    public void close() throws IOException {
        closeAll();
    }
}

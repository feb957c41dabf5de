package io.github.jettyfastcgi.fcgispec;

import static io.github.jettyfastcgi.fcgispec.Case.must;
import static io.github.jettyfastcgi.fcgispec.Case.practice;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Requests at the same time, on one connection and on several. */
final class MultiplexCases {
    private static final int MANY = 32;

    private MultiplexCases() {}

    static List<Case> all() {
        return List.of(
                must(
                        "multiplex-second-begins",
                        "FastCGI 5.5",
                        "A request that begins within another is served, or refused with FCGI_CANT_MPX_CONN",
                        "END_REQUEST for the second, and the first is answered whole",
                        MultiplexCases::secondBegins),
                must(
                        "multiplex-connection-lives",
                        "FastCGI 5.1",
                        "The connection is kept after a refused request",
                        "the next request on it is answered",
                        MultiplexCases::connectionLives),
                must(
                        "multiplex-interleaved",
                        "FastCGI 3.3",
                        "An application that multiplexes serves requests whose records are interleaved",
                        "three of them, each with its own content",
                        MultiplexCases::interleaved),
                practice(
                        "multiplex-connections",
                        "FastCGI 3.2",
                        "Web servers open several connections at once",
                        MANY + " connections, all opened before the first request: each is answered",
                        MultiplexCases::connections),
                practice(
                        "multiplex-kept-connection-aside",
                        "FastCGI 3.2",
                        "Web servers keep connections aside for later",
                        "a request on a second connection is answered, then one on the kept first",
                        MultiplexCases::keptConnectionAside));
    }

    /** {@return the answer to a request that begins within another, which has been answered whole} */
    static Answer second(Probe probe) throws IOException {
        return second(probe, probe.connect());
    }

    private static Answer second(Probe probe, Connection connection) throws IOException {
        byte[] content = Samples.bytes(1000);
        connection.send(
                probe.request("echo").keep().content(content).head(),
                Records.record(RecordType.STDIN, 1, Arrays.copyOf(content, 500)),
                probe.request("variables").id(2).keep().bytes());
        Answer second = connection.answer(2);
        second.end();
        connection.send(Records.stream(RecordType.STDIN, 1, Arrays.copyOfRange(content, 500, 1000)));
        connection.answer(1).has(content);
        return second;
    }

    private static void secondBegins(Probe probe) throws IOException {
        Answer second = second(probe);
        switch (second.protocolStatus()) {
            case Answer.REQUEST_COMPLETE -> second.ok();
            case Answer.CANT_MPX_CONN, Answer.OVERLOADED -> {}
            default -> throw new Unmet("protocolStatus " + second.protocolStatus());
        }
    }

    private static void connectionLives(Probe probe) throws IOException {
        Connection connection = probe.connect();
        second(probe, connection);
        connection.send(probe.request("variables").id(3).keep().bytes());
        connection.answer(3).ok();
    }

    private static void interleaved(Probe probe) throws IOException {
        Connection connection = probe.connect();
        connection.send(Records.getValues(ValuesCases.MPXS_CONNS));
        String value = Pairs.parse(connection.management().content()).getOrDefault(ValuesCases.MPXS_CONNS, "0");
        if (!value.equals("1")) throw new Skipped("FCGI_MPXS_CONNS is " + value);
        Map<Integer, byte[]> contents =
                Map.of(1, Samples.bytes(1000), 2, Samples.letters(1000), 3, Samples.letters(500));
        for (int id : contents.keySet())
            connection.send(probe.request("echo")
                    .id(id)
                    .keep()
                    .content(contents.get(id))
                    .head());
        for (int at = 0; at < 1000; at += 100)
            for (Map.Entry<Integer, byte[]> each : contents.entrySet())
                if (at < each.getValue().length)
                    connection.send(Records.record(
                            RecordType.STDIN, each.getKey(), Arrays.copyOfRange(each.getValue(), at, at + 100)));
        for (int id : contents.keySet()) connection.send(Records.end(RecordType.STDIN, id));
        for (int id : contents.keySet()) connection.answer(id).has(contents.get(id));
    }

    private static void connections(Probe probe) throws IOException {
        Connection[] connections = new Connection[MANY];
        for (int i = 0; i < MANY; i++) connections[i] = probe.connect();
        for (int i = 0; i < MANY; i++)
            connections[i].send(probe.request("variables")
                    .set("FCGISPEC_NUMBER", Integer.toString(i))
                    .bytes());
        for (int i = 0; i < MANY; i++) {
            connections[i].answer(1).tells("FCGISPEC_NUMBER", Integer.toString(i));
            connections[i].close();
        }
    }

    private static void keptConnectionAside(Probe probe) throws IOException {
        Connection first = probe.connect();
        first.send(probe.request("variables").keep().bytes());
        first.answer(1).ok();
        probe.ask(probe.request("variables")).ok();
        first.send(probe.request("variables").keep().bytes());
        first.answer(1).ok();
    }
}

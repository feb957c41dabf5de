package io.github.jettyfastcgi.fcgispec;

import static io.github.jettyfastcgi.fcgispec.Case.must;
import static io.github.jettyfastcgi.fcgispec.Case.practice;
import static io.github.jettyfastcgi.fcgispec.Case.should;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Management records. */
final class ValuesCases {
    static final String MAX_CONNS = "FCGI_MAX_CONNS";
    static final String MAX_REQS = "FCGI_MAX_REQS";
    static final String MPXS_CONNS = "FCGI_MPXS_CONNS";

    private static final int UNKNOWN_MANAGEMENT_TYPE = 42;

    private ValuesCases() {}

    static List<Case> all() {
        return List.of(
                must(
                        "values-all",
                        "FastCGI 4.1",
                        "GET_VALUES is answered with GET_VALUES_RESULT and the values that the application knows",
                        "numbers for names among the three that were asked for, and no others",
                        ValuesCases::all3),
                must(
                        "values-some",
                        "FastCGI 4.1",
                        "The values supplied are those that were asked for",
                        "asked for FCGI_MPXS_CONNS: its value alone, 0 or 1",
                        ValuesCases::some),
                must(
                        "values-unknown",
                        "FastCGI 4.1",
                        "A name that the application doesn't understand is omitted",
                        "asked for it and FCGI_MPXS_CONNS: the value of the latter alone",
                        ValuesCases::unknown),
                must(
                        "values-empty",
                        "FastCGI 4.1",
                        "A query of no names has an empty result",
                        "GET_VALUES_RESULT without content",
                        ValuesCases::empty),
                must(
                        "values-byte-by-byte",
                        "FastCGI 3.3",
                        "A query may arrive one byte at a time, padded, its lengths in four bytes",
                        "the result",
                        ValuesCases::byteByByte),
                must(
                        "values-then-request",
                        "FastCGI 4.1",
                        "A query may come before the first request of a connection",
                        "the result, then the answer to the request",
                        ValuesCases::thenRequest),
                must(
                        "values-between-requests",
                        "FastCGI 4.1",
                        "A query may come between two requests",
                        "the result, then the answer to the second request",
                        ValuesCases::betweenRequests),
                must(
                        "values-within-params",
                        "FastCGI 4.1",
                        "A query may come at any time: within PARAMS",
                        "the result before the rest is sent, then the answer to the request",
                        ValuesCases::withinParams),
                must(
                        "values-within-stdin",
                        "FastCGI 4.1",
                        "A query may come at any time: within STDIN",
                        "the result and the answer to the request",
                        ValuesCases::withinStdin),
                should(
                        "values-while-running",
                        "FastCGI 4.1",
                        "The answer to a query doesn't involve the application proper: it needn't be ready for it",
                        "the result comes while the application works for half a second",
                        ValuesCases::whileRunning),
                must(
                        "values-after-running",
                        "FastCGI 4.1",
                        "A query may come at any time: while the application works",
                        "the result and the answer to the request, in any order",
                        ValuesCases::afterRunning),
                must(
                        "values-unknown-type",
                        "FastCGI 4.2",
                        "A management record of an unknown type is answered with UNKNOWN_TYPE",
                        "UNKNOWN_TYPE with type 42, then the answer to a request",
                        ValuesCases::unknownType),
                must(
                        "values-unknown-type-within-request",
                        "FastCGI 4.2",
                        "A management record of an unknown type doesn't disturb a request",
                        "UNKNOWN_TYPE and the answer to the request",
                        ValuesCases::unknownTypeWithinRequest),
                practice(
                        "values-consistent",
                        "FastCGI 4.1",
                        "FCGI_MPXS_CONNS tells the truth",
                        "two requests at once on a connection are both answered if it is 1, one is refused if it is 0",
                        ValuesCases::consistent));
    }

    private static Map<String, String> result(Connection connection) throws IOException {
        WireRecord result = connection.management();
        Unmet.unless(result.type() == RecordType.GET_VALUES_RESULT, result.toString());
        return Pairs.parse(result.content());
    }

    private static Map<String, String> query(Probe probe, String... names) throws IOException {
        Connection connection = probe.connect();
        connection.send(Records.getValues(names));
        return result(connection);
    }

    private static void all3(Probe probe) throws IOException {
        List<String> names = List.of(MAX_CONNS, MAX_REQS, MPXS_CONNS);
        Map<String, String> values = query(probe, MAX_CONNS, MAX_REQS, MPXS_CONNS);
        Unmet.unless(!values.isEmpty(), "no value");
        values.forEach(
                (name, value) -> Unmet.unless(names.contains(name) && value.matches("[0-9]+"), name + "=" + value));
    }

    private static void some(Probe probe) throws IOException {
        expectMultiplexingAlone(query(probe, MPXS_CONNS));
    }

    private static void expectMultiplexingAlone(Map<String, String> values) {
        Unmet.unless(
                values.equals(Map.of(MPXS_CONNS, "0")) || values.equals(Map.of(MPXS_CONNS, "1")), values.toString());
    }

    private static void unknown(Probe probe) throws IOException {
        expectMultiplexingAlone(query(probe, "FCGISPEC_UNKNOWN", MPXS_CONNS));
    }

    private static void empty(Probe probe) throws IOException {
        Map<String, String> values = query(probe);
        Unmet.unless(values.isEmpty(), values.toString());
    }

    private static void byteByByte(Probe probe) throws IOException {
        Connection connection = probe.connect();
        connection.sendByteByByte(Records.padded(RecordType.GET_VALUES, 0, Pairs.longPair(MPXS_CONNS, ""), 255));
        expectMultiplexingAlone(result(connection));
    }

    private static void thenRequest(Probe probe) throws IOException {
        Connection connection = probe.connect();
        connection.send(Records.getValues(MAX_REQS, MPXS_CONNS));
        result(connection);
        connection.send(probe.request("variables").bytes());
        connection.answer(1).ok();
    }

    private static void betweenRequests(Probe probe) throws IOException {
        Connection connection = probe.connect();
        connection.send(probe.request("variables").keep().bytes());
        connection.answer(1).ok();
        connection.send(Records.getValues(MPXS_CONNS));
        expectMultiplexingAlone(result(connection));
        connection.send(probe.request("variables").keep().bytes());
        connection.answer(1).ok();
    }

    private static void withinParams(Probe probe) throws IOException {
        Request request = probe.request("variables").set("FCGISPEC_VALUE", "value");
        byte[] pairs = request.pairs();
        Connection connection = probe.connect();
        connection.send(
                request.begin(),
                Records.record(RecordType.PARAMS, 1, Arrays.copyOf(pairs, 10)),
                Records.getValues(MPXS_CONNS));
        expectMultiplexingAlone(result(connection));
        connection.send(
                Records.stream(RecordType.PARAMS, 1, Arrays.copyOfRange(pairs, 10, pairs.length)), request.stdin());
        connection.answer(1).tells("FCGISPEC_VALUE", "value");
    }

    private static void withinStdin(Probe probe) throws IOException {
        withinStdin(probe, Records.getValues(MPXS_CONNS));
    }

    /** {@return the connection of a request that a management record has come within, and was answered} */
    private static Connection withinStdin(Probe probe, byte[] management) throws IOException {
        byte[] content = Samples.bytes(1000);
        Connection connection = probe.connect();
        connection.send(
                probe.request("echo").content(content).head(),
                Records.record(RecordType.STDIN, 1, Arrays.copyOf(content, 500)),
                management,
                Records.stream(RecordType.STDIN, 1, Arrays.copyOfRange(content, 500, 1000)));
        connection.answer(1).has(content);
        connection.management();
        return connection;
    }

    private static void whileRunning(Probe probe) throws IOException {
        probe.needs("sleep=0");
        Connection connection = probe.connect();
        connection.send(probe.request("sleep=500").keep().bytes(), Records.getValues(MPXS_CONNS));
        expectMultiplexingAlone(result(connection));
        Unmet.unless(!connection.leftovers().contains(1), "the result came after the response");
        connection.answer(1).ok();
    }

    private static void afterRunning(Probe probe) throws IOException {
        probe.needs("sleep=0");
        Connection connection = probe.connect();
        connection.send(probe.request("sleep=100").keep().bytes(), Records.getValues(MPXS_CONNS));
        connection.answer(1).ok();
        expectMultiplexingAlone(result(connection));
    }

    private static byte[] unknownRecord() {
        return Records.padded(UNKNOWN_MANAGEMENT_TYPE, 0, Samples.bytes(1000), 7);
    }

    private static void expectUnknownType(WireRecord answer) {
        Unmet.unless(answer.type() == RecordType.UNKNOWN_TYPE, answer.toString());
        byte[] content = answer.content();
        Unmet.unless(content.length == 8, "UNKNOWN_TYPE of " + content.length + " bytes");
        Unmet.unless(content[0] == UNKNOWN_MANAGEMENT_TYPE, "UNKNOWN_TYPE with type " + content[0]);
    }

    private static void unknownType(Probe probe) throws IOException {
        Connection connection = probe.connect();
        connection.send(unknownRecord());
        expectUnknownType(connection.management());
        connection.send(probe.request("variables").bytes());
        connection.answer(1).ok();
    }

    private static void unknownTypeWithinRequest(Probe probe) throws IOException {
        byte[] content = Samples.bytes(1000);
        Connection connection = probe.connect();
        connection.send(
                probe.request("echo").content(content).head(),
                Records.record(RecordType.STDIN, 1, Arrays.copyOf(content, 500)),
                unknownRecord(),
                Records.stream(RecordType.STDIN, 1, Arrays.copyOfRange(content, 500, 1000)));
        connection.answer(1).has(content);
        expectUnknownType(connection.management());
    }

    private static void consistent(Probe probe) throws IOException {
        boolean multiplexes = query(probe, MPXS_CONNS).equals(Map.of(MPXS_CONNS, "1"));
        Answer second = MultiplexCases.second(probe);
        boolean isServed = second.protocolStatus() == Answer.REQUEST_COMPLETE;
        Unmet.unless(
                isServed == multiplexes,
                MPXS_CONNS + "=" + (multiplexes ? 1 : 0) + ", the second request ends with protocolStatus "
                        + second.protocolStatus());
    }
}

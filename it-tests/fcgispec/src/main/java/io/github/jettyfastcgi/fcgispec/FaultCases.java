package io.github.jettyfastcgi.fcgispec;

import static io.github.jettyfastcgi.fcgispec.Case.may;
import static io.github.jettyfastcgi.fcgispec.Case.practice;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** What breaks off, and what is no FastCGI: harm is done to its own connection only. */
final class FaultCases {
    private static final String SURVIVES = "requests on new connections are answered";
    private static final String ENDS = "the end of the connection or of the request, and " + SURVIVES;

    /** Any number will do, so long as each run sends the same bytes. */
    private static final long SEED = 42;

    private FaultCases() {}

    static List<Case> all() {
        return List.of(
                practice(
                        "fault-opened-only",
                        "FastCGI 3.5",
                        "Connections may be opened and closed without a byte",
                        "after 20 of them " + SURVIVES,
                        FaultCases::openedOnly),
                practice(
                        "fault-cut-in-request",
                        "FastCGI 5.4",
                        "The connection may break off anywhere before the end of a request",
                        "after it did, at each byte of the first record and in PARAMS and STDIN, " + SURVIVES,
                        FaultCases::cutInRequest),
                practice(
                        "fault-cut-in-response",
                        "FastCGI 5.4",
                        "The connection may break off within a response: so web servers abort requests",
                        "after it did 20 times " + SURVIVES,
                        FaultCases::cutInResponse),
                practice(
                        "fault-reset-in-request",
                        "FastCGI 5.4",
                        "The connection may be reset: HAProxy and Caddy end it that way",
                        "after resets within and after a request " + SURVIVES,
                        FaultCases::resetInRequest),
                may(
                        "fault-half-closed",
                        "FastCGI 3.5",
                        "A web server that has sent its request may end its output, and still wait for the response",
                        "the response comes whole",
                        FaultCases::halfClosed),
                practice(
                        "fault-version",
                        "FastCGI 3.3",
                        "Records of another version aren't taken for ones of version 1",
                        "a request in records of version 0, and one of version 2, isn't answered as usual, and "
                                + SURVIVES,
                        FaultCases::version),
                practice(
                        "fault-begin-length",
                        "FastCGI 5.1",
                        "BEGIN_REQUEST of another length than 8 bytes harms nobody else",
                        "after ones of 0, 4 and 16 bytes " + SURVIVES,
                        FaultCases::beginLength),
                practice(
                        "fault-begin-twice",
                        "FastCGI 3.3",
                        "BEGIN_REQUEST with the id of an active request is an error",
                        ENDS,
                        FaultCases::beginTwice),
                practice(
                        "fault-begin-without-id",
                        "FastCGI 3.3",
                        "Application records don't have the request id 0",
                        "no response to a request with it, UNKNOWN_TYPE at most, and " + SURVIVES,
                        FaultCases::beginWithoutId),
                practice(
                        "fault-stdin-within-params",
                        "FastCGI 6.1",
                        "STDIN before the end of PARAMS harms nobody else",
                        "after it " + SURVIVES,
                        FaultCases::stdinWithinParams),
                practice(
                        "fault-params-cut-off",
                        "FastCGI 3.4",
                        "PARAMS that end within a pair are no request",
                        ENDS,
                        FaultCases::paramsCutOff),
                practice(
                        "fault-params-length-huge",
                        "FastCGI 3.4",
                        "A length of 2 GB that isn't true costs nothing",
                        ENDS,
                        FaultCases::paramsLengthHuge),
                practice(
                        "fault-params-endless",
                        "FastCGI 5.2",
                        "Variables beyond any limit harm nobody else",
                        "after 16 MB of them " + SURVIVES,
                        FaultCases::paramsEndless),
                practice(
                        "fault-values-cut-off",
                        "FastCGI 4.1",
                        "GET_VALUES that ends within a pair harms nobody else",
                        "after it " + SURVIVES,
                        FaultCases::valuesCutOff),
                practice(
                        "fault-records-of-applications",
                        "FastCGI A",
                        "Records that only applications send harm nobody else",
                        "after STDOUT, STDERR, END_REQUEST, GET_VALUES_RESULT, UNKNOWN_TYPE " + SURVIVES,
                        FaultCases::recordsOfApplications),
                practice(
                        "fault-http",
                        "FastCGI 3.3",
                        "HTTP isn't answered",
                        "the end of the connection without a response, and " + SURVIVES,
                        FaultCases::http),
                practice(
                        "fault-random-bytes",
                        "FastCGI 3.3",
                        "Bytes without sense harm nobody else",
                        "after 50 connections of them " + SURVIVES,
                        FaultCases::randomBytes));
    }

    private static void openedOnly(Probe probe) throws IOException {
        for (int i = 0; i < 20; i++) probe.connect().close();
        probe.stillServes();
    }

    private static void cutInRequest(Probe probe) throws IOException {
        byte[] bytes = probe.request("echo").content(Samples.bytes(1000)).bytes();
        for (int at = 1; at < bytes.length; at += at < 24 ? 1 : 97) {
            Connection connection = probe.connect();
            connection.send(Arrays.copyOf(bytes, at));
            connection.close();
        }
        probe.stillServes();
    }

    private static void cutInResponse(Probe probe) throws IOException {
        for (int i = 0; i < 20; i++) {
            Connection connection = probe.connect();
            connection.send(probe.request("size=4000000").bytes());
            connection.beginningOf(1, 1);
            connection.close();
        }
        probe.stillServes();
    }

    private static void resetInRequest(Probe probe) throws IOException {
        if (!probe.options().address().isTCP()) throw new Skipped("a Unix socket has no resets");
        byte[] bytes = probe.request("echo").content(Samples.bytes(1000)).bytes();
        for (int at : List.of(1, 8, 20, 500, bytes.length - 300, bytes.length)) {
            Connection connection = probe.connect();
            connection.send(Arrays.copyOf(bytes, at));
            connection.reset();
        }
        probe.stillServes();
    }

    private static void halfClosed(Probe probe) throws IOException {
        Connection connection = probe.connect();
        connection.send(probe.request("size=1000000").bytes());
        connection.shutdownOutput();
        connection.answer(1).has(Samples.letters(1_000_000));
    }

    private static void version(Probe probe) throws IOException {
        for (int version : List.of(0, 2)) {
            byte[] bytes = probe.request("variables").bytes();
            for (int at = 0; at < bytes.length; ) {
                bytes[at] = (byte) version;
                at += WireRecord.HEADER_LENGTH + ((bytes[at + 4] & 0xFF) << 8 | bytes[at + 5] & 0xFF);
            }
            Connection connection = probe.connect();
            connection.trySend(bytes);
            Answer answer = connection.answer(1);
            Unmet.unless(!answer.hasEnded() || answer.head().status() >= 400, "version " + version + ": " + answer);
        }
        probe.stillServes();
    }

    private static void beginLength(Probe probe) throws IOException {
        for (int length : List.of(0, 4, 16)) {
            byte[] body = Arrays.copyOf(Records.beginBody(Records.RESPONDER, 0, 0), length);
            Request request = probe.request("variables");
            probe.connect()
                    .trySend(Records.record(RecordType.BEGIN_REQUEST, 1, body), request.params(), request.stdin());
        }
        probe.stillServes();
    }

    private static void beginTwice(Probe probe) throws IOException {
        Request request = probe.request("variables");
        Connection connection = probe.connect();
        connection.trySend(request.begin(), request.bytes());
        expectEnd(connection, probe);
    }

    private static void expectEnd(Connection connection, Probe probe) throws IOException {
        Answer answer = connection.answer(1);
        Unmet.unless(answer.hasEnded() || connection.closes(), answer.toString());
        probe.stillServes();
    }

    private static void beginWithoutId(Probe probe) throws IOException {
        Connection connection = probe.connect();
        connection.trySend(
                probe.request("variables").id(0).bytes(),
                probe.request("variables").bytes());
        connection.answer(1);
        connection.listen(Duration.ofMillis(100));
        for (WireRecord each : connection.takeManagement())
            Unmet.unless(each.type() == RecordType.UNKNOWN_TYPE, each.toString());
        probe.stillServes();
    }

    private static void stdinWithinParams(Probe probe) throws IOException {
        Request request = probe.request("echo").content(Samples.bytes(1000));
        probe.connect()
                .trySend(
                        request.begin(),
                        Records.record(RecordType.PARAMS, 1, Arrays.copyOf(request.pairs(), 10)),
                        request.stdin());
        probe.stillServes();
    }

    private static void paramsCutOff(Probe probe) throws IOException {
        Request request = probe.request("variables");
        byte[] pairs = request.pairs();
        Connection connection = probe.connect();
        connection.trySend(
                request.begin(),
                Records.stream(RecordType.PARAMS, 1, Arrays.copyOf(pairs, pairs.length - 3)),
                request.stdin());
        expectEnd(connection, probe);
    }

    private static void paramsLengthHuge(Probe probe) throws IOException {
        Request request = probe.request("variables");
        byte[] pair = Records.concat(Pairs.length(1), Pairs.longLength(Integer.MAX_VALUE), Pairs.bytes("N"));
        Connection connection = probe.connect();
        connection.trySend(
                request.begin(),
                Records.stream(RecordType.PARAMS, 1, Records.concat(request.pairs(), pair)),
                request.stdin());
        expectEnd(connection, probe);
    }

    private static void paramsEndless(Probe probe) throws IOException {
        Request request = probe.request("variables");
        Connection connection = probe.connect();
        byte[] more =
                Records.record(RecordType.PARAMS, 1, Pairs.pair("FCGISPEC_MORE", "m".repeat(Records.MAX_CONTENT - 18)));
        boolean isOpen = connection.trySend(request.begin());
        for (int i = 0; i < 256 && isOpen; i++) isOpen = connection.trySend(more);
        probe.stillServes();
    }

    private static void valuesCutOff(Probe probe) throws IOException {
        byte[] pair = Pairs.pair(ValuesCases.MPXS_CONNS, "");
        for (int length = 1; length < pair.length; length++)
            probe.connect().trySend(Records.record(RecordType.GET_VALUES, 0, Arrays.copyOf(pair, length)));
        probe.stillServes();
    }

    private static void recordsOfApplications(Probe probe) throws IOException {
        for (int id : List.of(0, 1)) {
            Request request = probe.request("variables");
            Connection connection = probe.connect();
            connection.trySend(request.begin());
            for (int type : List.of(
                    RecordType.STDOUT,
                    RecordType.STDERR,
                    RecordType.END_REQUEST,
                    RecordType.GET_VALUES_RESULT,
                    RecordType.UNKNOWN_TYPE)) connection.trySend(Records.record(type, id, new byte[8]));
            connection.trySend(request.params(), request.stdin());
        }
        probe.stillServes();
    }

    private static void http(Probe probe) throws IOException {
        Connection connection = probe.connect();
        connection.trySend(Pairs.bytes("GET / HTTP/1.1\r\nHost: fcgispec.example\r\nConnection: close\r\n\r\n"));
        Unmet.unless(connection.closes(), "not closed for " + probe.timeout().toMillis() + " ms");
        Unmet.unless(connection.leftovers().isEmpty(), "answers for " + connection.leftovers());
        probe.stillServes();
    }

    private static void randomBytes(Probe probe) throws IOException {
        Random random = new Random(SEED);
        for (int i = 0; i < 50; i++) {
            byte[] bytes = new byte[1 + random.nextInt(2000)];
            random.nextBytes(bytes);
            if (i % 2 == 0) bytes[0] = 1; // looks like a record
            Connection connection = probe.connect();
            connection.trySend(bytes);
            connection.close();
        }
        probe.stillServes();
    }
}

package io.github.jettyfastcgi.fcgispec;

import static io.github.jettyfastcgi.fcgispec.Case.must;
import static io.github.jettyfastcgi.fcgispec.Case.practice;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** Records: their header, padding, and those that belong to nothing. */
final class RecordCases {
    private static final int UNKNOWN_APPLICATION_TYPE = 100;

    private RecordCases() {}

    static List<Case> all() {
        return List.of(
                must(
                        "record-padding",
                        "FastCGI 3.3",
                        "Receivers skip padding of 0 to 255 bytes, whatever is in it",
                        "256 requests, their other than empty records padded by 0, 1, 2 ... 255 bytes of 0x01, are answered",
                        RecordCases::padding),
                must(
                        "record-padding-of-empty",
                        "FastCGI 3.3",
                        "Empty records, which end streams, may be padded as well",
                        "256 requests, the ends of PARAMS and STDIN padded by 0, 1, 2 ... 255 bytes, are answered",
                        RecordCases::paddingOfEmpty),
                must(
                        "record-length-largest",
                        "FastCGI 3.3",
                        "A record has up to 65535 bytes of content, and 255 of padding after them",
                        "content in one such record comes back",
                        RecordCases::largest),
                practice(
                        "record-reserved",
                        "FastCGI 3.3",
                        "The reserved byte of a header means nothing, whatever it is",
                        "a request with 0xFF there in each record is answered",
                        RecordCases::reserved),
                must(
                        "record-byte-by-byte",
                        "FastCGI 3.3",
                        "Lengths tell where records end, not how their bytes arrive: one at a time",
                        "a request with each byte in a write of its own is answered",
                        RecordCases::byteByByte),
                must(
                        "record-slow",
                        "FastCGI 3.3",
                        "Lengths tell where records end, not when their bytes arrive: with pauses",
                        "a request in 20 pieces, 20 ms apart, is answered",
                        RecordCases::slow),
                practice(
                        "record-type-unknown",
                        "FastCGI 3.3",
                        "Application records of an unknown type don't disturb the request that they belong to",
                        "a request with records of type 100 in between is answered",
                        RecordCases::unknownType),
                practice(
                        "record-type-data",
                        "FastCGI 6.2",
                        "DATA records, which a Responder doesn't get, don't disturb it",
                        "a request with DATA in between is answered",
                        RecordCases::data),
                must(
                        "record-inactive-before",
                        "FastCGI 3.3",
                        "The application ignores records of a request id before its BEGIN_REQUEST",
                        "a request behind PARAMS, STDIN, DATA, ABORT_REQUEST of its id and others is answered, nothing else",
                        RecordCases::inactiveBefore),
                must(
                        "record-inactive-within",
                        "FastCGI 3.3",
                        "The application ignores records of other, inactive request ids within a request",
                        "the request is answered, nothing else",
                        RecordCases::inactiveWithin),
                must(
                        "record-inactive-after",
                        "FastCGI 3.3",
                        "The application ignores records of a request id after its END_REQUEST",
                        "a second request behind STDIN and ABORT_REQUEST of the first is answered, nothing else",
                        RecordCases::inactiveAfter));
    }

    private static void padding(Probe probe) throws IOException {
        for (int length = 0; length < 256; length++) padded(probe, length, 0);
    }

    private static void paddingOfEmpty(Probe probe) throws IOException {
        for (int length = 0; length < 256; length++) padded(probe, 0, length);
    }

    private static void padded(Probe probe, int length, int lengthOfEmpty) throws IOException {
        Request request = probe.request("echo").content(Pairs.bytes("content"));
        try (Connection connection = probe.connect()) {
            connection.send(
                    Records.padded(RecordType.BEGIN_REQUEST, 1, Records.beginBody(Records.RESPONDER, 0, 0), length),
                    Records.padded(RecordType.PARAMS, 1, request.pairs(), length),
                    Records.padded(RecordType.PARAMS, 1, new byte[0], lengthOfEmpty),
                    Records.padded(RecordType.STDIN, 1, Pairs.bytes("content"), length),
                    Records.padded(RecordType.STDIN, 1, new byte[0], lengthOfEmpty));
            connection.answer(1).has(Pairs.bytes("content"));
        } catch (Unmet e) {
            throw new Unmet("with " + Math.max(length, lengthOfEmpty) + " bytes of padding: " + e.getMessage());
        }
    }

    private static void largest(Probe probe) throws IOException {
        byte[] content = Samples.bytes(Records.MAX_CONTENT);
        Request request = probe.request("echo").content(content);
        Connection connection = probe.connect();
        connection.send(
                request.head(), Records.padded(RecordType.STDIN, 1, content, 255), Records.end(RecordType.STDIN, 1));
        connection.answer(1).has(content);
    }

    private static void reserved(Probe probe) throws IOException {
        byte[] bytes = probe.request("variables").bytes();
        for (int at = 0; at < bytes.length; ) {
            bytes[at + 7] = (byte) 0xFF;
            at += WireRecord.HEADER_LENGTH + ((bytes[at + 4] & 0xFF) << 8 | bytes[at + 5] & 0xFF);
        }
        Connection connection = probe.connect();
        connection.send(bytes);
        connection.answer(1).ok();
    }

    private static void byteByByte(Probe probe) throws IOException {
        Connection connection = probe.connect();
        connection.sendByteByByte(
                probe.request("echo").content(Pairs.bytes("content")).bytes());
        connection.answer(1).has(Pairs.bytes("content"));
    }

    private static void slow(Probe probe) throws IOException {
        byte[] bytes = probe.request("echo").content(Pairs.bytes("content")).bytes();
        Connection connection = probe.connect();
        int length = bytes.length / 20 + 1;
        for (int at = 0; at < bytes.length; at += length) {
            connection.send(Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + length)));
            connection.pause(Duration.ofMillis(20));
        }
        connection.answer(1).has(Pairs.bytes("content"));
    }

    private static void unknownType(Probe probe) throws IOException {
        interrupted(probe, Records.record(UNKNOWN_APPLICATION_TYPE, 1, Pairs.bytes("what is it?")));
    }

    private static void data(Probe probe) throws IOException {
        interrupted(probe, Records.stream(RecordType.DATA, 1, Pairs.bytes("what is it?")));
    }

    /** Sends something within and behind the variables, and within the content, and expects the answer nevertheless. */
    private static Connection interrupted(Probe probe, byte[] interruption) throws IOException {
        byte[] content = Pairs.bytes("content");
        Request request = probe.request("echo").content(content);
        byte[] pairs = request.pairs();
        Connection connection = probe.connect();
        connection.send(
                request.begin(),
                interruption,
                Records.record(RecordType.PARAMS, 1, Arrays.copyOf(pairs, 10)),
                interruption,
                Records.stream(RecordType.PARAMS, 1, Arrays.copyOfRange(pairs, 10, pairs.length)),
                interruption,
                Records.record(RecordType.STDIN, 1, Arrays.copyOf(content, 3)),
                interruption,
                Records.stream(RecordType.STDIN, 1, Arrays.copyOfRange(content, 3, content.length)));
        connection.answer(1).has(content);
        return connection;
    }

    private static byte[] strangers(int id) {
        return Records.concat(
                Records.record(RecordType.PARAMS, id, Pairs.pair("FCGISPEC_STRANGER", "1")),
                Records.record(RecordType.STDIN, id, Pairs.bytes("strange")),
                Records.stream(RecordType.DATA, id, Pairs.bytes("strange")),
                Records.end(RecordType.PARAMS, id),
                Records.end(RecordType.STDIN, id),
                Records.abort(id));
    }

    private static void inactiveBefore(Probe probe) throws IOException {
        Connection connection = probe.connect();
        connection.send(strangers(1), strangers(7), probe.request("variables").bytes());
        expectAlone(connection.answer(1), connection);
    }

    private static void inactiveWithin(Probe probe) throws IOException {
        Connection connection = interrupted(probe, strangers(7));
        Unmet.unless(connection.leftovers().isEmpty(), "answers for " + connection.leftovers());
    }

    private static void inactiveAfter(Probe probe) throws IOException {
        Connection connection = probe.connect();
        connection.send(probe.request("variables").keep().bytes());
        connection.answer(1).ok();
        connection.send(strangers(1), probe.request("variables").id(2).keep().bytes());
        expectAlone(connection.answer(2), connection);
    }

    private static void expectAlone(Answer answer, Connection connection) {
        answer.tells("REQUEST_METHOD", "GET");
        Unmet.unless(answer.values("FCGISPEC_STRANGER").isEmpty(), "a variable of a record to be ignored");
        Unmet.unless(connection.leftovers().isEmpty(), "answers for " + connection.leftovers());
    }
}

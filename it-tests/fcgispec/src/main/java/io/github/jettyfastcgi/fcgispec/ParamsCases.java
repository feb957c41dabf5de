package io.github.jettyfastcgi.fcgispec;

import static io.github.jettyfastcgi.fcgispec.Case.must;
import static io.github.jettyfastcgi.fcgispec.Case.practice;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** The stream of variables. */
final class ParamsCases {
    private static final String NAME = "FCGISPEC_VALUE";

    private ParamsCases() {}

    static List<Case> all() {
        return List.of(
                must(
                        "params-variable",
                        "FastCGI 6.2",
                        "A Responder receives the variables of the request",
                        "a variable of any name is told as it was sent",
                        probe -> expectValue(probe, "some value")),
                must(
                        "params-field",
                        "RFC 3875 4.1.18",
                        "HTTP_* variables are the fields of the request",
                        "HTTP_FCGISPEC_FIELD is told as it was sent",
                        ParamsCases::field),
                must(
                        "params-value-empty",
                        "FastCGI 3.4",
                        "A value may be empty",
                        "the variable is told with an empty value",
                        probe -> expectValue(probe, "")),
                must(
                        "params-value-lengths",
                        "FastCGI 3.4",
                        "Lengths up to 127 take one byte, others four",
                        "values of 1, 126, 127, 128, 129, 255, 256, 16383, 16384 bytes are told",
                        ParamsCases::valueLengths),
                must(
                        "params-value-long",
                        "FastCGI 3.4",
                        "Lengths use all of their 31 bits: a value may have more than 32767 bytes",
                        "a value of 40000 bytes is told",
                        probe -> expectValue(probe, letters(40_000))),
                practice(
                        "params-value-longer-than-a-record",
                        "FastCGI 3.4",
                        "A value may be longer than a record; if it is too long for the application, that is told",
                        "a value of 70000 bytes is told whole, or the status is an error",
                        ParamsCases::longerThanRecord),
                must(
                        "params-name-long",
                        "FastCGI 3.4",
                        "A name may have more than 127 bytes",
                        "a variable with a name of 200 bytes is told",
                        ParamsCases::longName),
                must(
                        "params-lengths-of-four-bytes",
                        "FastCGI 3.4",
                        "Lengths up to 127 may take four bytes as well",
                        "variables encoded like that are told",
                        ParamsCases::longLengths),
                must(
                        "params-value-bytes",
                        "FastCGI 3.4",
                        "A value has any bytes, without further encoding",
                        "bytes of UTF-8 are told as they were sent",
                        probe -> expectValue(probe, "gr\u00c3\u00bc\u00c3\u009fe")),
                must(
                        "params-split-anywhere",
                        "FastCGI 3.3",
                        "The value of a stream doesn't depend on where it is divided into records: within names, values, lengths",
                        "a request is answered wherever its variables are divided in two",
                        ParamsCases::splitAnywhere),
                must(
                        "params-records-of-one-byte",
                        "FastCGI 3.3",
                        "The value of a stream doesn't depend on the number of its records: one for each byte",
                        "the request is answered",
                        ParamsCases::oneByteRecords),
                must(
                        "params-many",
                        "FastCGI 5.2",
                        "There may be as many variables as fill the largest record",
                        "each of 500 variables, 60000 bytes together, is told",
                        ParamsCases::many),
                practice(
                        "params-repeated-field",
                        "RFC 3875 4.1.18",
                        "A field may come twice, as nginx, HAProxy and h2o send repeated ones",
                        "both values of HTTP_FCGISPEC_FIELD are told, on one line or two",
                        ParamsCases::repeatedField),
                practice(
                        "params-repeated-variable",
                        "FastCGI 5.2",
                        "A variable may come twice, as configurations that include others make it",
                        "the request is answered, with either value",
                        ParamsCases::repeatedVariable),
                practice(
                        "params-names-odd",
                        "FastCGI 5.2",
                        "Odd names break nothing: web servers make them of odd fields",
                        "a request with HTTP_, HTTP_X_MIXED.CASE~NAME and an empty name is answered",
                        ParamsCases::oddNames),
                practice(
                        "params-order",
                        "FastCGI 5.2",
                        "Variables have no order",
                        "a request with its variables backwards is answered",
                        ParamsCases::order),
                practice(
                        "params-empty",
                        "FastCGI 6.1",
                        "A stream may be empty: a request without a variable is answered or refused",
                        "END_REQUEST, or the end of the connection",
                        ParamsCases::empty),
                must(
                        "params-of-one-request",
                        "FastCGI 6.2",
                        "Variables belong to their request",
                        "the next request on the connection doesn't have those of the last one",
                        ParamsCases::ofOneRequest));
    }

    private static String letters(int length) {
        return new String(Samples.letters(length), ISO_8859_1);
    }

    private static void expectValue(Probe probe, String value) throws IOException {
        expectVariable(probe, NAME, value);
    }

    private static void expectVariable(Probe probe, String name, String value) throws IOException {
        probe.ask(probe.request("variables").set(name, value)).tells(name, value);
    }

    private static void field(Probe probe) throws IOException {
        expectVariable(probe, "HTTP_FCGISPEC_FIELD", "some value");
    }

    private static void valueLengths(Probe probe) throws IOException {
        for (int length : List.of(1, 126, 127, 128, 129, 255, 256, 16_383, 16_384)) expectValue(probe, letters(length));
    }

    private static void longerThanRecord(Probe probe) throws IOException {
        String value = letters(70_000);
        Answer answer = probe.ask(probe.request("variables").set(NAME, value)).complete();
        if (answer.head().status() < 400) answer.tells(NAME, value);
    }

    private static void longName(Probe probe) throws IOException {
        expectVariable(probe, "FCGISPEC_" + "N".repeat(191), "some value");
    }

    private static void longLengths(Probe probe) throws IOException {
        Request request = probe.request("variables");
        byte[] pairs = Records.concat(
                Pairs.longPair(NAME, "some value"), Pairs.longPair("FCGISPEC_EMPTY", ""), request.pairs());
        Answer answer = askWith(probe, request, Records.stream(RecordType.PARAMS, 1, pairs));
        answer.tells(NAME, "some value").tells("FCGISPEC_EMPTY", "");
    }

    private static Answer askWith(Probe probe, Request request, byte[] params) throws IOException {
        Connection connection = probe.connect();
        connection.send(request.begin(), params, request.stdin());
        Answer answer = connection.answer(1);
        connection.close();
        return answer;
    }

    private static void splitAnywhere(Probe probe) throws IOException {
        Request request = probe.request("variables").set(NAME, letters(130));
        byte[] pairs = request.pairs();
        for (int at = 1; at < pairs.length; at++) {
            byte[] params = Records.concat(
                    Records.record(RecordType.PARAMS, 1, Arrays.copyOf(pairs, at)),
                    Records.stream(RecordType.PARAMS, 1, Arrays.copyOfRange(pairs, at, pairs.length)));
            try {
                askWith(probe, request, params).tells(NAME, letters(130));
            } catch (Unmet e) {
                throw new Unmet("divided at byte " + at + " of " + pairs.length + ": " + e.getMessage());
            }
        }
    }

    private static void oneByteRecords(Probe probe) throws IOException {
        Request request = probe.request("variables").set(NAME, letters(130));
        askWith(probe, request, Records.stream(RecordType.PARAMS, 1, request.pairs(), 1))
                .tells(NAME, letters(130));
    }

    private static void many(Probe probe) throws IOException {
        Request request = probe.request("variables");
        for (int i = 0; i < 500; i++) request.set("FCGISPEC_" + i, letters(100));
        Answer answer = probe.ask(request).ok();
        for (int i = 0; i < 500; i++) answer.tells("FCGISPEC_" + i, letters(100));
    }

    private static void repeatedField(Probe probe) throws IOException {
        String name = "HTTP_FCGISPEC_FIELD";
        Answer answer = probe.ask(probe.request("variables").add(name, "one").add(name, "two"))
                .ok();
        String values = String.join(", ", answer.values(name));
        Unmet.unless(values.equals("one, two"), "only: " + values);
    }

    private static void repeatedVariable(Probe probe) throws IOException {
        Answer answer = probe.ask(probe.request("variables").add(NAME, "one").add(NAME, "two"))
                .ok();
        List<String> values = answer.values(NAME);
        Unmet.unless(
                !values.isEmpty() && List.of("one", "two").containsAll(values), "values: " + String.join(", ", values));
    }

    private static void oddNames(Probe probe) throws IOException {
        Request request = probe.request("variables")
                .set("HTTP_", "value")
                .set("HTTP_X_MIXED.CASE~NAME", "value")
                .set("", "value")
                .set(NAME, "value");
        probe.ask(request).tells(NAME, "value");
    }

    private static void order(Probe probe) throws IOException {
        Request request = probe.request("variables").set(NAME, "value");
        byte[] backwards = new byte[0];
        for (var pair : Pairs.parse(request.pairs()).entrySet())
            backwards = Records.concat(Pairs.pair(pair.getKey(), pair.getValue()), backwards);
        askWith(probe, request, Records.stream(RecordType.PARAMS, 1, backwards)).tells(NAME, "value");
    }

    private static void empty(Probe probe) throws IOException {
        Request request = probe.request("variables");
        Connection connection = probe.connect();
        connection.send(request.begin());
        connection.trySend(Records.end(RecordType.PARAMS, 1), request.stdin());
        Answer answer = connection.answer(1);
        Unmet.unless(answer.hasEnded() || connection.closes(), answer.toString());
        probe.stillServes();
    }

    private static void ofOneRequest(Probe probe) throws IOException {
        Connection connection = probe.connect();
        connection.send(probe.request("variables")
                .keep()
                .set(NAME, "one")
                .set("HTTP_FCGISPEC_FIELD", "one")
                .bytes());
        connection.answer(1).tells(NAME, "one");
        connection.send(probe.request("variables").keep().bytes());
        Answer answer = connection.answer(1).ok();
        Unmet.unless(answer.values(NAME).isEmpty(), "the next request has the variable");
        Unmet.unless(answer.values("HTTP_FCGISPEC_FIELD").isEmpty(), "the next request has the field");
    }
}

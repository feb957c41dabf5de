package io.github.jettyfastcgi.fcgispec;

import static io.github.jettyfastcgi.fcgispec.Case.may;
import static io.github.jettyfastcgi.fcgispec.Case.must;
import static io.github.jettyfastcgi.fcgispec.Case.practice;
import static io.github.jettyfastcgi.fcgispec.Case.should;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** The records that make an answer. */
final class OutputCases {
    private static final int LARGE = 1_000_000;

    private OutputCases() {}

    static List<Case> all() {
        return List.of(
                must(
                        "output-version",
                        "FastCGI 3.3",
                        "The version in each header is 1",
                        "it is, in the records of an answer and of GET_VALUES_RESULT",
                        probe -> records(probe)
                                .forEach(each ->
                                        Unmet.unless(each.version() == 1, "version " + each.version() + ": " + each))),
                practice(
                        "output-reserved",
                        "FastCGI 3.3",
                        "Reserved bytes that are sent are 0: a later version may give them a meaning",
                        "they are, in each header and in END_REQUEST",
                        OutputCases::reserved),
                should(
                        "output-aligned",
                        "FastCGI 3.3",
                        "Records are placed on boundaries that are multiples of eight bytes",
                        "the length of each record, with its padding, is a multiple of eight",
                        OutputCases::aligned),
                must(
                        "output-large",
                        "FastCGI 6.2",
                        "A response may be larger than any record or buffer",
                        LARGE + " bytes come as they should",
                        probe -> probe.ask(probe.request("size=" + LARGE)).has(Samples.letters(LARGE))),
                practice(
                        "output-slow-reader",
                        "FastCGI 6.2",
                        "A web server may read a response late and slowly",
                        "4000000 bytes come whole, read after half a second in small pieces",
                        OutputCases::slowReader),
                must(
                        "output-after-params",
                        "FastCGI 6.2",
                        "The application waits for the end of PARAMS before it writes",
                        "nothing comes for 200 ms while the end of PARAMS is missing, then the answer",
                        OutputCases::afterParams),
                must(
                        "output-stdout-ends",
                        "FastCGI 3.3",
                        "The stream STDOUT is ended by an empty record",
                        "its last record, before END_REQUEST, is empty, and no other is",
                        OutputCases::stdoutEnds),
                must(
                        "output-stdout-of-head",
                        "FastCGI 6.1",
                        "At least one record of STDOUT is sent, even if there is no content",
                        "it is, for a HEAD request",
                        probe -> Unmet.unless(
                                !probe.ask(probe.request("size=3").method("HEAD"))
                                        .complete()
                                        .records(RecordType.STDOUT)
                                        .isEmpty(),
                                "no STDOUT")),
                must(
                        "output-only-what-belongs",
                        "FastCGI A",
                        "Nothing but STDOUT, STDERR and END_REQUEST comes for a request, and no management record unasked",
                        "that is all that comes",
                        OutputCases::onlyWhatBelongs),
                must(
                        "output-end-once",
                        "FastCGI 5.5",
                        "END_REQUEST ends a request: it is sent once, and nothing for the request after it",
                        "after END_REQUEST nothing comes until the next request, whose answer is alone",
                        OutputCases::endOnce),
                must(
                        "output-end-status",
                        "FastCGI 6.2",
                        "A request that went well ends with FCGI_REQUEST_COMPLETE and an appStatus of 0",
                        "both are 0, in 8 bytes of content",
                        OutputCases::endStatus),
                must(
                        "output-app-status",
                        "FastCGI 6.2",
                        "appStatus is what a CGI program would have returned on exit",
                        "3 for an application that exits with 3",
                        OutputCases::appStatus),
                must(
                        "output-stderr",
                        "FastCGI 6.1",
                        "STDERR carries what the application writes to its error output, apart from STDOUT",
                        "the application's message comes in STDERR, and the response comes whole",
                        OutputCases::stderr),
                practice(
                        "output-failure",
                        "FastCGI 7",
                        "A response that fails in the middle can be told from a whole one",
                        "an appStatus other than 0, or the connection closed without END_REQUEST",
                        OutputCases::failure),
                may(
                        "output-flushed",
                        "FastCGI 6.2",
                        "What the application flushes comes at once, not with the end of the response",
                        "a line that was flushed comes while the application works on for half a second",
                        OutputCases::flushed));
    }

    /** {@return the records of an answer} */
    private static List<WireRecord> records(Probe probe) throws IOException {
        Connection connection = probe.connect();
        connection.send(probe.request("size=100001").bytes());
        return connection.answer(1).ok().records();
    }

    private static void reserved(Probe probe) throws IOException {
        for (WireRecord each : records(probe)) {
            Unmet.unless(each.reserved() == 0, "reserved " + each.reserved() + ": " + each);
            if (each.type() == RecordType.END_REQUEST)
                Unmet.unless(
                        Arrays.equals(Arrays.copyOfRange(each.content(), 5, 8), new byte[3]),
                        "in END_REQUEST: " + each);
        }
    }

    private static void aligned(Probe probe) throws IOException {
        for (int size : List.of(0, 1, 3, 100_001))
            for (WireRecord each : probe.ask(probe.request("size=" + size)).ok().records())
                Unmet.unless(each.length() % 8 == 0, each + ", " + each.paddingLength() + " of padding");
    }

    private static void slowReader(Probe probe) throws IOException {
        int length = 4_000_000;
        Connection connection = probe.connect();
        connection.send(probe.request("size=" + length).bytes());
        connection.pause(Duration.ofMillis(500));
        connection.readSlowly(8192);
        connection.answer(1).has(Samples.letters(length));
    }

    private static void afterParams(Probe probe) throws IOException {
        Request request = probe.request("variables");
        Connection connection = probe.connect();
        connection.send(request.begin(), Records.record(RecordType.PARAMS, 1, request.pairs()));
        connection.listen(Duration.ofMillis(200));
        Unmet.unless(connection.leftovers().isEmpty(), "something came before the end of PARAMS");
        connection.send(Records.end(RecordType.PARAMS, 1), request.stdin());
        connection.answer(1).ok();
    }

    private static void stdoutEnds(Probe probe) throws IOException {
        List<WireRecord> stdout = probe.ask(probe.request("size=100001")).ok().records(RecordType.STDOUT);
        for (int i = 0; i < stdout.size(); i++) {
            boolean isLast = i == stdout.size() - 1;
            boolean isEmpty = stdout.get(i).content().length == 0;
            Unmet.unless(isLast == isEmpty, isLast ? "no empty STDOUT" : "an empty STDOUT before others");
        }
    }

    private static void onlyWhatBelongs(Probe probe) throws IOException {
        Connection connection = probe.connect();
        connection.send(probe.request("size=100001").keep().bytes());
        for (WireRecord each : connection.answer(1).ok().records())
            Unmet.unless(
                    List.of(RecordType.STDOUT, RecordType.STDERR, RecordType.END_REQUEST)
                            .contains(each.type()),
                    each.toString());
        Unmet.unless(connection.leftovers().isEmpty(), "records for id " + connection.leftovers());
    }

    private static void endOnce(Probe probe) throws IOException {
        Connection connection = probe.connect();
        connection.send(probe.request("variables").keep().bytes());
        connection.answer(1).ok();
        connection.listen(Duration.ofMillis(200));
        Unmet.unless(connection.leftovers().isEmpty(), "records for id " + connection.leftovers());
        connection.send(probe.request("variables").id(2).keep().bytes());
        connection.answer(2).ok();
        Unmet.unless(connection.leftovers().isEmpty(), "records for id " + connection.leftovers());
    }

    private static void endStatus(Probe probe) throws IOException {
        Answer answer = probe.ask(probe.request("variables")).ok();
        Unmet.unless(answer.appStatus() == 0, "appStatus " + answer.appStatus());
    }

    private static void appStatus(Probe probe) throws IOException {
        probe.needs("exit=3");
        Answer answer = probe.ask(probe.request("exit=3")).complete();
        Unmet.unless(answer.appStatus() == 3, "appStatus " + answer.appStatus());
    }

    private static void stderr(Probe probe) throws IOException {
        probe.needs("stderr");
        Answer answer = probe.ask(probe.request("stderr")).complete();
        answer.head();
        Unmet.unless(answer.stderr().contains("fcgispec-error"), "STDERR: " + answer.stderr());
    }

    private static void failure(Probe probe) throws IOException {
        probe.needs("fail");
        Connection connection = probe.connect();
        connection.send(probe.request("fail").keep().bytes());
        Answer answer = connection.answer(1);
        if (answer.hasEnded()) Unmet.unless(answer.appStatus() != 0, "END_REQUEST with appStatus 0");
        else Unmet.unless(connection.closes(), answer.toString());
    }

    private static void flushed(Probe probe) throws IOException {
        probe.needs("flush=0");
        Connection connection = probe.connect();
        connection.send(probe.request("flush=500").bytes());
        Answer beginning = connection.beginningOf(1, 6);
        Unmet.unless(beginning.text().equals("first\n"), "so far: " + beginning.text());
        connection.answer(1).has(Pairs.bytes("first\nsecond\n"));
    }
}

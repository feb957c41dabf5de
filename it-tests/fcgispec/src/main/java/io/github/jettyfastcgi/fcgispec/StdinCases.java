package io.github.jettyfastcgi.fcgispec;

import static io.github.jettyfastcgi.fcgispec.Case.may;
import static io.github.jettyfastcgi.fcgispec.Case.must;
import static io.github.jettyfastcgi.fcgispec.Case.practice;
import static io.github.jettyfastcgi.fcgispec.Case.should;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** The content of requests. */
final class StdinCases {
    private static final int LARGE = 1_000_000;

    private StdinCases() {}

    static List<Case> all() {
        return List.of(
                must(
                        "stdin-content",
                        "FastCGI 6.2",
                        "A Responder receives the content of the request",
                        "content with each value of a byte comes back",
                        probe -> expectEcho(probe, Samples.bytes(1000), Records.MAX_CONTENT)),
                must(
                        "stdin-empty",
                        "FastCGI 6.2",
                        "Content may be empty",
                        "a POST with CONTENT_LENGTH 0 is answered without content",
                        probe -> expectEcho(probe, new byte[0], 1)),
                must(
                        "stdin-content-length-empty",
                        "RFC 3875 4.1.2",
                        "CONTENT_LENGTH may be empty: there is no content",
                        "a GET with it is answered",
                        probe -> probe.ask(probe.request("variables").contentLength(""))
                                .ok()),
                must(
                        "stdin-records-of-one-byte",
                        "FastCGI 3.3",
                        "The value of a stream doesn't depend on the number of its records: one for each byte",
                        "the content comes back",
                        probe -> expectEcho(probe, Samples.bytes(1000), 1)),
                must(
                        "stdin-records-of-odd-lengths",
                        "FastCGI 3.3",
                        "The value of a stream doesn't depend on where it is divided into records",
                        "content in records of 7, 8191 and 65535 bytes comes back",
                        StdinCases::oddLengths),
                must(
                        "stdin-large",
                        "FastCGI 6.2",
                        "Content may be larger than any record or buffer",
                        LARGE + " bytes come back",
                        probe -> expectEcho(probe, Samples.bytes(LARGE), 32_768)),
                practice(
                        "stdin-of-get",
                        "RFC 3875 4.2",
                        "Any method may have content, GET as well",
                        "the content of a GET comes back",
                        StdinCases::ofGet),
                must(
                        "stdin-late",
                        "FastCGI 6.1",
                        "STDIN comes after PARAMS, be it later",
                        "content that comes in two parts, 200 ms apart, comes back",
                        StdinCases::late),
                practice(
                        "stdin-without-content-length",
                        "RFC 3875 4.1.2",
                        "Content of unknown length has no CONTENT_LENGTH: Apache and nginx pass it on while it comes",
                        "content up to the end of STDIN comes back",
                        StdinCases::withoutContentLength),
                practice(
                        "stdin-content-length-minus-one",
                        "RFC 3875 4.1.2",
                        "Content of unknown length may have a CONTENT_LENGTH of -1: so Caddy sends it",
                        "content up to the end of STDIN comes back",
                        probe -> probe.ask(probe.request("echo")
                                        .content(Samples.bytes(1000))
                                        .contentLength("-1"))
                                .has(Samples.bytes(1000))),
                must(
                        "stdin-longer",
                        "RFC 3875 4.2",
                        "The application reads no more than CONTENT_LENGTH bytes",
                        "what comes back is no longer, or the request fails",
                        StdinCases::longer),
                must(
                        "stdin-longer-next-request",
                        "FastCGI 6.2",
                        "What exceeds CONTENT_LENGTH never becomes content of the next request",
                        "a next request gets its own content, or the connection is closed",
                        StdinCases::longerNextRequest),
                practice(
                        "stdin-shorter-ends",
                        "FastCGI 6.2",
                        "The end of STDIN ends the content, even before CONTENT_LENGTH",
                        "END_REQUEST, or the end of the connection",
                        StdinCases::shorterEnds),
                should(
                        "stdin-shorter-fails",
                        "FastCGI 6.2",
                        "Content shorter than CONTENT_LENGTH isn't taken for whole",
                        "the status is an error, or the connection ends without END_REQUEST",
                        StdinCases::shorterFails),
                practice(
                        "stdin-after-end",
                        "FastCGI 3.3",
                        "STDIN after its end belongs to nothing",
                        "the content before comes back, the next request is answered or the connection closed",
                        StdinCases::afterEnd),
                may(
                        "stdin-answered-early",
                        "FastCGI 6.2",
                        "The application needn't finish reading STDIN before it answers",
                        "the beginning of the response comes while content is still to come",
                        StdinCases::answeredEarly),
                must(
                        "stdin-ignored",
                        "RFC 3875 4.2",
                        "The application isn't obliged to read the content",
                        "an application that doesn't read " + LARGE + " bytes answers",
                        StdinCases::ignored),
                practice(
                        "stdin-ignored-taken",
                        "RFC 3875 4.2",
                        "Content that the application doesn't read is taken nevertheless: some web servers lose the response if not",
                        "all of the " + LARGE + " bytes can be sent, also without FCGI_KEEP_CONN",
                        StdinCases::ignoredTaken),
                must(
                        "stdin-ignored-next-request",
                        "FastCGI 3.3",
                        "Content that the application hasn't read belongs to nothing after END_REQUEST",
                        "the next request on the connection is answered",
                        StdinCases::ignoredNextRequest));
    }

    private static void expectEcho(Probe probe, byte[] content, int recordLength) throws IOException {
        Request request = probe.request("echo").content(content);
        Connection connection = probe.connect();
        connection.send(request.head(), Records.stream(RecordType.STDIN, 1, content, recordLength));
        connection.answer(1).has(content);
    }

    private static void oddLengths(Probe probe) throws IOException {
        for (int length : List.of(7, 8191, 65_535)) expectEcho(probe, Samples.bytes(length * 3 + 1), length);
    }

    private static void ofGet(Probe probe) throws IOException {
        byte[] content = Samples.bytes(1000);
        probe.ask(probe.request("echo").content(content).method("GET")).has(content);
    }

    private static void late(Probe probe) throws IOException {
        byte[] content = Samples.bytes(1000);
        Connection connection = probe.connect();
        connection.send(probe.request("echo").content(content).head());
        connection.pause(Duration.ofMillis(200));
        connection.send(Records.record(RecordType.STDIN, 1, Arrays.copyOf(content, 500)));
        connection.pause(Duration.ofMillis(200));
        connection.send(Records.stream(RecordType.STDIN, 1, Arrays.copyOfRange(content, 500, 1000)));
        connection.answer(1).has(content);
    }

    private static void withoutContentLength(Probe probe) throws IOException {
        byte[] content = Samples.bytes(1000);
        probe.ask(probe.request("echo").content(content).without("CONTENT_LENGTH"))
                .has(content);
    }

    private static void longer(Probe probe) throws IOException {
        byte[] content = Samples.bytes(1000);
        Answer answer = probe.ask(probe.request("echo").content(content).contentLength("600"));
        if (answer.hasEnded() && answer.head().status() < 400) answer.has(Arrays.copyOf(content, 600));
        probe.stillServes();
    }

    private static void longerNextRequest(Probe probe) throws IOException {
        Connection connection = probe.connect();
        connection.send(probe.request("echo")
                .keep()
                .content(Samples.bytes(1000))
                .contentLength("600")
                .bytes());
        if (!connection.answer(1).hasEnded()) return;
        byte[] content = Pairs.bytes("next");
        boolean sent =
                connection.trySend(probe.request("echo").keep().content(content).bytes());
        Answer next = connection.answer(1);
        if (sent && next.hasEnded()) next.has(content);
        else Unmet.unless(connection.closes(), "the next request: " + next);
    }

    private static Connection shorter(Probe probe) throws IOException {
        Connection connection = probe.connect();
        connection.send(probe.request("echo")
                .keep()
                .content(Samples.bytes(600))
                .contentLength("1000")
                .bytes());
        return connection;
    }

    private static void shorterEnds(Probe probe) throws IOException {
        Connection connection = shorter(probe);
        Answer answer = connection.answer(1);
        Unmet.unless(answer.hasEnded() || connection.closes(), answer.toString());
        probe.stillServes();
    }

    private static void shorterFails(Probe probe) throws IOException {
        Connection connection = shorter(probe);
        Answer answer = connection.answer(1);
        Unmet.unless(answer.hasEnded() || connection.closes(), answer.toString());
        if (answer.hasEnded())
            Unmet.unless(
                    answer.head().status() >= 400,
                    "status " + answer.head().status() + ", " + answer.content().length + " bytes of content");
    }

    private static void afterEnd(Probe probe) throws IOException {
        byte[] content = Samples.bytes(1000);
        Request request = probe.request("echo").keep().content(content);
        Connection connection = probe.connect();
        connection.send(request.bytes(), Records.stream(RecordType.STDIN, 1, Pairs.bytes("more")));
        connection.answer(1).has(content);
        boolean sent = connection.trySend(request.id(2).bytes());
        Answer next = connection.answer(2);
        if (sent && next.hasEnded()) next.has(content);
        else Unmet.unless(connection.closes(), "the next request: " + next);
    }

    private static void answeredEarly(Probe probe) throws IOException {
        probe.needs("flush=0");
        Connection connection = probe.connect();
        byte[] content = Samples.bytes(1000);
        connection.send(probe.request("flush=0").content(content).head());
        connection.send(Records.record(RecordType.STDIN, 1, Arrays.copyOf(content, 500)));
        connection.beginningOf(1, 1);
        connection.send(Records.stream(RecordType.STDIN, 1, Arrays.copyOfRange(content, 500, 1000)));
        connection.answer(1).has(Pairs.bytes("first\nsecond\n"));
    }

    private static void ignored(Probe probe) throws IOException {
        probe.needs("ignore");
        Connection connection = probe.connect();
        connection.trySend(probe.request("ignore").content(Samples.bytes(LARGE)).bytes());
        connection.answer(1).has(Pairs.bytes("ignored\n"));
    }

    private static void ignoredTaken(Probe probe) throws IOException {
        probe.needs("ignore");
        Connection connection = probe.connect();
        connection.send(probe.request("ignore").content(Samples.bytes(LARGE)).bytes());
        connection.answer(1).has(Pairs.bytes("ignored\n"));
    }

    private static void ignoredNextRequest(Probe probe) throws IOException {
        probe.needs("ignore");
        Connection connection = probe.connect();
        connection.send(
                probe.request("ignore").keep().content(Samples.bytes(LARGE)).bytes());
        connection.answer(1).has(Pairs.bytes("ignored\n"));
        connection.send(probe.request("variables").id(2).keep().bytes());
        connection.answer(2).tells("REQUEST_METHOD", "GET");
        Unmet.unless(connection.leftovers().isEmpty(), "answers for " + connection.leftovers());
    }
}

package io.github.jettyfastcgi.fcgispec;

import static io.github.jettyfastcgi.fcgispec.Case.must;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** ABORT_REQUEST, in each phase of a request. */
final class AbortCases {
    private static final int LARGE = 4_000_000;

    private AbortCases() {}

    static List<Case> all() {
        return List.of(
                must(
                        "abort-before-params",
                        "FastCGI 5.4",
                        "A request may be aborted before PARAMS",
                        "END_REQUEST with FCGI_REQUEST_COMPLETE",
                        AbortCases::beforeParams),
                must(
                        "abort-within-params",
                        "FastCGI 5.4",
                        "A request may be aborted within PARAMS",
                        "END_REQUEST with FCGI_REQUEST_COMPLETE",
                        AbortCases::withinParams),
                must(
                        "abort-before-stdin",
                        "FastCGI 5.4",
                        "A request may be aborted while the application waits for STDIN",
                        "END_REQUEST with FCGI_REQUEST_COMPLETE",
                        AbortCases::beforeStdin),
                must(
                        "abort-within-stdin",
                        "FastCGI 5.4",
                        "A request may be aborted within STDIN",
                        "END_REQUEST with FCGI_REQUEST_COMPLETE",
                        AbortCases::withinStdin),
                must(
                        "abort-while-running",
                        "FastCGI 5.4",
                        "A request may be aborted while the application works",
                        "END_REQUEST with FCGI_REQUEST_COMPLETE, behind a response or not",
                        AbortCases::whileRunning),
                must(
                        "abort-within-response",
                        "FastCGI 5.4",
                        "A request may be aborted within its response",
                        "END_REQUEST with FCGI_REQUEST_COMPLETE, behind all of the response or not",
                        AbortCases::withinResponse),
                must(
                        "abort-ends-once",
                        "FastCGI 5.5",
                        "END_REQUEST ends an aborted request: nothing comes for it any more",
                        "nothing for 200 ms after END_REQUEST",
                        AbortCases::endsOnce),
                must(
                        "abort-keeps-connection",
                        "FastCGI 5.1",
                        "The connection is kept after an aborted request",
                        "the next request on it is answered, in each case",
                        AbortCases::keepsConnection),
                must(
                        "abort-closes-connection",
                        "FastCGI 5.1",
                        "Without FCGI_KEEP_CONN the connection is closed after an aborted request",
                        "END_REQUEST, then the end of the connection",
                        AbortCases::closesConnection),
                must(
                        "abort-answered",
                        "FastCGI 3.3",
                        "An abort that crosses with END_REQUEST is ignored",
                        "the next request on the connection is answered, and nothing else",
                        AbortCases::answered));
    }

    private static void expectEnd(Connection connection) throws IOException {
        Answer answer = connection.answer(1);
        Unmet.unless(answer.protocolStatus() == Answer.REQUEST_COMPLETE, "protocolStatus " + answer.protocolStatus());
    }

    private static void beforeParams(Probe probe) throws IOException {
        expectEnd(beforeParams(probe, probe.connect()));
    }

    private static Connection beforeParams(Probe probe, Connection connection) throws IOException {
        connection.send(probe.request("echo").keep().begin(), Records.abort(1));
        return connection;
    }

    private static void withinParams(Probe probe) throws IOException {
        expectEnd(withinParams(probe, probe.connect()));
    }

    private static Connection withinParams(Probe probe, Connection connection) throws IOException {
        Request request = probe.request("echo").keep();
        connection.send(
                request.begin(),
                Records.record(RecordType.PARAMS, 1, Arrays.copyOf(request.pairs(), 10)),
                Records.abort(1));
        return connection;
    }

    private static void beforeStdin(Probe probe) throws IOException {
        Connection connection = probe.connect();
        connection.send(
                probe.request("echo").keep().content(Samples.bytes(1000)).head());
        connection.pause(Duration.ofMillis(100)); // the application reads
        connection.send(Records.abort(1));
        expectEnd(connection);
    }

    private static void withinStdin(Probe probe) throws IOException {
        expectEnd(withinStdin(probe, probe.connect()));
    }

    private static Connection withinStdin(Probe probe, Connection connection) throws IOException {
        byte[] content = Samples.bytes(1000);
        connection.send(
                probe.request("echo").keep().content(content).head(),
                Records.record(RecordType.STDIN, 1, Arrays.copyOf(content, 500)),
                Records.abort(1));
        return connection;
    }

    private static void whileRunning(Probe probe) throws IOException {
        expectEnd(whileRunning(probe, probe.connect()));
    }

    private static Connection whileRunning(Probe probe, Connection connection) throws IOException {
        probe.needs("sleep=0");
        connection.send(probe.request("sleep=300").keep().bytes());
        connection.pause(Duration.ofMillis(100)); // the application works
        connection.send(Records.abort(1));
        return connection;
    }

    private static void withinResponse(Probe probe) throws IOException {
        Connection connection = probe.connect();
        connection.send(probe.request("size=" + LARGE).keep().bytes());
        connection.beginningOf(1, 1);
        connection.send(Records.abort(1));
        expectEnd(connection);
    }

    private interface Aborted {
        Connection on(Probe probe, Connection connection) throws IOException;
    }

    private static void endsOnce(Probe probe) throws IOException {
        Connection connection = withinStdin(probe, probe.connect());
        expectEnd(connection);
        connection.listen(Duration.ofMillis(200));
        Unmet.unless(connection.leftovers().isEmpty(), "an answer came after END_REQUEST");
    }

    private static void keepsConnection(Probe probe) throws IOException {
        List<Aborted> all = List.of(
                AbortCases::beforeParams, AbortCases::withinParams, AbortCases::withinStdin, AbortCases::whileRunning);
        for (Aborted each : all) {
            Connection connection = each.on(probe, probe.connect());
            connection.answer(1).end();
            connection.send(probe.request("variables").id(2).keep().bytes());
            connection.answer(2).tells("REQUEST_METHOD", "GET");
        }
    }

    private static void closesConnection(Probe probe) throws IOException {
        Connection connection = probe.connect();
        connection.send(probe.request("echo").content(Samples.bytes(1000)).head(), Records.abort(1));
        expectEnd(connection);
        Unmet.unless(connection.closes(), "not closed for " + probe.timeout().toMillis() + " ms after END_REQUEST");
    }

    private static void answered(Probe probe) throws IOException {
        Connection connection = probe.connect();
        connection.send(probe.request("variables").keep().bytes());
        connection.answer(1).ok();
        connection.send(
                Records.abort(1), probe.request("variables").id(2).keep().bytes());
        connection.answer(2).ok();
        Unmet.unless(connection.leftovers().isEmpty(), "answers for " + connection.leftovers());
    }
}

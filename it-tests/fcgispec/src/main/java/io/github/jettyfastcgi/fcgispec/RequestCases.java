package io.github.jettyfastcgi.fcgispec;

import static io.github.jettyfastcgi.fcgispec.Case.must;
import static io.github.jettyfastcgi.fcgispec.Case.practice;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Requests, their ids, and whether the connection is kept. */
final class RequestCases {
    private static final int MANY = 1000;

    private RequestCases() {}

    static List<Case> all() {
        return List.of(
                must(
                        "request-plain",
                        "FastCGI 6.2",
                        "A Responder answers a request with STDOUT and END_REQUEST",
                        "a response of status 200, then END_REQUEST",
                        RequestCases::plain),
                must(
                        "request-method",
                        "RFC 3875 4.1.12",
                        "The application is told the request's method, whatever it is",
                        "GET, POST, PUT, PATCH, DELETE, OPTIONS, PROPFIND as they were sent",
                        RequestCases::method),
                must(
                        "request-id-two-bytes",
                        "FastCGI 3.3",
                        "A request id uses both of its bytes",
                        "the answer to the request 0x1234 has this id",
                        probe ->
                                probe.ask(probe.request("variables").id(0x1234)).ok()),
                must(
                        "request-id-largest",
                        "FastCGI 3.3",
                        "A request id may be the largest there is",
                        "the answer to the request 65535 has this id",
                        probe ->
                                probe.ask(probe.request("variables").id(0xFFFF)).ok()),
                must(
                        "request-keep",
                        "FastCGI 5.1",
                        "With FCGI_KEEP_CONN the application doesn't close the connection",
                        "a second request on the connection is answered",
                        RequestCases::keep),
                must(
                        "request-close",
                        "FastCGI 5.1",
                        "Without FCGI_KEEP_CONN the application closes the connection after the response",
                        "END_REQUEST, then the end of the connection",
                        RequestCases::close),
                must(
                        "request-keep-then-close",
                        "FastCGI 5.1",
                        "FCGI_KEEP_CONN counts for its request only",
                        "two kept requests are answered, and a third without the flag is, and closed after",
                        RequestCases::keepThenClose),
                must(
                        "request-flags-others",
                        "FastCGI 5.1",
                        "Flags other than FCGI_KEEP_CONN mean nothing",
                        "0xFF keeps the connection, 0xFE closes it",
                        RequestCases::otherFlags),
                practice(
                        "request-begin-reserved",
                        "FastCGI 5.1",
                        "The reserved bytes of BEGIN_REQUEST mean nothing, whatever they are",
                        "a request with 0xFF in each is answered",
                        RequestCases::reserved),
                must(
                        "request-id-reused",
                        "FastCGI 3.3",
                        "The web server re-uses request ids",
                        "three requests of id 1 on one connection, each answered with its own response",
                        RequestCases::idReused),
                must(
                        "request-id-changes",
                        "FastCGI 3.3",
                        "Each request of a kept connection may have an id of its own",
                        "requests 1, 3, 5, 65535, 2 on one connection, each answered under its id",
                        RequestCases::idChanges),
                must(
                        "request-many",
                        "FastCGI 5.1",
                        "A kept connection is kept as long as the web server likes",
                        MANY + " requests on one connection are answered",
                        RequestCases::many),
                practice(
                        "request-late",
                        "FastCGI 3.5",
                        "A connection may be idle before its first request, and between requests",
                        "requests after half a second each are answered",
                        RequestCases::late),
                practice(
                        "request-pipelined",
                        "FastCGI 5.5",
                        "The next request may come before the answer to the last one",
                        "of two requests sent at once, both are answered, or the second is refused",
                        RequestCases::pipelined));
    }

    private static void plain(Probe probe) throws IOException {
        probe.ask(probe.request("size=3")).has(Pairs.bytes("abc"));
    }

    private static void method(Probe probe) throws IOException {
        for (String method : List.of("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"))
            probe.ask(probe.request("variables").method(method)).tells("REQUEST_METHOD", method);
    }

    private static void keep(Probe probe) throws IOException {
        Connection connection = probe.connect();
        for (int i = 0; i < 2; i++) next(connection, probe.request("variables").keep(), i);
    }

    /** Sends a request with a number, and expects it in the answer. */
    private static void next(Connection connection, Request request, int number) throws IOException {
        String value = Integer.toString(number);
        connection.send(request.set("FCGISPEC_NUMBER", value).bytes());
        connection.answer(request.id()).tells("FCGISPEC_NUMBER", value);
    }

    private static void close(Probe probe) throws IOException {
        Connection connection = probe.connect();
        next(connection, probe.request("variables"), 0);
        expectClosed(connection, probe);
    }

    private static void expectClosed(Connection connection, Probe probe) throws IOException {
        Unmet.unless(connection.closes(), "not closed for " + probe.timeout().toMillis() + " ms after END_REQUEST");
    }

    private static void keepThenClose(Probe probe) throws IOException {
        Connection connection = probe.connect();
        next(connection, probe.request("variables").keep(), 0);
        next(connection, probe.request("variables").keep(), 1);
        next(connection, probe.request("variables"), 2);
        expectClosed(connection, probe);
    }

    private static void otherFlags(Probe probe) throws IOException {
        Connection connection = probe.connect();
        next(connection, probe.request("variables").flags(0xFF), 0);
        next(connection, probe.request("variables").flags(0xFE), 1);
        expectClosed(connection, probe);
    }

    private static void reserved(Probe probe) throws IOException {
        Request request = probe.request("variables");
        byte[] body = Records.beginBody(Records.RESPONDER, 0, 0xFF);
        Connection connection = probe.connect();
        connection.send(Records.record(RecordType.BEGIN_REQUEST, 1, body), request.params(), request.stdin());
        connection.answer(1).ok();
    }

    private static void idReused(Probe probe) throws IOException {
        Connection connection = probe.connect();
        for (int i = 0; i < 3; i++) next(connection, probe.request("variables").keep(), i);
    }

    private static void idChanges(Probe probe) throws IOException {
        Connection connection = probe.connect();
        for (int id : List.of(1, 3, 5, 65535, 2))
            next(connection, probe.request("variables").id(id).keep(), id);
    }

    private static void many(Probe probe) throws IOException {
        Connection connection = probe.connect();
        for (int i = 0; i < MANY; i++)
            next(connection, probe.request("variables").keep(), i);
    }

    private static void late(Probe probe) throws IOException {
        Connection connection = probe.connect();
        for (int i = 0; i < 2; i++) {
            connection.pause(Duration.ofMillis(500));
            next(connection, probe.request("variables").keep(), i);
        }
    }

    private static void pipelined(Probe probe) throws IOException {
        Connection connection = probe.connect();
        Request first = probe.request("variables").keep().set("FCGISPEC_NUMBER", "1");
        Request second = probe.request("variables").id(2).keep().set("FCGISPEC_NUMBER", "2");
        connection.send(first.bytes(), second.bytes());
        connection.answer(1).tells("FCGISPEC_NUMBER", "1");
        Answer answer = connection.answer(2);
        if (answer.protocolStatus() == Answer.REQUEST_COMPLETE) answer.tells("FCGISPEC_NUMBER", "2");
    }
}

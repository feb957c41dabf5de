package io.github.jettyfastcgi.fcgispec;

import static io.github.jettyfastcgi.fcgispec.Case.must;
import static io.github.jettyfastcgi.fcgispec.Case.practice;

import java.io.IOException;
import java.util.List;

/** CGI responses: the header block and the content, as a web server reads them. */
final class ResponseCases {
    private static final List<String> CGI_FIELDS = List.of("Content-Type", "Location", "Status");
    private static final List<String> OF_THE_CONNECTION =
            List.of("Connection", "Keep-Alive", "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding", "Upgrade");

    private ResponseCases() {}

    static List<Case> all() {
        return List.of(
                must(
                        "response-header-block",
                        "RFC 3875 6.3",
                        "A response begins with fields, each on a line: name, colon, value",
                        "nothing else comes before the blank line, and no blank before a colon",
                        ResponseCases::headerBlock),
                must(
                        "response-cgi-field",
                        "RFC 3875 6.3",
                        "At least one of Content-Type, Location and Status is there, and none of them twice",
                        "so it is, for status 200, 302, 404",
                        ResponseCases::cgiField),
                must(
                        "response-content-type",
                        "RFC 3875 6.3.1",
                        "A response with content has a Content-Type",
                        "it has",
                        probe -> Unmet.unless(
                                probe.ask(probe.request("size=3")).ok().head().has("Content-Type"), "no Content-Type")),
                must(
                        "response-status",
                        "RFC 3875 6.3.3",
                        "Status has three digits, and a reason behind a blank",
                        "Status: 404 and a reason, for an application that answers so",
                        ResponseCases::status),
                must(
                        "response-no-status-line",
                        "FastCGI 6.1",
                        "There are no non-parsed headers: a response doesn't begin with a status line",
                        "no line HTTP/1.1 200 OK",
                        ResponseCases::noStatusLine),
                must(
                        "response-redirect",
                        "RFC 3875 6.2.3",
                        "A redirect of the client has a Location with an absolute URI",
                        "status 302, and the Location as the application has set it",
                        probe -> redirect(probe, "http://other.example/path?query")),
                practice(
                        "response-redirect-status",
                        "RFC 3875 6.2.4",
                        "A redirect tells its status: Apache, Caddy and h2o take a bare Location for a 200",
                        "Status: 302 beside Location",
                        ResponseCases::redirectStatus),
                practice(
                        "response-redirect-local",
                        "RFC 3875 6.2.2",
                        "A Location without scheme and host has a Status, or the web server handles it itself",
                        "Status: 302 beside Location: /path",
                        ResponseCases::redirectLocal),
                practice(
                        "response-cookies",
                        "RFC 3875 6.3.4",
                        "Fields may be repeated: each cookie needs a Set-Cookie of its own",
                        "two of them, in their order",
                        ResponseCases::cookies),
                must(
                        "response-no-injection",
                        "RFC 3875 6.3",
                        "A value with line breaks doesn't become several fields",
                        "no field of that name; the value changed, or the response refused",
                        ResponseCases::noInjection),
                must(
                        "response-no-connection-fields",
                        "RFC 3875 6.3.4",
                        "No field relates to the connection of the client",
                        "no Connection, Keep-Alive, Transfer-Encoding and the like, for small and large, GET and POST",
                        ResponseCases::noConnectionFields),
                practice(
                        "response-no-connection-fields-of-application",
                        "RFC 3875 6.3.4",
                        "Fields that relate to the connection of the client don't pass, not even if the application sets them",
                        "no Connection and no Transfer-Encoding",
                        ResponseCases::noConnectionFieldsOfApplication),
                must(
                        "response-head",
                        "RFC 3875 4.3.3",
                        "A response to HEAD has no content",
                        "status 200, fields, no content, and the next request is answered",
                        ResponseCases::head),
                practice(
                        "response-204",
                        "RFC 3875 6.4",
                        "A response of status 204 has no content (RFC 9110 15.3.5)",
                        "none, and the next request is answered",
                        probe -> withoutContent(probe, 204)),
                practice(
                        "response-304",
                        "RFC 3875 6.4",
                        "A response of status 304 has no content (RFC 9110 15.4.5)",
                        "none, and the next request is answered",
                        probe -> withoutContent(probe, 304)),
                practice(
                        "response-content-length",
                        "RFC 3875 6.3.4",
                        "Content-Length, if there is one, is the length of the content (RFC 9110 8.6)",
                        "it is, for 0, 3 and 1000000 bytes",
                        ResponseCases::contentLength),
                practice(
                        "response-no-interim",
                        "RFC 3875 6.2",
                        "There is one response: no 100 before it, though the client expects one of the web server",
                        "a request with HTTP_EXPECT gets its status 200 first",
                        ResponseCases::noInterim),
                practice(
                        "response-head-in-one-record",
                        "FastCGI 3.3",
                        "The header block is whole in the first record: HAProxy 2.6 dies of one in parts",
                        "the first record of STDOUT has the blank line",
                        ResponseCases::headInOneRecord));
    }

    private static void headerBlock(Probe probe) throws IOException {
        Head head = probe.ask(probe.request("size=3")).ok().head();
        for (Head.Field field : head.fields()) Unmet.unless(!field.name().isEmpty(), "no field: " + field.value());
    }

    private static void cgiField(Probe probe) throws IOException {
        check(probe.ask(probe.request("variables")).ok().head());
        for (String query : List.of("location=http://other.example/", "status=404")) {
            probe.needs(query);
            check(probe.ask(probe.request(query)).complete().head());
        }
    }

    private static void check(Head head) {
        Unmet.unless(CGI_FIELDS.stream().anyMatch(head::has), "none of " + CGI_FIELDS);
        for (String name : CGI_FIELDS)
            Unmet.unless(head.values(name).size() < 2, name + " twice: " + head.values(name));
    }

    private static void status(Probe probe) throws IOException {
        probe.needs("status=404");
        List<String> values =
                probe.ask(probe.request("status=404")).complete().head().values("Status");
        Unmet.unless(values.size() == 1 && values.get(0).matches("404 .*"), "Status: " + values);
    }

    private static void noStatusLine(Probe probe) throws IOException {
        Answer answer = probe.ask(probe.request("variables")).complete();
        Unmet.unless(!new String(answer.stdout()).startsWith("HTTP/"), "a status line");
    }

    private static Head redirect(Probe probe, String location) throws IOException {
        probe.needs("location=" + location);
        Head head = probe.ask(probe.request("location=" + location)).is(302).head();
        Unmet.unless(head.values("Location").equals(List.of(location)), "Location: " + head.values("Location"));
        return head;
    }

    private static void redirectStatus(Probe probe) throws IOException {
        Unmet.unless(redirect(probe, "http://other.example/").has("Status"), "no Status");
    }

    private static void redirectLocal(Probe probe) throws IOException {
        probe.needs("location=/path");
        Head head = probe.ask(probe.request("location=/path")).is(302).head();
        Unmet.unless(head.has("Status"), "no Status, Location: " + head.values("Location"));
    }

    private static void cookies(Probe probe) throws IOException {
        probe.needs("cookies");
        List<String> values = probe.ask(probe.request("cookies")).ok().head().values("Set-Cookie");
        Unmet.unless(values.equals(List.of("a=1", "b=2")), "Set-Cookie: " + values);
    }

    private static void noInjection(Probe probe) throws IOException {
        probe.needs("injection");
        Answer answer = probe.ask(probe.request("injection"));
        if (!answer.hasEnded() || answer.stdout().length == 0) return;
        Unmet.unless(!answer.head().has("X-Injected"), "X-Injected is a field");
    }

    private static void noConnectionFields(Probe probe) throws IOException {
        for (String query : List.of("variables", "size=1000000", "echo")) {
            Request request = probe.request(query);
            if (query.equals("echo")) request.content(Samples.bytes(100));
            expectNone(probe.ask(request).ok().head());
        }
    }

    private static void expectNone(Head head) {
        for (String name : OF_THE_CONNECTION)
            Unmet.unless(!head.has(name), name + ": " + String.join(", ", head.values(name)));
    }

    private static void noConnectionFieldsOfApplication(Probe probe) throws IOException {
        probe.needs("hop");
        expectNone(probe.ask(probe.request("hop")).complete().head());
    }

    private static void head(Probe probe) throws IOException {
        Connection connection = probe.connect();
        connection.send(probe.request("size=3").method("HEAD").keep().bytes());
        expectNoContent(connection.answer(1).ok());
        connection.send(probe.request("size=3").keep().bytes());
        connection.answer(1).has(Pairs.bytes("abc"));
    }

    private static void withoutContent(Probe probe, int status) throws IOException {
        probe.needs("status=" + status);
        Connection connection = probe.connect();
        connection.send(probe.request("status=" + status).keep().bytes());
        expectNoContent(connection.answer(1).is(status));
        connection.send(probe.request("size=3").keep().bytes());
        connection.answer(1).has(Pairs.bytes("abc"));
    }

    private static void expectNoContent(Answer answer) {
        Unmet.unless(answer.content().length == 0, answer.content().length + " bytes of content");
    }

    private static void contentLength(Probe probe) throws IOException {
        for (int size : List.of(0, 3, 1_000_000)) {
            Answer answer = probe.ask(probe.request("size=" + size)).has(Samples.letters(size));
            List<String> values = answer.head().values("Content-Length");
            Unmet.unless(
                    values.isEmpty() || values.equals(List.of(Integer.toString(size))),
                    "Content-Length: " + String.join(", ", values) + " for " + size + " bytes");
        }
    }

    private static void noInterim(Probe probe) throws IOException {
        Request request = probe.request("echo").content(Pairs.bytes("content")).set("HTTP_EXPECT", "100-continue");
        probe.ask(request).has(Pairs.bytes("content"));
    }

    private static void headInOneRecord(Probe probe) throws IOException {
        Answer answer = probe.ask(probe.request("size=1000000")).ok();
        int length = Head.length(answer.stdout());
        int first = answer.records(RecordType.STDOUT).get(0).content().length;
        Unmet.unless(first >= length, "a header block of " + length + " bytes, of which the first record has " + first);
    }
}

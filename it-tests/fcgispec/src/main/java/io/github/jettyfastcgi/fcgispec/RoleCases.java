package io.github.jettyfastcgi.fcgispec;

import static io.github.jettyfastcgi.fcgispec.Case.must;

import java.io.IOException;
import java.util.List;

/** Roles that an application doesn't play, and those that it may. */
final class RoleCases {
    private static final int UNKNOWN_ROLE = 99;

    private RoleCases() {}

    static List<Case> all() {
        return List.of(
                must(
                        "role-unknown",
                        "FastCGI 5.5",
                        "A request of an unknown role is rejected with FCGI_UNKNOWN_ROLE",
                        "END_REQUEST with it for role 99",
                        probe -> expectUnknownRole(probe, UNKNOWN_ROLE)),
                must(
                        "role-zero",
                        "FastCGI 5.5",
                        "Role 0 is an unknown role",
                        "END_REQUEST with FCGI_UNKNOWN_ROLE",
                        probe -> expectUnknownRole(probe, 0)),
                must(
                        "role-unknown-connection-lives",
                        "FastCGI 5.1",
                        "The connection is kept after a request of an unknown role",
                        "the next request on it is answered, though PARAMS and STDIN of the last one came",
                        RoleCases::connectionLivesAfterRole),
                must(
                        "role-authorizer",
                        "FastCGI 6.3",
                        "An Authorizer decides by PARAMS; who is none rejects the request",
                        "a response without STDIN ever sent, or END_REQUEST with FCGI_UNKNOWN_ROLE",
                        RoleCases::authorizer),
                must(
                        "role-filter",
                        "FastCGI 6.4",
                        "A Filter gets STDIN and DATA; who is none rejects the request",
                        "a response, or END_REQUEST with FCGI_UNKNOWN_ROLE",
                        RoleCases::filter));
    }

    private static void expectUnknownRole(Probe probe, int role) throws IOException {
        Answer answer = probe.ask(probe.request("variables").role(role));
        Unmet.unless(
                answer.protocolStatus() == Answer.UNKNOWN_ROLE,
                "protocolStatus " + answer.protocolStatus() + ": " + answer);
    }

    private static void connectionLivesAfterRole(Probe probe) throws IOException {
        Connection connection = probe.connect();
        connection.send(probe.request("variables").role(UNKNOWN_ROLE).keep().bytes());
        connection.answer(1).end();
        connection.send(probe.request("variables").keep().bytes());
        connection.answer(1).tells("REQUEST_METHOD", "GET");
    }

    private static void authorizer(Probe probe) throws IOException {
        Connection connection = probe.connect();
        connection.send(probe.request("variables")
                .role(Records.AUTHORIZER)
                .without("SCRIPT_NAME")
                .head());
        expectResponseOrRejection(connection.answer(1));
    }

    private static void filter(Probe probe) throws IOException {
        Request request = probe.request("variables")
                .role(Records.FILTER)
                .set("FCGI_DATA_LAST_MOD", "0")
                .set("FCGI_DATA_LENGTH", "4");
        Connection connection = probe.connect();
        connection.send(request.bytes());
        connection.trySend(Records.stream(RecordType.DATA, 1, Pairs.bytes("data")));
        expectResponseOrRejection(connection.answer(1));
    }

    private static void expectResponseOrRejection(Answer answer) {
        if (answer.protocolStatus() != Answer.UNKNOWN_ROLE) answer.complete().head();
    }
}

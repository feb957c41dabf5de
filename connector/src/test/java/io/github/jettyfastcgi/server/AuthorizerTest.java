package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.jettyfastcgi.protocol.Capture;
import io.github.jettyfastcgi.protocol.RecordScript;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ContextHandler;
import org.eclipse.jetty.server.handler.ContextHandlerCollection;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests of the Authorizer role: whether another request is allowed (FastCGI specification 1.0, section 6.3). */
class AuthorizerTest extends ConnectionTestBase {
    private final List<String> asked = new CopyOnWriteArrayList<>();

    @BeforeEach
    void authorize() {
        factory.setAuthorizerPath("/authorize");
    }

    @Test
    void endOfVariablesIsTheEndOfTheRequest() throws Exception {
        startLocal(this::allow);
        LocalPeer peer = connectLocal();

        question(peer, 1, Wire.KEEP, "GET", "/files/a%20b?x=1").send();

        peer.assertBytes(allowed(1));
        assertThat(asked).containsExactly("GET /authorize/files/a%20b?x=1 0 AUTHORIZER");
        question(peer, 1, Wire.KEEP, "GET", "/next").send();
        peer.assertBytes(allowed(1));
        peer.get(3, "/responder").send();
        peer.readAnswer(3).assertStatus(200);
        assertThat(asked.get(2)).isEqualTo("GET /responder 0 null");
        peer.end();
    }

    @Test
    void connectionThatIsNotKeptEndsBehindTheAnswer() throws Exception {
        start(this::allow);
        SocketPeer peer = connect();

        question(peer, 1, Wire.CLOSE, "GET", "/").send();

        peer.assertBytes(allowed(1));
        peer.assertEnd();
        assertThat(counters.unkeptRequests()).isZero(); // nobody could be advised to keep it
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "content"})
    void stdinThatAWebServerSendsAllTheSameIsSkipped(String content) throws Exception {
        start(this::allow);
        SocketPeer peer = connect();

        question(peer, 1, Wire.KEEP, "GET", "/").stdin(1, content).endStdin(1).send();
        peer.assertBytes(allowed(1));
        question(peer, 1, Wire.CLOSE, "GET", "/").stdin(1, content).endStdin(1).send();
        peer.assertBytes(allowed(1));

        peer.assertEnd();
    }

    @Test
    void contentLengthOfTheRequestInQuestionCountsAsZero() throws Exception {
        start(this::allow);
        SocketPeer peer = connect();

        peer.begin(1, Wire.AUTHORIZER, Wire.KEEP)
                .params(1, "REQUEST_METHOD", "POST", "REQUEST_URI", "/upload", "CONTENT_LENGTH", "1000000")
                .params(1, "CONTENT_TYPE", "application/x-www-form-urlencoded", "HTTP_HOST", "www.example.com")
                .endParams(1)
                .send();

        peer.assertBytes(allowed(1));
        assertThat(asked).containsExactly("POST /authorize/upload 0 AUTHORIZER");
    }

    @Test
    void maximumOfContentIsNoMatter() throws Exception {
        factory.setMaxContentLength(10);
        start(this::allow);
        SocketPeer peer = connect();

        peer.begin(1, Wire.AUTHORIZER, Wire.KEEP)
                .params(1, "REQUEST_METHOD", "POST", "REQUEST_URI", "/upload", "CONTENT_LENGTH", "11")
                .endParams(1)
                .send();

        peer.assertBytes(allowed(1));
    }

    @Test
    void variablesKeepTheirNames() throws Exception {
        start((request, response, callback) -> {
            response.getHeaders().put("Variable-AUTH_METHOD", "token");
            response.getHeaders().put("Variable-Mixed.Case", "a b");
            response.getHeaders().put("Variable-PROXY_USER", "");
            callback.succeeded();
            return true;
        });
        SocketPeer peer = connect();

        question(peer, 1, Wire.KEEP, "GET", "/").send();

        peer.assertBytes(answer(
                1,
                "Status: 200 OK\r\nVariable-AUTH_METHOD: token\r\nVariable-Mixed.Case: a b\r\n"
                        + "Variable-PROXY_USER: \r\n\r\n"));
    }

    @Test
    void contentOfA200IsNotSent() throws Exception {
        start((request, response, callback) -> {
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain");
            response.getHeaders().put("Variable-A", "b");
            response.getHeaders().put(HttpHeader.CONTENT_LENGTH, 100_000);
            return answer(response, callback, "x".repeat(100_000));
        });
        SocketPeer peer = connect();

        question(peer, 1, Wire.KEEP, "GET", "/").send();

        peer.assertBytes(answer(1, "Status: 200 OK\r\nVariable-A: b\r\n\r\n"));
    }

    @ParameterizedTest
    @CsvSource({"401,Unauthorized", "403,Forbidden", "302,Found", "201,Created"})
    void anyOtherStatusIsSentWithItsContent(int status, String reason) throws Exception {
        start((request, response, callback) -> {
            response.setStatus(status);
            response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, "Basic realm=\"x\"");
            return answer(response, callback, "no");
        });
        SocketPeer peer = connect();

        question(peer, 1, Wire.KEEP, "GET", "/").send();

        peer.assertBytes(answer(
                1,
                "Status: " + status + " " + reason + "\r\nWWW-Authenticate: Basic realm=\"x\"\r\n"
                        + "Content-Length: 2\r\n\r\nno"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/../shop", "/a/../../shop", "/%2e%2e/shop", "/..;/shop", "/.;/..;x/shop", "*", "shop", "/%00"})
    void noPathLeadsOutOfTheAuthorizer(String target) throws Exception {
        start(this::allow);
        SocketPeer peer = connect();

        question(peer, 1, Wire.KEEP, "GET", target).send();

        assertStatus(peer, 400);
        assertThat(asked).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "/a/../b, /authorize/b",
        "/a//b, /authorize/a//b",
        "http://other.example/a?b, /authorize/a",
        "http://other.example, /authorize/"
    })
    void pathAskedAboutFollowsThatOfTheAuthorizer(String target, String path) throws Exception {
        configuration.setUriCompliance(UriCompliance.UNSAFE);
        start((request, response, callback) -> {
            asked.add(request.getHttpURI().getCanonicalPath());
            callback.succeeded();
            return true;
        });
        SocketPeer peer = connect();

        peer.begin(1, Wire.AUTHORIZER, Wire.KEEP)
                .params(1, "REQUEST_METHOD", "GET", "REQUEST_URI", target, "HTTP_HOST", "other.example")
                .endParams(1)
                .send();

        assertStatus(peer, 200);
        assertThat(asked).containsExactly(path);
    }

    /** Another one is asked while the web application that decides is being replaced, or has not been deployed. */
    @ParameterizedTest
    @CsvSource({"/authorize, 200", "/, 500", "/authorize/files, 500"})
    void answerOfAnotherWebApplicationAllowsNothing(String contextPath, int status) throws Exception {
        ContextHandlerCollection contexts = new ContextHandlerCollection(true);
        startWith(Transport.UNIX, contexts);
        SocketPeer peer = connect();
        deploy(contexts, contextPath, "Content-Language");

        question(peer, 1, Wire.KEEP, "GET", "/files/a").send();
        assertStatus(peer, status);
        question(peer, 1, Wire.KEEP, "GET", "/files/b").send();
        assertStatus(peer, status);
    }

    @Test
    void answerOfAnotherWebApplicationThatHasAVariableAllows() throws Exception {
        ContextHandlerCollection contexts = new ContextHandlerCollection(true);
        startWith(Transport.UNIX, contexts);
        SocketPeer peer = connect();
        deploy(contexts, "/", "Variable-USER_ID");

        question(peer, 1, Wire.KEEP, "GET", "/files/a").send();

        assertStatus(peer, 200);
    }

    private static void deploy(ContextHandlerCollection contexts, String path, String field) throws Exception {
        ContextHandler context = new ContextHandler(
                new Handler.Abstract() {
                    @Override
                    public boolean handle(Request request, Response response, Callback callback) {
                        response.getHeaders().put(field, "en");
                        Content.Sink.write(response, true, "Welcome", callback);
                        return true;
                    }
                },
                path);
        contexts.addHandler(context);
        context.start();
    }

    @Test
    void variablesThatAreNoRequestAreA400() throws Exception {
        start(this::allow);
        SocketPeer peer = connect();

        peer.begin(1, Wire.AUTHORIZER, Wire.KEEP)
                .params(1, "REQUEST_METHOD", "GET")
                .endParams(1)
                .send();

        assertStatus(peer, 400);
    }

    @ParameterizedTest
    @CsvSource({
        "REMOTE_USER, REMOTE_PASSWD=secret, Basic YWxpY2U6c2VjcmV0",
        "REMOTE_USER, REMOTE_PASSWD=, Basic YWxpY2U6",
        "REMOTE_USER, X=, ",
        "REMOTE_USER, HTTP_AUTHORIZATION=Bearer, Bearer",
        "X, REMOTE_PASSWD=secret, ",
        "REMOTE_USER, REMOTE_PASSWD=secret HTTP_AUTHORIZATION=Bearer, Bearer"
    })
    void passwordThatApacheTellsIsAnAuthorizationField(String user, String variables, String field) throws Exception {
        start((request, response, callback) -> {
            asked.add(String.valueOf(request.getHeaders().get(HttpHeader.AUTHORIZATION)));
            callback.succeeded();
            return true;
        });
        SocketPeer peer = connect();

        peer.begin(1, Wire.AUTHORIZER, Wire.KEEP)
                .params(1, "REQUEST_METHOD", "GET", "REQUEST_URI", "/", user, "alice")
                .params(1, variables.split("[ =]", -1))
                .endParams(1)
                .send();

        assertStatus(peer, 200);
        assertThat(asked).containsExactly(String.valueOf(field));
    }

    @Test
    void secretIsAskedFor() throws Exception {
        factory.setSecret("secret");
        expectWarning("Requests refused: 1, without the secret");
        start(this::allow);
        SocketPeer peer = connect();

        question(peer, 1, Wire.KEEP, "GET", "/").send();

        assertStatus(peer, 403);
        assertThat(asked).isEmpty();
    }

    @Test
    void abortEndsAQuestionThatIsOpen() throws Exception {
        Exchanges exchanges = new Exchanges();
        start(exchanges);
        SocketPeer peer = connect();
        question(peer, 1, Wire.KEEP, "GET", "/").send();
        Exchanges.Exchange open = exchanges.next();
        BlockingQueue<Throwable> failures = open.failures();

        peer.abort(1).send();

        open.callback().failed(Await.next("a failure", failures));
        assertStatus(peer, 400);
        assertThat(counters.abortedRequests()).isEqualTo(1);
    }

    @Test
    void questionBehindAnOpenQuestionWaits() throws Exception {
        Exchanges exchanges = new Exchanges();
        start(exchanges);
        SocketPeer peer = connect();
        question(peer, 1, Wire.KEEP, "GET", "/1").send();
        Exchanges.Exchange first = exchanges.next();
        question(peer, 1, Wire.KEEP, "GET", "/2").send();

        first.answer("");
        assertStatus(peer, 200);
        exchanges.next().answer("");
        assertStatus(peer, 200);
    }

    @Test
    void filterIsRefusedStill() throws Exception {
        start(this::allow);
        SocketPeer peer = connect();

        peer.begin(1, Wire.FILTER, Wire.KEEP).endParams(1).send();

        assertThat(peer.readAnswer(1).protocolStatus()).isEqualTo(Wire.UNKNOWN_ROLE);
    }

    static List<Capture> captures() {
        return Capture.servers().stream()
                .flatMap(server -> Capture.of(server).stream())
                .filter(capture -> capture.requests().stream().anyMatch(r -> r.role() == Wire.AUTHORIZER))
                .toList();
    }

    /** What lighttpd, mod_fcgid and mod_authnz_fcgi send, byte for byte. */
    @ParameterizedTest
    @MethodSource("captures")
    void questionOfARealWebServerIsAnswered(Capture capture) throws Exception {
        start(this::allow);
        SocketPeer peer = connect();

        peer.write(capture.bytes());

        peer.assertBytes(allowed(1));
        peer.assertEnd();
        assertThat(capture.requests()).hasSize(1);
        assertThat(asked).hasSize(1);
        assertThat(asked.get(0)).endsWith(" 0 AUTHORIZER").contains(" /authorize/");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"authorize", "/", "/authorize/", "/a//b", "/a/..", "/.", "/a%20b", "/a?b", "/a;b", "/a b", "//a"
            })
    void pathThatIsNoneIsRefused(String path) {
        assertThatThrownBy(() -> factory.setAuthorizerPath(path))
                .hasToString("jetty.fastcgi.authorizerPath: '" + path + "' (expected: a path such as /authorize)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/authorize", " /a/b ", "/a..b/.c"})
    void pathIsASetting(String path) {
        factory.setAuthorizerPath(path);

        assertThat(factory.getAuthorizerPath()).isEqualTo(path.strip());
        factory.setAuthorizerPath("");
        assertThat(factory.getAuthorizerPath()).isNull();
    }

    private static Peer question(Peer peer, int id, int flags, String method, String target) {
        return peer.begin(id, Wire.AUTHORIZER, flags)
                .params(id, "REQUEST_METHOD", method, "REQUEST_URI", target, "HTTP_HOST", "www.example.com")
                .endParams(id);
    }

    /** Reads an answer; the Status is in front, which {@link Answer} expects at the end. */
    private static void assertStatus(Peer peer, int status) throws Exception {
        WireRecord record = peer.readRecord();
        assertThat(record.text()).startsWith("Status: " + status + " ");
        while (record.type() != Wire.END_REQUEST) record = peer.readRecord();
    }

    private boolean allow(Request request, Response response, Callback callback) throws Exception {
        int content = Request.asInputStream(request).readAllBytes().length;
        boolean isQuestion = request.getHttpURI().getPath().startsWith("/authorize/");
        assertThat(request.getLength()).isEqualTo(isQuestion ? 0 : -1);
        assertThat(request.getHeaders().contains(HttpHeader.CONTENT_LENGTH)).isFalse();
        asked.add(request.getMethod() + " " + request.getHttpURI().getPathQuery() + " " + content + " "
                + request.getAttribute(FastCGIConnectionFactory.ROLE_ATTRIBUTE));
        boolean isNamed = request.getAttributeNameSet().contains(FastCGIConnectionFactory.ROLE_ATTRIBUTE);
        assertThat(isNamed).isEqualTo(isQuestion);
        response.getHeaders().put("Variable-USER_ID", "7");
        callback.succeeded();
        return true;
    }

    private static RecordScript allowed(int id) {
        return answer(id, "Status: 200 OK\r\nVariable-USER_ID: 7\r\n\r\n");
    }

    private static RecordScript answer(int id, String response) {
        return new RecordScript()
                .record(Wire.STDOUT, id, response.getBytes(StandardCharsets.ISO_8859_1))
                .record(Wire.STDOUT, id, new byte[0])
                .record(Wire.END_REQUEST, id, new byte[8]);
    }
}

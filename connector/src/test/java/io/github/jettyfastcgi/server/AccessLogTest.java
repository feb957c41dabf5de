package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.eclipse.jetty.security.Constraint;
import org.eclipse.jetty.security.HashLoginService;
import org.eclipse.jetty.security.SecurityHandler;
import org.eclipse.jetty.security.UserStore;
import org.eclipse.jetty.security.authentication.BasicAuthenticator;
import org.eclipse.jetty.server.CustomRequestLog;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.security.Credential;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jetty's access log of requests over FastCGI: whose they are, when and how they ended, in one line each. */
class AccessLogTest extends ConnectionTestBase {
    private static final String[] CLIENT = {
        "REMOTE_ADDR", "192.0.2.7", "REMOTE_PORT", "50123", "SERVER_ADDR", "198.51.100.1", "SERVER_PORT", "8080"
    };
    private static final String CLIENT_LOGGED = "192.0.2.7:50123 192.0.2.7 198.51.100.1:8080 ";

    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final Exchanges exchanges = new Exchanges();

    @BeforeEach
    void logAddressesAndResponses() {
        logAccess("%{client}a:%{client}p %{remote}a %{local}a:%{local}p %{server}a:%{server}p \"%r\" %s %O %I %X");
    }

    private void logAccess(String format) {
        server.setRequestLog(new CustomRequestLog(lines::add, format));
    }

    private String nextLine() throws Exception {
        return Await.next("a line of the access log", lines);
    }

    private void serve() throws Exception {
        start((request, response, callback) -> switch (request.getHttpURI().getPath()) {
            case "/fail" -> throw new IllegalStateException("boom");
            case "/cut" -> {
                response.write(
                        false,
                        ByteBuffer.allocate(100),
                        Callback.from(() -> callback.failed(new IllegalStateException("boom"))));
                yield true;
            }
            case "/wait" -> exchanges.handle(request, response, callback);
            default -> echo(request, response, callback);
        });
    }

    // ---- whose request it is

    @Test
    void addressesAreThoseTheWebServerTells() throws Exception {
        serve();
        SocketPeer peer = connect();

        peer.get(1, "/a?b=c", CLIENT).send();
        peer.readAnswer(1).assertText("");

        assertThat(nextLine()).isEqualTo(CLIENT_LOGGED + "www.example.com:80 \"GET /a?b=c HTTP/1.1\" 200 0 0 +");
    }

    @Test
    void eachRequestOfAConnectionHasItsOwnClient() throws Exception {
        logAccess("%{client}a %{client}p %H %k");
        serve();
        SocketPeer peer = connect();

        peer.get(1, "/", "REMOTE_ADDR", "192.0.2.1", "REMOTE_PORT", "1").send();
        peer.readAnswer(1);
        peer.get(1, "/", "REMOTE_ADDR", "2001:db8::1", "REMOTE_PORT", "2", "SERVER_PROTOCOL", "HTTP/2.0")
                .send();
        peer.readAnswer(1);
        peer.get(1, "/").send();
        peer.readAnswer(1);

        assertThat(nextLine()).isEqualTo("192.0.2.1 1 HTTP/1.1 1");
        assertThat(nextLine()).isEqualTo("[2001:db8:0:0:0:0:0:1] 2 HTTP/2.0 2");
        assertThat(nextLine()).isEqualTo("- -1 HTTP/1.1 3");
    }

    @Test
    void userIsTheTrustedOneOfTheWebServer() throws Exception {
        factory.setRemoteUser("trust");
        logAccess("%u %{d}u");
        serve();
        SocketPeer peer = connect();

        peer.get(1, "/", "REMOTE_USER", "alice").send();
        peer.readAnswer(1);
        peer.get(1, "/").send();
        peer.readAnswer(1);

        assertThat(nextLine()).isEqualTo("alice alice");
        assertThat(nextLine()).isEqualTo("- -");
    }

    @Test
    void userIsTheOneThatJettyHasAuthenticated() throws Exception {
        logAccess("%u %s");
        startWith(new LocalConnector(server, factory), securedByPassword());
        LocalPeer peer = connectLocal();

        for (String password : new String[] {"wrong", "secret"}) {
            String credentials = Base64.getEncoder().encodeToString(("bob:" + password).getBytes());
            peer.get(1, "/", "HTTP_AUTHORIZATION", "Basic " + credentials, "REMOTE_USER", "alice")
                    .send();
            peer.readAnswer(1);
        }

        assertThat(nextLine()).isEqualTo("- 401");
        assertThat(nextLine()).isEqualTo("bob 200");
        peer.end();
    }

    private static Handler securedByPassword() {
        UserStore users = new UserStore();
        users.addUser("bob", Credential.getCredential("secret"), new String[] {"user"});
        HashLoginService realm = new HashLoginService("test");
        realm.setUserStore(users);
        SecurityHandler.PathMapped security = new SecurityHandler.PathMapped();
        security.setLoginService(realm);
        security.setAuthenticator(new BasicAuthenticator());
        security.put("/*", Constraint.ANY_USER);
        security.setHandler(new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                return answerPath(request, response, callback);
            }
        });
        return security;
    }

    // ---- when, and how much

    @Test
    void timesAreThoseOfTheRequest() throws Exception {
        logAccess("%{yyyy-MM-dd'T'HH:mm:ssZ|UTC}t %{us}T");
        serve();
        SocketPeer peer = connect();
        Instant before = Instant.now().minusSeconds(1); // the log has seconds
        long begin = System.nanoTime();

        peer.get(1, "/wait").send();
        Exchanges.Exchange exchange = exchanges.next();
        long waited = System.nanoTime();
        Await.until("some time is over", () -> System.nanoTime() - waited > 20_000_000);
        exchange.answer("");
        peer.readAnswer(1);

        String[] line = nextLine().split(" ");
        long most = (System.nanoTime() - begin) / 1000;
        Instant time = OffsetDateTime.parse(
                        line[0], DateTimeFormatter.ofPattern("'['uuuu-MM-dd'T'HH:mm:ssZ']'", Locale.ROOT))
                .toInstant();
        assertThat(time).isBetween(before, Instant.now());
        assertThat(Long.parseLong(line[1])).isBetween(20_000L, most);
    }

    @Test
    void contentIsCountedInBothDirections() throws Exception {
        serve();
        SocketPeer peer = connect();

        peer.post(1, "/", "hello").send();
        peer.readAnswer(1).assertText("hello");
        peer.head(1, Wire.KEEP, "HEAD", "/").endStdin(1).send();
        peer.readAnswer(1).assertText("");
        peer.head(1, Wire.CLOSE, "GET", "/").endStdin(1).send();
        peer.readAnswer(1).assertText("");

        assertThat(nextLine()).endsWith("\"POST / HTTP/1.1\" 200 5 5 +");
        assertThat(nextLine()).endsWith("\"HEAD / HTTP/1.1\" 200 0 0 +");
        assertThat(nextLine()).endsWith("\"GET / HTTP/1.1\" 200 0 0 -");
    }

    // ---- what goes wrong

    @Test
    void failureOfTheApplicationIs500() throws Exception {
        expectWarning("boom");
        serve();
        SocketPeer peer = connect();

        peer.get(1, "/fail", CLIENT).send();
        peer.readAnswer(1).assertStatus(500);

        assertThat(nextLine()).startsWith(CLIENT_LOGGED).endsWith("\"GET /fail HTTP/1.1\" 500 0 0 X");
    }

    @Test
    void truncatedResponseHasItsStatusAndWhatWasSent() throws Exception {
        serve();
        SocketPeer peer = connect();

        peer.get(1, "/cut", CLIENT).send();

        assertThat(nextLine()).startsWith(CLIENT_LOGGED).endsWith("\"GET /cut HTTP/1.1\" 200 100 0 X");
    }

    @Test
    void requestThatIsNoneTellsItsClient() throws Exception {
        serve();
        SocketPeer peer = connect();

        peer.get(1, "/a b", CLIENT).send();
        peer.readAnswer(1).assertStatus(400);
        peer.head(1, Wire.KEEP, "G T", "/a", CLIENT).endStdin(1).send();
        peer.readAnswer(1).assertStatus(400);

        assertThat(nextLine()).startsWith(CLIENT_LOGGED).endsWith("\"GET /badMessage HTTP/1.1\" 400 0 0 X");
        assertThat(nextLine()).startsWith(CLIENT_LOGGED).endsWith("\"BAD /a HTTP/1.1\" 400 0 0 X");
    }

    @Test
    void variableThatIsCutOffLeavesThoseBeforeIt() throws Exception {
        serve();
        SocketPeer peer = connect();

        peer.begin(1, Wire.RESPONDER, Wire.KEEP)
                .params(1, CLIENT)
                .params(1, "REQUEST_METHOD", "GET", "REQUEST_URI", "/a")
                .record(Wire.PARAMS, 1, new byte[] {5, 5, 'H'})
                .endParams(1)
                .endStdin(1)
                .send();
        peer.readAnswer(1).assertStatus(400);

        assertThat(nextLine()).startsWith(CLIENT_LOGGED).endsWith("\"GET /a HTTP/1.1\" 400 0 0 X");
    }

    /** As nginx, lighttpd and h2o send them: first what they know, then the fields. */
    @Test
    void variablesOverTheLimitLeaveThoseBeforeThem() throws Exception {
        configuration.setRequestHeaderSize(1024);
        serve();
        SocketPeer peer = connect();

        peer.begin(1, Wire.RESPONDER, Wire.KEEP)
                .params(1, CLIENT)
                .params(1, "REQUEST_METHOD", "GET", "REQUEST_URI", "/a", "HTTP_COOKIE", "x".repeat(1024))
                .endParams(1)
                .endStdin(1)
                .send();
        peer.readAnswer(1).assertStatus(431);

        assertThat(nextLine()).startsWith(CLIENT_LOGGED).endsWith("\"GET /a HTTP/1.1\" 431 0 0 X");
    }

    @Test
    void requestOverTheLimitIs503() throws Exception {
        factory.setMaxRequests(1);
        serve();
        SocketPeer peer = connect();
        peer.get(1, "/wait").send();
        Exchanges.Exchange first = exchanges.next();

        SocketPeer other = connect();
        other.get(1, "/a", CLIENT).send();
        other.readAnswer(1).assertStatus(503);

        assertThat(nextLine()).startsWith(CLIENT_LOGGED).endsWith("\"GET /a HTTP/1.1\" 503 0 0 X");
        first.answer("");
        assertThat(nextLine()).endsWith("\"GET /wait HTTP/1.1\" 200 0 0 +");
    }

    @Test
    void contentThatStallsIs408() throws Exception {
        configuration.setIdleTimeout(300);
        serve();
        SocketPeer peer = connect();

        peer.postHead(1, "/", 10).stdin(1, "abc").send();
        peer.readAnswer(1).assertStatus(408);

        assertThat(nextLine()).endsWith("\"POST / HTTP/1.1\" 408 0 3 X");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ABORT_REQUEST", "close"})
    void uploadThatIsGivenUpIs400(String how) throws Exception {
        serve();
        SocketPeer peer = connect();
        peer.postHead(1, "/", 10).stdin(1, "abc").send();

        if (how.equals("close")) peer.close();
        else peer.abort(1).send();

        assertThat(nextLine()).endsWith("\"POST / HTTP/1.1\" 400 0 3 X");
    }

    @Test
    void answerThatNobodyWaitsForIsNoSuccess() throws Exception {
        serve();
        SocketPeer peer = connect();
        peer.get(1, "/wait", CLIENT).send();
        Exchanges.Exchange exchange = exchanges.next();
        BlockingQueue<Throwable> failures = exchange.failures();

        peer.close();
        exchange.callback().failed(Await.next("the failure", failures));

        assertThat(nextLine()).startsWith(CLIENT_LOGGED).endsWith("\"GET /wait HTTP/1.1\" 400 0 0 X");
    }

    @Test
    void requestIsLoggedOnce() throws Exception {
        logAccess("%U");
        expectWarning("boom");
        serve();
        SocketPeer peer = connect();

        for (String path : new String[] {"/a", "/fail", "/b"}) {
            peer.get(1, path).send();
            peer.readAnswer(1);
        }

        Await.until("no request runs", () -> factory.getRunningRequests() == 0);
        assertThat(lines).containsExactly("/a", "/fail", "/b");
    }
}

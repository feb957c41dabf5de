package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.eclipse.jetty.server.CustomRequestLog;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;

/** A secret that the web server has to tell: who is served, and who gets to see it. */
class SecretTest extends ConnectionTestBase {
    private static final String SECRET = "correct horse battery staple";

    @BeforeEach
    void expectWarnings() {
        expectWarning(" Requests refused: 1, without the secret");
    }

    @ParameterizedTest
    @EnumSource
    void requestWithoutTheSecretIs403AndTheConnectionLives(Transport transport) throws Exception {
        factory.setSecret(SECRET);
        start(transport, ConnectionTestBase::answerPath);
        SocketPeer peer = connect();

        peer.get(1, "/none").send();
        peer.readAnswer(1).assertStatus(403);
        peer.get(3, "/wrong", "FASTCGI_SECRET", SECRET + "?").send();
        peer.readAnswer(3).assertStatus(403);
        peer.head(5, Wire.KEEP, "POST", "/content", "CONTENT_LENGTH", "100000")
                .stdin(5, new byte[100_000])
                .endStdin(5)
                .send();
        peer.readAnswer(5).assertStatus(403);
        peer.get(7, "/right", "FASTCGI_SECRET", SECRET).send();
        peer.readAnswer(7).assertText("/right");

        assertThat(counters.refusedRequests(RequestRefusal.FORBIDDEN)).isEqualTo(3);
        assertThat(counters.refusedRequests()).isEqualTo(3);
    }

    @Test
    void whoLacksItIsLoggedOnceAMinuteWithTheNameOfTheVariableAndNotTheSecret() throws Exception {
        factory.setSecret(SECRET);
        startLocal(ConnectionTestBase::answerPath);
        LocalPeer peer = connectLocal();

        peer.get(1, "/", "FASTCGI_SECRET", "guess").send();
        peer.readAnswer(1).assertStatus(403);
        peer.get(3, "/").send();
        peer.readAnswer(3).assertStatus(403);
        peer.get(5, "/", "FASTCGI_SECRET", SECRET).send();
        peer.readAnswer(5).assertText("/");

        assertThat(log().lines(":WARN"))
                .singleElement()
                .asString()
                .contains(" Requests refused: 1, without the secret of jetty.fastcgi.secret in FASTCGI_SECRET")
                .doesNotContain(SECRET, "guess");
        peer.end();
    }

    @Test
    void fieldOfTheClientIsNoSecret() throws Exception {
        factory.setSecret(SECRET);
        startLocal(ConnectionTestBase::answerPath);
        LocalPeer peer = connectLocal();

        peer.get(1, "/", "HTTP_FASTCGI_SECRET", SECRET, "HTTP_SECRET", SECRET).send();

        peer.readAnswer(1).assertStatus(403);
        peer.end();
    }

    @Test
    void variableMayHaveAnotherName() throws Exception {
        factory.setSecret(SECRET);
        factory.setSecretVariable("KNOCK");
        startLocal(ConnectionTestBase::answerPath);
        LocalPeer peer = connectLocal();

        peer.get(1, "/", "FASTCGI_SECRET", SECRET).send();
        peer.readAnswer(1).assertStatus(403);
        peer.get(3, "/", "KNOCK", SECRET).send();
        peer.readAnswer(3).assertText("/");
        peer.end();
    }

    @Test
    void longSecretIsTold() throws Exception {
        String secret = "0123456789".repeat(3000);
        factory.setSecret(secret);
        startLocal(ConnectionTestBase::answerPath);
        LocalPeer peer = connectLocal();

        for (int id = 1; id < 4; id++) {
            peer.get(id, "/" + id, "FASTCGI_SECRET", secret).send();
            peer.readAnswer(id).assertText("/" + id);
        }
        peer.get(5, "/5", "FASTCGI_SECRET", secret + "0").send();
        peer.readAnswer(5).assertStatus(403);
        peer.end();
    }

    @ParameterizedTest
    @NullAndEmptySource
    void noSecretIsNeededWhereNoneIsSet(String none) throws Exception {
        factory.setSecret(none);
        startLocal(ConnectionTestBase::answerPath);
        LocalPeer peer = connectLocal();

        peer.get(1, "/").send();

        peer.readAnswer(1).assertText("/");
        assertThat(factory.isSecretRequired()).isFalse();
        peer.end();
    }

    @Test
    void nobodyGetsToSeeTheSecret() throws Exception {
        BlockingQueue<Map<String, Object>> seen = new ArrayBlockingQueue<>(1);
        BlockingQueue<String> accesses = new ArrayBlockingQueue<>(2);
        factory.setSecret(SECRET);
        factory.setAttributes("*");
        factory.setRemoteUser("trust");
        factory.setRemoteUserRoles("FASTCGI_SECRET");
        server.setRequestLog(new CustomRequestLog(accesses::add, CustomRequestLog.EXTENDED_NCSA_FORMAT));
        LogCapture.debug(true);
        try {
            startLocal((Request request, Response response, Callback callback) -> {
                seen.add(Map.copyOf(request.asAttributeMap()));
                return answer(response, callback, "seen");
            });
            LocalPeer peer = connectLocal();

            peer.get(
                            1,
                            "/",
                            "FASTCGI_SECRET",
                            SECRET,
                            "REDIRECT_FASTCGI_SECRET",
                            SECRET,
                            "MINE",
                            "1",
                            "REMOTE_USER",
                            "u")
                    .send();
            peer.readAnswer(1).assertText("seen");
            peer.get(3, "/", "FASTCGI_SECRET", SECRET + "!").send();
            Answer refused = peer.readAnswer(3);
            refused.assertStatus(403);
            assertThat(refused.text()).doesNotContain(SECRET);
            peer.end();
        } finally {
            LogCapture.debug(false);
        }

        Map<String, Object> attributes = Await.next("a request", seen);
        assertThat(attributes)
                .containsEntry("MINE", "1")
                .doesNotContainKeys("FASTCGI_SECRET", "REDIRECT_FASTCGI_SECRET");
        assertThat(attributes.toString()).doesNotContain(SECRET);
        assertThat(Await.next("an access", accesses) + Await.next("an access", accesses))
                .doesNotContain(SECRET);
        assertThat(log().text()).contains("PARAMS").doesNotContain(SECRET);
        assertThat(server.dump()).doesNotContain(SECRET);
    }

    @Test
    void defaultVariableIsHiddenWithoutASecretAsWell() throws Exception {
        BlockingQueue<Object> seen = new ArrayBlockingQueue<>(1);
        startLocal((Request request, Response response, Callback callback) -> {
            seen.add(request.getAttribute(FastCGIConnectionFactory.VARIABLES_ATTRIBUTE));
            return answer(response, callback, "seen");
        });
        LocalPeer peer = connectLocal();

        peer.get(1, "/", "FASTCGI_SECRET", SECRET).send();
        peer.readAnswer(1).assertText("seen");

        assertThat(Await.next("a request", seen).toString()).doesNotContain(SECRET);
        peer.end();
    }

    @Test
    void variableThatClientsHaveASayInIsTold() {
        assertThatThrownBy(() -> factory.setSecretVariable("HTTP_SECRET"))
                .hasToString("jetty.fastcgi.secretVariable: 'HTTP_SECRET'"
                        + " (expected: the name of a variable that clients have no say in)");
        assertThat(factory.getSecretVariable()).isEqualTo("FASTCGI_SECRET");
    }
}

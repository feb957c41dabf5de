package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What happens while the connector reads, for an application or to see whether the peer of its request is still there: the
 * moment is the test's.
 */
class ReadRaceTest extends ConnectionTestBase {
    private static final byte[] NOTHING_MORE = {};

    private final Exchanges exchanges = new Exchanges();
    private LocalPeer peer;
    private Exchanges.Exchange exchange;
    private FastCGIConnection connection;

    /** Begins a request that has content to come, and asks for none. */
    @BeforeEach
    void begin() throws Exception {
        startLocal(exchanges);
        peer = connectLocal();
        peer.postHead(1, "/", 4).send();
        exchange = exchanges.next();
        connection = peer.connection();
    }

    private void assertNextIsServed() throws Exception {
        exchange = exchanges.next();
        assertThat(exchange.request().getHttpURI().getPath()).isEqualTo("/next");
        exchange.answer("served");
        peer.readAnswer(3).assertText("served");
    }

    private void assertIsToldAndServed(CountDownLatch available) throws Exception {
        Await.latch("content", available);
        assertThat(exchange.readText()).isEqualTo("1234");
        exchange.answer("read");
        peer.readAnswer(1).assertText("read");
    }

    @Test
    void whoDemandsMeanwhileIsToldWhatHasCome() throws Exception {
        CountDownLatch available = new CountDownLatch(1);
        peer.stdin(1, "1234").endStdin(1).send();

        peer.onNextRead(() -> exchange.request().demand(available::countDown), NOTHING_MORE);
        connection.checkRequest();

        assertIsToldAndServed(available);
    }

    @Test
    void whoDemandsMeanwhileIsToldWhatComesLater() throws Exception {
        CountDownLatch available = new CountDownLatch(1);

        peer.onNextRead(() -> exchange.request().demand(available::countDown), NOTHING_MORE);
        connection.checkRequest();
        assertThat(available.getCount()).isEqualTo(1);
        peer.stdin(1, "1234").endStdin(1).send();

        assertIsToldAndServed(available);
    }

    @Test
    void requestBehindOneThatIsCompletedMeanwhileIsServed() throws Exception {
        peer.stdin(1, "1234").endStdin(1).get(3, "/next").send();

        peer.onNextRead(() -> exchange.answer("read nothing"), NOTHING_MORE);
        connection.checkRequest();

        peer.readAnswer(1).assertText("read nothing");
        assertNextIsServed();
    }

    @Test
    void faultIsLoggedAndEndsTheRequestAndTheConnection() throws Exception {
        expectWarning("Unexpected failure on ");
        expectWarning("writeError: status=500, message=java.lang.IllegalStateException: a fault");
        BlockingQueue<Throwable> failures = exchange.failures();

        peer.onNextRead(
                () -> {
                    throw new IllegalStateException("a fault");
                },
                NOTHING_MORE);
        connection.checkRequest();

        Throwable failure = Await.next("a failure", failures);
        assertThat(failure).hasMessage("a fault");
        assertThat(exchange.request().read().getFailure()).hasMessage("a fault");
        assertThat(peer.isClosed()).isTrue();
        assertThat(log().text()).contains("Unexpected failure on ", "a fault");
        exchange.callback().failed(failure);
    }

    /** What was read for the one request is known to nobody else. */
    @Test
    void requestBehindOneThatIsCompletedWhileItReadsInSpiteOfItsDemandIsServed() throws Exception {
        expectWarning("demanded, but over");
        exchange.request().demand(() -> {});
        byte[] rest = peer.stdin(1, "1234").endStdin(1).get(3, "/next").take();

        peer.onNextRead(() -> exchange.callback().failed(new IllegalStateException("demanded, but over")), rest);
        exchange.request().read();

        peer.readAnswer(1).assertStatus(500);
        assertNextIsServed();
    }

    /** As one that comes when the completion is under way. */
    @Test
    void whatWouldEndTheConnectionIsTooLateBehindTheCompletion() throws Exception {
        FastCGIStream completed = connection.activeStream();
        exchange.answer("read nothing");
        peer.readAnswer(1).assertText("read nothing");

        completed.endConnection();
        peer.stdin(1, "1234").endStdin(1).get(3, "/next").send();

        assertNextIsServed();
    }
}

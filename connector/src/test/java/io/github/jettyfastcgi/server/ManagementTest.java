package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.jettyfastcgi.protocol.FastCGIException.Reason;
import io.github.jettyfastcgi.protocol.RecordScript;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import org.eclipse.jetty.io.Content;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Records about the connection, and records that belong to no request. */
class ManagementTest extends ConnectionTestBase {
    private static final RecordScript NOTHING_KNOWN = new RecordScript().record(Wire.GET_VALUES_RESULT, 0, new byte[0]);

    @Test
    void getValuesBeforeAnyRequestIsAnsweredByteForByte() throws Exception {
        startLocal(ConnectionTestBase::answerPath);
        LocalPeer peer = connectLocal();

        peer.getValues("FCGI_MAX_REQS", "FCGI_MPXS_CONNS").send();

        String header = "01 0a 00 00 00 26 00 00 ";
        String maxReqs = "0d 04 46 43 47 49 5f 4d 41 58 5f 52 45 51 53 31 30 32 34 ";
        String mpxsConns = "0f 01 46 43 47 49 5f 4d 50 58 53 5f 43 4f 4e 4e 53 30";
        byte[] expected = HexFormat.ofDelimiter(" ").parseHex(header + maxReqs + mpxsConns);
        expected[5] = (byte) (expected.length - 8);
        peer.assertBytes(new RecordScript().raw(expected));
        assertServes(peer);
    }

    /** No limit is told as a large one: the specification knows no word for it. */
    @ParameterizedTest
    @CsvSource({"60, 50, 60, 50", "0, 0, 1000, 1000"})
    void getValuesTellsTheLimits(int connections, int requests, String toldConnections, String toldRequests)
            throws Exception {
        factory.setMaxConnections(connections);
        factory.setMaxRequests(requests);
        startLocal(ConnectionTestBase::answerPath);
        LocalPeer peer = connectLocal();

        peer.getValues("FCGI_MAX_CONNS", "FCGI_MAX_REQS").send();

        peer.assertBytes(values("FCGI_MAX_CONNS", toldConnections, "FCGI_MAX_REQS", toldRequests));
        assertServes(peer);
    }

    @Test
    void getValuesAnswersOnlyNamesAsked() throws Exception {
        startLocal(ConnectionTestBase::answerPath);
        LocalPeer peer = connectLocal();

        peer.getValues("FCGI_MPXS_CONNS", "UNKNOWN", "", "fcgi_max_reqs", "FCGI_MPXS_CONNS")
                .send();
        peer.getValues("UNKNOWN").send();
        peer.getValues().send();

        peer.assertBytes(values("FCGI_MPXS_CONNS", "0"));
        peer.assertBytes(NOTHING_KNOWN);
        peer.assertBytes(NOTHING_KNOWN);
        assertServes(peer);
    }

    @Test
    void getValuesWithinVariablesIsAnsweredAtOnce() throws Exception {
        startLocal(ConnectionTestBase::answerPath);
        LocalPeer peer = connectLocal();

        peer.begin(1, Wire.RESPONDER, Wire.KEEP).params(1, "REQUEST_METHOD", "GET");
        peer.getValues("FCGI_MPXS_CONNS").send();
        peer.assertBytes(values("FCGI_MPXS_CONNS", "0"));

        peer.params(1, "REQUEST_URI", "/x").endParams(1).endStdin(1).send();
        peer.readAnswer(1).assertText("/x");
        peer.end();
    }

    @Test
    void getValuesWithinContentIsAnsweredWhenItIsRead() throws Exception {
        Exchanges exchanges = new Exchanges();
        start(exchanges);
        SocketPeer peer = connect();
        peer.postHead(1, "/", 6)
                .stdin(1, "abc")
                .getValues("FCGI_MPXS_CONNS")
                .stdin(1, "def")
                .send();
        Exchanges.Exchange exchange = exchanges.next();

        assertThat(exchange.readText()).isEqualTo("abc");
        assertThat(exchange.readText()).isEqualTo("def");
        peer.assertBytes(values("FCGI_MPXS_CONNS", "0"));

        peer.endStdin(1).send();
        exchange.answer("served");
        peer.readAnswer(1).assertText("served");
    }

    @Test
    void getValuesIsAnsweredWhileARequestWaits() throws Exception {
        Exchanges exchanges = new Exchanges();
        start(exchanges);
        SocketPeer peer = connect();
        peer.get(1, "/").send();
        Exchanges.Exchange exchange = exchanges.next();

        peer.getValues("FCGI_MPXS_CONNS").record(99, 0, new byte[3]).send();
        peer.assertBytes(values("FCGI_MPXS_CONNS", "0"));
        peer.assertBytes(unknownType(99));

        exchange.answer("served");
        peer.readAnswer(1).assertText("served");
    }

    @Test
    void getValuesCutOffIsNoFastCGI() throws Exception {
        startLocal(ConnectionTestBase::answerPath);
        LocalPeer peer = connectLocal();
        byte[] names = RecordScript.pairs("FCGI_MAX_REQS", "");

        peer.record(Wire.GET_VALUES, 0, Arrays.copyOf(names, names.length - 1)).send();

        assertThat(peer.isClosed()).isTrue();
        assertThat(counters.protocolErrors(Reason.BAD_GET_VALUES)).isEqualTo(1);
    }

    @Test
    void getValuesMayFillItsRecord() throws Exception {
        startLocal(ConnectionTestBase::answerPath);
        LocalPeer peer = connectLocal();
        byte[] names = RecordScript.pairs("X".repeat(65_508), "", "FCGI_MPXS_CONNS", "");
        assertThat(names).hasSizeBetween(65_530, 65_535);

        peer.record(Wire.GET_VALUES, 0, names).send();

        peer.assertBytes(values("FCGI_MPXS_CONNS", "0"));
        assertServes(peer);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                0,
                Wire.BEGIN_REQUEST,
                Wire.ABORT_REQUEST,
                Wire.END_REQUEST,
                Wire.PARAMS,
                Wire.STDIN,
                Wire.GET_VALUES_RESULT,
                Wire.UNKNOWN_TYPE,
                12,
                127,
                128,
                255
            })
    void otherManagementRecordsAreAnsweredWithUnknownType(int type) throws Exception {
        startLocal(ConnectionTestBase::answerPath);
        LocalPeer peer = connectLocal();

        peer.record(type, 0, new byte[100]).send();

        peer.assertBytes(unknownType(type));
        assertServes(peer);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                Wire.ABORT_REQUEST,
                Wire.END_REQUEST,
                Wire.PARAMS,
                Wire.STDIN,
                Wire.STDOUT,
                Wire.DATA,
                Wire.GET_VALUES,
                200
            })
    void recordsOfInactiveIdsAreIgnored(int type) throws Exception {
        startLocal(ConnectionTestBase::answerPath);
        LocalPeer peer = connectLocal();

        peer.record(type, 9, new byte[50]).record(type, 9, new byte[0]);
        peer.begin(1, Wire.RESPONDER, Wire.KEEP).record(type, 9, new byte[50]);
        peer.params(1, "REQUEST_METHOD", "GET", "REQUEST_URI", "/x").record(type, 9, new byte[0]);
        peer.endParams(1)
                .record(type, 9, new byte[50])
                .endStdin(1)
                .record(type, 9, new byte[0])
                .send();

        peer.readAnswer(1).assertText("/x");
        assertServes(peer);
    }

    @ParameterizedTest
    @ValueSource(ints = {Wire.END_REQUEST, Wire.STDOUT, Wire.DATA, Wire.GET_VALUES, 200})
    void recordsThatDoNotBelongToARequestAreIgnored(int type) throws Exception {
        startLocal(ConnectionTestBase::answerPath);
        LocalPeer peer = connectLocal();

        peer.begin(1, Wire.RESPONDER, Wire.KEEP).record(type, 1, new byte[50]);
        peer.params(1, "REQUEST_METHOD", "GET", "REQUEST_URI", "/x").record(type, 1, new byte[50]);
        peer.endParams(1)
                .record(type, 1, new byte[50])
                .endStdin(1)
                .record(type, 1, new byte[0])
                .send();

        peer.readAnswer(1).assertText("/x");
        assertServes(peer);
    }

    @Test
    void paramsAndStdinBehindTheirEndAreIgnored() throws Exception {
        Exchanges exchanges = new Exchanges();
        start(exchanges);
        SocketPeer peer = connect();

        peer.head(1, Wire.KEEP, "POST", "/")
                .params(1, "REQUEST_URI", "/late")
                .stdin(1, "abc")
                .endStdin(1);
        peer.stdin(1, "late").endStdin(1).params(1, "REQUEST_URI", "/late").send();

        Exchanges.Exchange exchange = exchanges.next();
        assertThat(Content.Source.asString(exchange.request())).isEqualTo("abc");
        exchange.answer(exchange.request().getHttpURI().getPath());
        peer.readAnswer(1).assertText("/");
    }

    @Test
    void floodOfUnreadAnswersEndsTheConnection() throws Exception {
        start(ConnectionTestBase::answerPath);
        SocketPeer peer = connect();
        for (int i = 0; i < 1000; i++) peer.getValues("FCGI_MAX_CONNS", "FCGI_MAX_REQS", "FCGI_MPXS_CONNS");
        byte[] flood = peer.take();

        assertThatThrownBy(() -> {
                    while (true) peer.write(flood);
                })
                .isInstanceOf(IOException.class);

        assertThat(peer.readToClose()).isPositive();
    }

    @Test
    void peerThatReadsMayAskAnyNumberOfTimes() throws Exception {
        start(ConnectionTestBase::answerPath);
        SocketPeer peer = connect();

        for (int i = 0; i < 1000; i++) {
            peer.getValues("FCGI_MPXS_CONNS").send();
            assertThat(peer.readRecord().type()).isEqualTo(Wire.GET_VALUES_RESULT);
        }
    }

    /** Of a request it would have to wait, but there is none of id 0. */
    @Test
    void beginWithoutAnIdIsAnsweredWhileARequestRuns() throws Exception {
        Exchanges exchanges = new Exchanges();
        start(exchanges);
        SocketPeer peer = connect();
        peer.get(1, "/").send();
        Exchanges.Exchange exchange = exchanges.next();

        peer.begin(0, Wire.RESPONDER, Wire.KEEP).send();

        assertThat(peer.readRecord().type()).isEqualTo(Wire.UNKNOWN_TYPE);
        exchange.answer("served");
        peer.readAnswer(1).assertText("served");
    }

    @Test
    void floodBehindABlockedResponseEndsTheConnection() throws Exception {
        Exchanges exchanges = new Exchanges();
        start(exchanges);
        SocketPeer peer = connect();
        peer.get(1, "/").send();
        Exchanges.Exchange exchange = exchanges.next();
        exchange.response().write(true, ByteBuffer.allocate(20_000_000), exchange.callback());

        for (int i = 0; i < 100; i++) peer.getValues("FCGI_MPXS_CONNS");
        peer.send();

        Await.until("the request fails", () -> factory.getRunningRequests() == 0);
        assertThat(peer.readToClose()).isLessThan(20_000_000);
    }

    private static void assertServes(LocalPeer peer) throws Exception {
        peer.get(3, "/served").send();
        peer.readAnswer(3).assertText("/served");
        assertThat(peer.hasOutput()).isFalse();
        peer.end();
        assertThat(peer.isClosed()).isTrue();
    }

    private static RecordScript values(String... namesAndValues) {
        return new RecordScript().record(Wire.GET_VALUES_RESULT, 0, RecordScript.pairs(namesAndValues));
    }

    private static RecordScript unknownType(int type) {
        return new RecordScript().record(Wire.UNKNOWN_TYPE, 0, new byte[] {(byte) type, 0, 0, 0, 0, 0, 0, 0});
    }
}

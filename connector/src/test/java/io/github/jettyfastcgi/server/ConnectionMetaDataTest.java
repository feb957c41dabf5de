package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.HashSet;
import java.util.Set;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.HostPort;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a request tells of its connection, which is that of its client and not the web server's. */
class ConnectionMetaDataTest extends ConnectionTestBase {
    private final Exchanges exchanges = new Exchanges();

    @ParameterizedTest
    @EnumSource(Transport.class)
    void eachRequestOfAConnectionHasItsOwnClient(Transport transport) throws Exception {
        start(transport, (request, response, callback) -> {
            String client = Request.getRemoteAddr(request) + ":" + Request.getRemotePort(request);
            String local = Request.getLocalAddr(request) + ":" + Request.getLocalPort(request);
            return answer(response, callback, client + " -> " + local);
        });
        SocketPeer peer = connect();

        peer.get(1, "/", "REMOTE_ADDR", "192.0.2.1", "REMOTE_PORT", "1111", "SERVER_ADDR", "192.0.2.9");
        peer.get(3, "/", "REMOTE_ADDR", "192.0.2.2", "REMOTE_PORT", "2222", "SERVER_ADDR", "192.0.2.9");
        peer.get(5, "/", "REMOTE_ADDR", "2001:db8::1", "REMOTE_PORT", "3333", "SERVER_ADDR", "2001:db8::9");
        peer.send();

        peer.readAnswer(1).assertText("192.0.2.1:1111 -> 192.0.2.9:80");
        peer.readAnswer(3).assertText("192.0.2.2:2222 -> 192.0.2.9:80");
        peer.readAnswer(5).assertText("[2001:db8:0:0:0:0:0:1]:3333 -> [2001:db8:0:0:0:0:0:9]:80");
    }

    @Test
    void clientOfARequestStaysUntilItEnds() throws Exception {
        start(exchanges);
        SocketPeer peer = connect();
        peer.get(1, "/", "REMOTE_ADDR", "192.0.2.1", "REMOTE_PORT", "1111").send();
        Exchanges.Exchange exchange = exchanges.next();

        peer.getValues()
                .get(3, "/", "REMOTE_ADDR", "192.0.2.2", "REMOTE_PORT", "2222")
                .send();
        assertThat(peer.readRecord().type()).isEqualTo(Wire.GET_VALUES_RESULT);

        assertThat(Request.getRemoteAddr(exchange.request())).isEqualTo("192.0.2.1");
        exchange.answer("served");
        peer.readAnswer(1).assertText("served");
        Exchanges.Exchange next = exchanges.next();
        assertThat(Request.getRemoteAddr(next.request())).isEqualTo("192.0.2.2");
        next.answer("served");
        peer.readAnswer(3).assertText("served");
    }

    @Test
    void addressesAreNotLookedUp() throws Exception {
        start(exchanges);
        SocketPeer peer = connect();
        peer.get(1, "/", "REMOTE_ADDR", "192.0.2.77", "REMOTE_PORT", "1", "SERVER_ADDR", "unknown.invalid")
                .send();
        Exchanges.Exchange exchange = exchanges.next();
        ConnectionMetaData metaData = exchange.request().getConnectionMetaData();

        InetSocketAddress remote = (InetSocketAddress) metaData.getRemoteSocketAddress();
        InetSocketAddress local = (InetSocketAddress) metaData.getLocalSocketAddress();

        assertThat(remote.isUnresolved()).isFalse();
        assertThat(remote.getHostName()).isEqualTo("192.0.2.77"); // would ask a name service otherwise
        assertThat(local.isUnresolved()).isTrue();
        assertThat(local.getHostString()).isEqualTo("unknown.invalid");
        exchange.answer("served");
        peer.readAnswer(1).assertText("served");
    }

    @Test
    void addressesThatTheWebServerDoesNotTellAreThoseOfTheSocket() throws Exception {
        start(exchanges);
        SocketPeer peer = connect();
        peer.get(1, "/").send();
        Exchanges.Exchange exchange = exchanges.next();

        assertThat(exchange.request().getConnectionMetaData().getRemoteSocketAddress())
                .isInstanceOf(UnixDomainSocketAddress.class);
        assertThat(exchange.request().getConnectionMetaData().getLocalSocketAddress())
                .isEqualTo(UnixDomainSocketAddress.of(directory.resolve("f.sock")));
        exchange.answer("served");
        peer.readAnswer(1).assertText("served");
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP/2.0,HTTP_2",
        "HTTP/2,HTTP_2",
        "HTTP/3.0,HTTP_3",
        "HTTP/1.1,HTTP_1_1",
        "HTTP/1.0,HTTP_1_0",
        "INCLUDED,HTTP_1_1"
    })
    void protocolIsTheClients(String protocol, HttpVersion version) throws Exception {
        startLocal((request, response, callback) -> {
            assertThat(request.getConnectionMetaData().getHttpVersion()).isEqualTo(version);
            return answer(response, callback, request.getConnectionMetaData().getProtocol());
        });
        LocalPeer peer = connectLocal();

        peer.get(1, "/", "SERVER_PROTOCOL", protocol).send();

        peer.readAnswer(1).assertText(protocol);
        peer.end();
    }

    @Test
    void authorityIsNeverThePathOfTheSocket() throws Exception {
        start((request, response, callback) ->
                answer(response, callback, request.getHttpURI() + " " + Request.getServerName(request)));
        SocketPeer peer = connect();

        peer.begin(1, Wire.RESPONDER, Wire.KEEP).params(1, "REQUEST_METHOD", "GET", "REQUEST_URI", "/x");
        peer.endParams(1).endStdin(1).send();

        assertThat(peer.readAnswer(1).text()).doesNotContain("sock");
    }

    @Test
    void authorityThatIsConfiguredIsUsedWhereTheWebServerTellsNone() throws Exception {
        configuration.setServerAuthority(new HostPort("configured.example", 8080));
        start((request, response, callback) ->
                answer(response, callback, Request.getServerName(request) + ":" + Request.getServerPort(request)));
        SocketPeer peer = connect();

        peer.begin(1, Wire.RESPONDER, Wire.KEEP).params(1, "REQUEST_METHOD", "GET", "REQUEST_URI", "/x");
        peer.endParams(1).endStdin(1).send();

        peer.readAnswer(1).assertText("configured.example:8080");
    }

    @Test
    void eachConnectionHasItsOwnId() throws Exception {
        start((request, response, callback) ->
                answer(response, callback, request.getConnectionMetaData().getId()));
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 10; i++) {
            SocketPeer peer = connect();
            peer.get(1, "/").send();
            String id = peer.readAnswer(1).text();
            peer.get(1, "/").send();

            peer.readAnswer(1).assertText(id);
            assertThat(ids.add(id)).isTrue();
        }
    }

    @Test
    void connectionCountsAndKeepsAttributes() throws Exception {
        start((request, response, callback) -> {
            ConnectionMetaData metaData = request.getConnectionMetaData();
            Integer count = (Integer) metaData.getAttribute("count");
            metaData.setAttribute("count", count == null ? 1 : count + 1);
            assertThat(metaData.getAttributeNameSet()).containsExactly("count");
            return answer(
                    response,
                    callback,
                    metaData.getAttribute("count") + " " + request.getId() + " " + metaData.isPersistent() + " "
                            + metaData.getConnection().getMessagesIn() + " "
                            + metaData.getConnection().getMessagesOut());
        });
        SocketPeer peer = connect();

        peer.get(1, "/").send();
        peer.readAnswer(1).assertText("1 1 true 1 0");
        peer.head(3, Wire.CLOSE, "GET", "/").endStdin(3).send();
        peer.readAnswer(3).assertText("2 2 false 2 1");
    }

    @Test
    void connectionCountsBytes() throws Exception {
        start(exchanges);
        SocketPeer peer = connect();
        byte[] request = peer.get(1, "/").take();
        peer.write(request);
        Exchanges.Exchange exchange = exchanges.next();
        ConnectionMetaData metaData = exchange.request().getConnectionMetaData();

        exchange.answer("served");
        Answer answer = peer.readAnswer(1);

        long size = answer.records().stream()
                .mapToLong(record -> WireRecord.HEADER_LENGTH + record.content().length)
                .sum();
        assertThat(metaData.getConnection().getBytesIn()).isEqualTo(request.length);
        assertThat(metaData.getConnection().getBytesOut()).isEqualTo(size);
    }
}

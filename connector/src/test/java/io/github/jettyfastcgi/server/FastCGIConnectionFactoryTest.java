package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.function.LongConsumer;
import org.eclipse.jetty.server.ForwardedRequestCustomizer;
import org.eclipse.jetty.server.HostHeaderCustomizer;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.ProxyCustomizer;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.unixdomain.server.UnixDomainServerConnector;
import org.junit.jupiter.api.Test;

/** Settings of the factory and its configuration. */
class FastCGIConnectionFactoryTest extends ConnectionTestBase {
    @Test
    void defaults() {
        assertThat(factory.getProtocol()).isEqualTo("fastcgi");
        assertThat(factory.getPathSource()).isEqualTo("request-uri");
        assertThat(factory.getMaxVariables()).isEqualTo(1024);
        assertThat(factory.getMaxConnections()).isEqualTo(8192);
        assertThat(factory.getMaxRequests()).isEqualTo(1024);
        assertThat(factory.getMaxQueuedRequests()).isEqualTo(1024);
        assertThat(factory.getMaxContentLength()).isEqualTo(-1);
        assertThat(factory.getQueueTimeout()).isEqualTo(10_000);
        assertThat(factory.getRequestTimeout()).isEqualTo(30_000);
        assertThat(factory.getContentTimeout()).isEqualTo(-1);
        assertThat(factory.getDrainTimeout()).isEqualTo(5000);
        assertThat(factory.getSlowLogThreshold()).isZero();
        assertThat(factory.isSlowLogQuery()).isFalse();
        assertThat(factory.getStderr()).isEqualTo("off");
        assertThat(factory.getRunningRequests()).isZero();
        assertThat(factory.getInputBufferSize()).isEqualTo(64 * 1024);
        assertThat(new FastCGIConnectionFactory().getHttpConfiguration()).isInstanceOf(FastCGIHttpConfiguration.class);
    }

    @Test
    void badSettingsAreToldInOneLine() {
        assertThatThrownBy(() -> factory.setPathSource("path"))
                .hasToString("jetty.fastcgi.pathSource: 'path' (expected: request-uri or script-name)");
        assertThatThrownBy(() -> factory.setStderr("on"))
                .hasToString("jetty.fastcgi.stderr: 'on' (expected: off or errors)");
        assertThatThrownBy(() -> factory.setSlowLogThreshold(-1))
                .hasToString("jetty.fastcgi.slowlog.threshold: -1 (expected: >= 0)");
        assertRefuses("maxVariables", 1, least -> factory.setMaxVariables((int) least));
        assertRefuses("maxConnections", 0, least -> factory.setMaxConnections((int) least));
        assertRefuses("maxRequests", 0, least -> factory.setMaxRequests((int) least));
        assertRefuses("maxQueuedRequests", 0, least -> factory.setMaxQueuedRequests((int) least));
        assertRefuses("maxContentLength", -1, factory::setMaxContentLength);
        assertRefuses("queueTimeout", 1, factory::setQueueTimeout);
        assertRefuses("requestTimeout", 0, factory::setRequestTimeout);
        assertRefuses("contentTimeout", -1, factory::setContentTimeout);
        assertRefuses("drainTimeout", 1, factory::setDrainTimeout);
    }

    private static void assertRefuses(String property, long least, LongConsumer setter) {
        setter.accept(least);
        assertThatThrownBy(() -> setter.accept(least - 1))
                .hasToString("jetty.fastcgi." + property + ": " + (least - 1) + " (expected: >= " + least + ")");
    }

    @Test
    void inputBufferSizeIsTheConfigurations() {
        factory.setInputBufferSize(4096);

        assertThat(configuration.getInputBufferSize()).isEqualTo(4096);
        assertThat(factory.getInputBufferSize()).isEqualTo(4096);
    }

    @Test
    void configurationIsTheServersButForWhatFastCGIDoesItself() {
        HttpConfiguration.Customizer own = (request, fields) -> request;
        HttpConfiguration http = new HttpConfiguration();
        http.setOutputBufferSize(1234);
        http.setRequestHeaderSize(1);
        http.addCustomizer(new ForwardedRequestCustomizer() {});
        http.addCustomizer(new HostHeaderCustomizer());
        http.addCustomizer(new ProxyCustomizer());
        http.addCustomizer(new SecureRequestCustomizer());
        http.addCustomizer(own);

        FastCGIHttpConfiguration copy = new FastCGIHttpConfiguration(http);

        assertThat(copy.getCustomizers()).containsExactly(own);
        assertThat(http.getCustomizers()).hasSize(5);
        assertThat(copy.getOutputBufferSize()).isEqualTo(1234);
        assertThat(copy.getRequestHeaderSize()).isEqualTo(64 * 1024);
        assertThat(copy.getSendDateHeader()).isFalse();
        assertThat(copy.getSendServerVersion()).isFalse();
    }

    @Test
    void forwardedFieldsAreNotBelieved() throws Exception {
        start((request, response, callback) -> answer(response, callback, Request.getRemoteAddr(request)));
        SocketPeer peer = connect();

        peer.get(1, "/", "REMOTE_ADDR", "192.0.2.1", "HTTP_X_FORWARDED_FOR", "198.51.100.1")
                .send();

        peer.readAnswer(1).assertText("192.0.2.1");
    }

    @Test
    void pathMayBeTheRewrittenOne() throws Exception {
        factory.setPathSource("script-name");
        start((request, response, callback) ->
                answer(response, callback, request.getHttpURI().getPathQuery()));
        SocketPeer peer = connect();

        peer.get(1, "/old?x", "SCRIPT_NAME", "/app", "PATH_INFO", "/a b", "QUERY_STRING", "q")
                .send();

        peer.readAnswer(1).assertText("/app/a%20b?q");
    }

    @Test
    void servesInAnyServerConnector() throws Exception {
        ServerConnector plain = new ServerConnector(server, 1, 1, factory);
        plain.setHost("127.0.0.1");
        start(plain, ConnectionTestBase::answerPath);
        try (SocketPeer peer = new SocketPeer(new InetSocketAddress("127.0.0.1", plain.getLocalPort()))) {
            peer.get(1, "/served").send();
            peer.readAnswer(1).assertText("/served");
        }
    }

    @Test
    void servesInAnyUnixDomainServerConnector() throws Exception {
        UnixDomainServerConnector plain = new UnixDomainServerConnector(server, 1, 1, factory);
        plain.setUnixDomainPath(directory.resolve("plain.sock"));
        start(plain, ConnectionTestBase::answerPath);
        try (SocketPeer peer = new SocketPeer(UnixDomainSocketAddress.of(directory.resolve("plain.sock")))) {
            peer.get(1, "/served").send();
            peer.readAnswer(1).assertText("/served");
        }
    }
}

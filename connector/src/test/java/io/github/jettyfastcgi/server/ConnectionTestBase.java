package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server with a handler of the test's and the real connector. After each test no pooled buffer may be left over, and
 * nothing may have been logged as a warning that the test doesn't expect.
 */
abstract class ConnectionTestBase {
    /** What the connector listens on. */
    enum Transport {
        UNIX,
        TCP
    }

    @TempDir
    Path directory;

    final FastCGIHttpConfiguration configuration = new FastCGIHttpConfiguration();
    final FastCGIConnectionFactory factory = new FastCGIConnectionFactory(configuration);
    final Counters counters = factory.getCounters();
    final ArrayByteBufferPool.Tracking pool = new ArrayByteBufferPool.Tracking();
    final QueuedThreadPool threads = new QueuedThreadPool(32);
    final KeepingScheduler scheduler = new KeepingScheduler();
    final Server server = new Server(threads, scheduler, pool);
    long idleTimeout = 60_000;

    private final List<SocketPeer> peers = new ArrayList<>();
    private final List<String> expectedWarnings =
            new ArrayList<>(List.of("Stopped without executing or closing acceptor")); // so short is a test
    private LogCapture log;
    private Connector connector;

    @BeforeEach
    void captureLog() {
        log = new LogCapture();
    }

    @AfterEach
    void stopAndCheck() throws Exception {
        try (LogCapture captured = log) {
            for (SocketPeer peer : peers) peer.close();
            Await.until("no request runs", () -> factory.getRunningRequests() == 0);
            Await.until(() -> "all buffers are released, but:\n" + pool.dumpLeaks(), pool.getLeaks()::isEmpty);
            LifeCycle.stop(server);
            List<String> warnings = captured.lines(":WARN").stream()
                    .filter(line -> expectedWarnings.stream().noneMatch(line::contains))
                    .toList();
            assertThat(warnings).as(captured.text()).isEmpty();
        } finally {
            LifeCycle.stop(server);
        }
    }

    /** Expects a warning with this text; other ones fail the test. */
    void expectWarning(String text) {
        expectedWarnings.add(text);
    }

    LogCapture log() {
        return log;
    }

    /** Starts a server that listens on a Unix-domain socket. */
    void start(Request.Handler handler) throws Exception {
        start(Transport.UNIX, handler);
    }

    void start(Transport transport, Request.Handler handler) throws Exception {
        start(connector(transport), handler);
    }

    void startWith(Transport transport, Handler handler) throws Exception {
        startWith(connector(transport), handler);
    }

    private Connector connector(Transport transport) {
        return switch (transport) {
            case UNIX -> {
                FastCGIUnixConnector unix = new FastCGIUnixConnector(server, 1, 1, factory);
                unix.setUnixDomainPath(directory.resolve("f.sock"));
                unix.setIdleTimeout(idleTimeout);
                yield unix;
            }
            case TCP -> {
                FastCGITCPConnector tcp = new FastCGITCPConnector(server, 1, 1, factory);
                tcp.setPort(0);
                tcp.setIdleTimeout(idleTimeout);
                yield tcp;
            }
        };
    }

    /** Starts a server whose connections have no socket. */
    void startLocal(Request.Handler handler) throws Exception {
        LocalConnector local = new LocalConnector(server, factory);
        local.setIdleTimeout(idleTimeout);
        start(local, handler);
    }

    void start(Connector first, Request.Handler handler) throws Exception {
        startWith(first, new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) throws Exception {
                return handler.handle(request, response, callback);
            }
        });
    }

    void startWith(Connector first, Handler handler) throws Exception {
        connector = first;
        server.addConnector(first);
        server.setHandler(handler);
        server.start();
    }

    /** {@return a peer that is connected} */
    SocketPeer connect() throws Exception {
        return connect(address());
    }

    SocketPeer connect(SocketAddress address) throws Exception {
        SocketPeer peer = new SocketPeer(address);
        peers.add(peer);
        return peer;
    }

    LocalPeer connectLocal() {
        return connectLocal(new byte[0]);
    }

    /** {@return a peer whose first bytes are read one by one} */
    LocalPeer connectLocal(byte[] first) {
        return new LocalPeer(connector, first);
    }

    /** {@return what the connector listens on} */
    SocketAddress address() {
        return connector instanceof FastCGITCPConnector tcp
                ? new InetSocketAddress(tcp.getHost(), tcp.getLocalPort())
                : UnixDomainSocketAddress.of(((FastCGIUnixConnector) connector).getUnixDomainPath());
    }

    /** Waits until no thread does anything for a connection. */
    void awaitIdleThreads() {
        Await.until("all threads are idle", () -> threads.getQueueSize() == 0 && threads.getUtilizedThreads() == 0);
    }

    /** {@return how many connections are open} */
    int connectedEndPoints() {
        return connector.getConnectedEndPoints().size();
    }

    /** {@return how many bytes were read from the connections that are open} */
    long bytesRead() {
        return connector.getConnectedEndPoints().stream()
                .mapToLong(endPoint -> endPoint.getConnection().getBytesIn())
                .sum();
    }

    /** Gives the connections that are open an idle timeout, in milliseconds, which begins now. */
    void shortenIdleTimeouts(long timeout) {
        connector.getConnectedEndPoints().forEach(endPoint -> endPoint.setIdleTimeout(timeout));
    }

    /** {@return bytes of which no two places near each other look alike} */
    static byte[] pattern(int size) {
        byte[] bytes = new byte[size];
        for (int i = 0; i < size; i++) bytes[i] = (byte) (i * 31 + (i >> 8) * 17 + (i >> 16));
        return bytes;
    }

    // ---- handlers

    /** Answers with the path. */
    static boolean answerPath(Request request, Response response, Callback callback) {
        return answer(response, callback, request.getHttpURI().getPath());
    }

    /** Answers with a text. */
    static boolean answer(Response response, Callback callback, String text) {
        response.write(true, ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)), callback);
        return true;
    }

    /** Reads all the content, blocking, and answers with it. */
    static boolean echo(Request request, Response response, Callback callback) throws Exception {
        byte[] content = Request.asInputStream(request).readAllBytes();
        response.write(true, ByteBuffer.wrap(content), callback);
        return true;
    }
}

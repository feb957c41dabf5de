package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.eclipse.jetty.http.HttpCompliance.Violation.MISMATCHED_AUTHORITY;

import io.github.jettyfastcgi.protocol.Capture;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Promise;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What real web servers sent, given to a connector: each whole request reaches the handler, once, as it is. */
class ConnectorCaptureTest extends ConnectionTestBase {
    /** All of a capture but long content: the pool that tracks buffers takes time squared for each slice of one. */
    private static final int MOST_SINGLE_BYTES = 8 * 1024;

    /** What reached the handler. */
    record Served(String method, String target, String contentSha256) {}

    private final List<Served> served = new CopyOnWriteArrayList<>();

    static List<String> servers() {
        return Capture.servers();
    }

    /** Whatever a client may send is a matter of the mapping's tests; here it has to come through. */
    @BeforeEach
    void allowAll() throws Exception {
        configuration.setRequestHeaderSize(128 * 1024);
        configuration.setUriCompliance(UriCompliance.UNSAFE);
        configuration.setHttpCompliance(HttpCompliance.RFC9110.with("captures", MISMATCHED_AUTHORITY));
    }

    @ParameterizedTest
    @MethodSource("servers")
    void wholeCaptureIsServed(String webServer) throws Exception {
        startLocal(this::record);
        for (Capture capture : Capture.of(webServer)) {
            LocalPeer peer = connectLocal();
            peer.write(capture.bytes());
            assertServed(capture, peer, 1);
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void captureInSingleBytesIsServed(String webServer) throws Exception {
        startLocal(this::record);
        for (Capture capture : Capture.of(webServer)) {
            byte[] bytes = capture.bytes();
            int single = Math.min(bytes.length, MOST_SINGLE_BYTES);
            LocalPeer peer = connectLocal(Arrays.copyOf(bytes, single));
            peer.write(Arrays.copyOfRange(bytes, single, bytes.length));
            assertServed(capture, peer, 1);
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void keptCaptureIsServedTwiceInARow(String webServer) throws Exception {
        startLocal(this::record);
        for (Capture capture : Capture.of(webServer)) {
            if (!capture.requests().stream().allMatch(Capture.Request::keepConnection)) continue;
            LocalPeer peer = connectLocal();
            peer.write(capture.bytes());
            peer.write(capture.bytes());
            assertServed(capture, peer, 2);
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void captureOverASocketIsServed(String webServer) throws Exception {
        start(this::record);
        for (Capture capture : Capture.of(webServer)) {
            SocketPeer peer = connect();
            peer.write(capture.bytes());
            readAnswers(capture, peer, 1);
            peer.close();
            assertThat(served).as(capture.toString()).isEqualTo(expected(capture, 1));
            served.clear();
        }
    }

    private void assertServed(Capture capture, LocalPeer peer, int times) throws Exception {
        readAnswers(capture, peer, times);
        assertThat(served).as(capture.toString()).isEqualTo(expected(capture, times));
        served.clear();
        peer.end();
        Await.until("the connection is closed", peer::isClosed);
    }

    /** Reads what each request gets: an answer, a refusal, or an end only; then nothing is to be there. */
    private static void readAnswers(Capture capture, Peer peer, int times) throws Exception {
        for (int i = 0; i < times; i++) {
            if (asksForValues(capture)) assertThat(peer.readRecord().type()).isEqualTo(Wire.GET_VALUES_RESULT);
            for (Capture.Request request : capture.requests()) {
                if (request.aborted()) peer.readBareEnd(request.id());
                else if (request.role() != Wire.RESPONDER)
                    assertThat(peer.readAnswer(request.id()).protocolStatus()).isEqualTo(Wire.UNKNOWN_ROLE);
                else if (isWhole(request)) peer.readAnswer(request.id()).assertStatus(isBad(request) ? 400 : 200);
            }
        }
    }

    private static List<Served> expected(Capture capture, int times) {
        List<Served> expected = new ArrayList<>();
        for (int i = 0; i < times; i++)
            for (Capture.Request request : capture.requests())
                if (isWhole(request) && !isBad(request))
                    expected.add(new Served(
                            variable(request, "REQUEST_METHOD"),
                            target(utf8(variable(request, "REQUEST_URI"))),
                            request.stdinSha256()));
        return expected;
    }

    private static boolean isWhole(Capture.Request request) {
        return request.role() == Wire.RESPONDER && request.paramsEnd() && request.stdinEnd() && !request.aborted();
    }

    /** {@return whether Jetty refuses the path: one with a NUL, which HAProxy and h2o let through} */
    private static boolean isBad(Capture.Request request) {
        return variable(request, "REQUEST_URI").contains("%00");
    }

    private static boolean asksForValues(Capture capture) {
        return capture.bytes()[1] == Wire.GET_VALUES;
    }

    private static String variable(Capture.Request request, String name) {
        return request.params().stream()
                .filter(variable -> variable.name().equals(name))
                .map(Capture.Variable::value)
                .reduce((first, last) -> last)
                .orElseThrow();
    }

    private static String utf8(String latin1) {
        return new String(latin1.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    /** {@return a target as the path and query of a URI tell it} */
    private static String target(String requestUri) {
        if (requestUri.equals("*") || requestUri.startsWith("/")) return requestUri;
        int authority = requestUri.indexOf("://");
        return authority < 0 ? "/" : requestUri.substring(requestUri.indexOf('/', authority + 3));
    }

    private boolean record(Request request, Response response, Callback callback) {
        HttpURI uri = request.getHttpURI();
        Content.Source.asByteBuffer(
                request,
                Promise.from(
                        content -> {
                            served.add(new Served(request.getMethod(), uri.getPathQuery(), sha256(content)));
                            answer(response, callback, "served");
                        },
                        callback::failed));
        return true;
    }

    private static String sha256(ByteBuffer content) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(content);
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException x) {
            throw new AssertionError(x);
        }
    }
}

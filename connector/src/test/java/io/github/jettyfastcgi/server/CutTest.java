package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Promise;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A web server that goes after each byte of a request, and after each byte of a response. Nothing is left of the request
 * then, and the next one, on a connection of its own, is served.
 */
class CutTest extends ConnectionTestBase {
    /** How the application, which reads all content and answers in two parts, does so. */
    enum Application implements Request.Handler {
        BLOCKING {
            @Override
            public boolean handle(Request request, Response response, Callback callback) throws Exception {
                String content = Content.Source.asString(request, StandardCharsets.ISO_8859_1);
                Content.Sink.write(response, false, ByteBuffer.wrap(bytes(content)));
                Content.Sink.write(response, true, ByteBuffer.wrap(rest(request)));
                callback.succeeded();
                return true;
            }
        },
        ASYNCHRONOUS {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                Content.Source.asString(
                        request,
                        StandardCharsets.ISO_8859_1,
                        Promise.from(content -> answer(content, request, response, callback), callback::failed));
                return true;
            }

            private void answer(String content, Request request, Response response, Callback callback) {
                byte[] bytes = rest(request);
                ByteBuffer rest =
                        ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
                Callback writesRest = Callback.from(() -> response.write(true, rest, callback), callback::failed);
                response.write(false, ByteBuffer.wrap(bytes(content)), writesRest);
            }
        };

        private static byte[] bytes(String text) {
            return text.getBytes(StandardCharsets.ISO_8859_1);
        }

        /** The second part has the length that the path tells. */
        private static byte[] rest(Request request) {
            return pattern(Integer.parseInt(request.getHttpURI().getPath().substring(1)));
        }
    }

    /** The ways in which a peer without a socket goes. */
    enum LocalEnd {
        CLOSE(LocalPeer::close),
        RESET(LocalPeer::reset);

        private final Consumer<LocalPeer> way;

        LocalEnd(Consumer<LocalPeer> way) {
            this.way = way;
        }
    }

    /** Ends what a peer sends. */
    private interface Cut {
        void end(SocketPeer peer) throws Exception;
    }

    private static final int SMALL = 10;

    /** More than sockets and their buffers take at once. */
    private static final int LARGE = 1_000_000;

    private static final int EACH_UP_TO = 200;
    private static final String FIRST = "one";
    private static final String SECOND = "two";
    private static final int BEGIN_LENGTH = 8;
    private static final int BEHIND_VARIABLES = FIRST.length() + SECOND.length() + 3 * WireRecord.HEADER_LENGTH;

    private final BlockingQueue<Optional<Throwable>> outcomes = new LinkedBlockingQueue<>();

    static Stream<Arguments> ways() {
        return Stream.of(End.values())
                .flatMap(end -> Stream.of(Application.values()).map(app -> Arguments.of(end, app)));
    }

    static Stream<Arguments> localWays() {
        return Stream.of(LocalEnd.values())
                .flatMap(end -> Stream.of(Application.values()).map(app -> Arguments.of(end, app)));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void afterEachByteOfARequest(End end, Application application) throws Exception {
        start(end.transport(), reporting(application));
        cutRequests(end::of);
    }

    @ParameterizedTest
    @EnumSource
    void byEndOfOutputAfterEachByteOfARequest(Application application) throws Exception {
        start(Transport.TCP, reporting(application));
        cutRequests(SocketPeer::shutdownOutput);
    }

    private void cutRequests(Cut cut) throws Exception {
        SocketPeer first = connect();
        serve(first);
        first.close();
        Await.until("the connection is closed", () -> connectedEndPoints() == 0);

        int length = request(first, SMALL).length;
        for (int offset = 0; offset <= length; offset++) {
            SocketPeer peer = connect();
            byte[] begun = Arrays.copyOf(request(peer, SMALL), offset);
            peer.write(begun);
            Await.until("all is read", () -> connectedEndPoints() == 1 && bytesRead() == begun.length);

            cut.end(peer);

            if (offset >= length - BEHIND_VARIABLES) {
                Optional<Throwable> failure = Await.next("the end of the request", outcomes);
                if (offset < length) assertThat(failure).as("cut at " + offset).isPresent();
            }
            assertNothingIsLeft(() -> connectedEndPoints() == 0);
            try (SocketPeer next = connect()) {
                serve(next);
            }
            assertNothingIsLeft(() -> connectedEndPoints() == 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void bySilenceAfterEachByteOfARequest(Application application) throws Exception {
        threads.setMaxThreads(100); // more than are blocked at the same time
        start(reporting(application));

        SocketPeer first = connect();
        int length = request(first, SMALL).length;
        first.close();
        List<SocketPeer> peers = new ArrayList<>();
        for (int offset = 0; offset < length; offset++) {
            SocketPeer peer = connect();
            peer.write(Arrays.copyOf(request(peer, SMALL), offset));
            peers.add(peer);
        }
        long sent = IntStream.range(0, length).sum();
        Await.until("all are read", () -> connectedEndPoints() == peers.size() && bytesRead() == sent);

        shortenIdleTimeouts(200);

        for (int offset = 0; offset < length; offset++) {
            SocketPeer peer = peers.get(offset);
            if (offset >= WireRecord.HEADER_LENGTH + BEGIN_LENGTH)
                peer.readAnswer(1).assertStatus(408);
            peer.assertEnd();
            peer.close();
            if (offset >= length - BEHIND_VARIABLES)
                assertThat(Await.next("the end of the request", outcomes)).isPresent();
        }
        assertNothingIsLeft(() -> connectedEndPoints() == 0);
        serve(connect());
    }

    /** What the socket takes of the response is up to the system; the peer has read no more than up to the cut. */
    @ParameterizedTest
    @MethodSource("ways")
    void afterBytesOfALargeResponseWereRead(End end, Application application) throws Exception {
        start(end.transport(), reporting(application));
        SocketPeer first = connect();
        first.write(request(first, LARGE));
        List<WireRecord> records = first.readAnswer(1).records();
        first.close();
        Await.next("the end of the request", outcomes);

        for (int cut : cuts(records)) {
            SocketPeer peer = connect();
            peer.write(request(peer, LARGE));
            peer.readOnly(cut);

            end.of(peer);

            Await.next("the end of the request", outcomes);
            assertNothingIsLeft(() -> connectedEndPoints() == 0);
            try (SocketPeer next = connect()) {
                serve(next);
            }
            assertNothingIsLeft(() -> connectedEndPoints() == 0);
        }
    }

    @ParameterizedTest
    @MethodSource("localWays")
    void afterEachByteOfAResponseWasWritten(LocalEnd end, Application application) throws Exception {
        startLocal(reporting(application));
        LocalPeer first = connectLocal();
        serve(first);
        int length = first.taken();
        first.end();

        for (int cut = 0; cut <= length; cut++) {
            LocalPeer peer = connectLocal();
            peer.takeOnly(cut);
            peer.sendAside(request(peer, SMALL));
            Await.until("a write waits", () -> peer.taken() == length || peer.isFull());

            end.way.accept(peer);

            Optional<Throwable> failure = Await.next("the end of the request", outcomes);
            assertThat(failure.isPresent()).as("cut at " + cut).isEqualTo(cut < length);
            assertNothingIsLeft(peer::isClosed);
            LocalPeer next = connectLocal();
            serve(next);
            next.end();
            assertNothingIsLeft(next::isClosed);
        }
    }

    /** {@return a request with two records of content, and so much in the second part of its answer} */
    private static byte[] request(Peer peer, int size) {
        return peer.postHead(1, "/" + size, FIRST.length() + SECOND.length())
                .stdin(1, FIRST)
                .stdin(1, SECOND)
                .endStdin(1)
                .take();
    }

    private void serve(Peer peer) throws Exception {
        peer.write(request(peer, SMALL));
        byte[] expected = (FIRST + SECOND).getBytes(StandardCharsets.ISO_8859_1);
        byte[] content = peer.readAnswer(1).assertStatus(200).content();
        assertThat(Arrays.copyOf(content, expected.length)).isEqualTo(expected);
        assertThat(Arrays.copyOfRange(content, expected.length, content.length)).isEqualTo(pattern(SMALL));
        assertThat(Await.next("the end of the request", outcomes)).isEmpty();
    }

    /** {@return each byte of the first ones, and those around the header of each record} */
    private static int[] cuts(List<WireRecord> records) {
        IntStream cuts = IntStream.rangeClosed(0, EACH_UP_TO);
        int offset = 0;
        for (WireRecord record : records) {
            cuts = IntStream.concat(cuts, IntStream.rangeClosed(offset - 1, offset + WireRecord.HEADER_LENGTH + 1));
            offset += WireRecord.HEADER_LENGTH + record.content().length;
        }
        int length = offset;
        return cuts.filter(cut -> cut >= 0 && cut <= length).distinct().toArray();
    }

    private void assertNothingIsLeft(BooleanSupplier isClosed) {
        Await.until("the connection is closed", isClosed);
        Await.until("no request runs", () -> factory.getRunningRequests() == 0);
        Await.until(() -> "all buffers are released, but:\n" + pool.dumpLeaks(), pool.getLeaks()::isEmpty);
        awaitIdleThreads();
        assertThat(outcomes).isEmpty();
    }

    /** {@return the application, which tells the test what each of its requests has ended with} */
    private Request.Handler reporting(Application application) {
        return (request, response, callback) -> {
            try {
                return application.handle(
                        request,
                        response,
                        Callback.from(
                                () -> {
                                    callback.succeeded();
                                    outcomes.add(Optional.empty());
                                },
                                failure -> {
                                    callback.failed(failure);
                                    outcomes.add(Optional.of(failure));
                                }));
            } catch (IOException x) {
                outcomes.add(Optional.of(x));
                throw x;
            }
        };
    }
}

package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.util.Blocker;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.IteratingNestedCallback;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A web server that reads slowly stops the application, not the heap. The other direction is in RequestContentTest. */
class BackPressureTest extends ConnectionTestBase {
    private static final int PART = 64 * 1024;
    private static final int PARTS = 400;

    /** More than sockets keep on both sides, and far less than all. */
    private static final int MUCH = 16_000_000;

    @ParameterizedTest
    @EnumSource(Transport.class)
    void writeIsNotCompletedBeforeItIsRead(Transport transport) throws Exception {
        AtomicBoolean completed = new AtomicBoolean();
        CountDownLatch written = new CountDownLatch(1);
        byte[] content = pattern(PARTS * PART);
        start(transport, (request, response, callback) -> {
            response.write(true, ByteBuffer.wrap(content), Callback.from(() -> completed.set(true), callback));
            written.countDown();
            return true;
        });
        SocketPeer peer = connect();

        peer.get(1, "/").send();
        Await.latch("the application writes", written);
        WireRecord first = peer.readRecord();

        assertThat(first.content()).hasSize(65_504);
        assertThat(completed).isFalse();
        assertThat(pool.getLeaks()).hasSizeLessThanOrEqualTo(1);
        int rest = content.length - (first.content().length - first.text().indexOf("\r\n\r\n") - 4);
        while (rest > 0) rest -= peer.readRecord().content().length;
        assertThat(rest).isZero();
        assertThat(peer.readRecord().content()).isEmpty();
        assertThat(peer.readRecord().type()).isEqualTo(Wire.END_REQUEST);
        Await.until("the write is completed", completed::get);
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void blockingApplicationStopsUntilTheWebServerReads(Transport transport) throws Exception {
        AtomicLong written = new AtomicLong();
        start(transport, (request, response, callback) -> {
            for (int i = 0; i < PARTS; i++) {
                try (Blocker.Callback blocker = Blocker.callback()) {
                    response.write(false, ByteBuffer.wrap(pattern(PART)), blocker);
                    blocker.block();
                }
                written.addAndGet(PART);
            }
            callback.succeeded();
            return true;
        });

        assertStopsAndGoesOn(written);
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void asynchronousApplicationStopsUntilTheWebServerReads(Transport transport) throws Exception {
        AtomicLong written = new AtomicLong();
        start(transport, (request, response, callback) -> {
            new IteratingNestedCallback(callback) {
                private int parts;

                @Override
                protected Action process() {
                    if (parts == PARTS) return Action.SUCCEEDED;
                    written.set((long) parts++ * PART);
                    response.write(false, ByteBuffer.wrap(pattern(PART)), this);
                    return Action.SCHEDULED;
                }
            }.iterate();
            return true;
        });

        assertStopsAndGoesOn(written);
    }

    private void assertStopsAndGoesOn(AtomicLong written) throws Exception {
        SocketPeer peer = connect();
        peer.get(1, "/").send();

        Await.untilSteady("the application stops", written::get);
        assertThat(written.get()).isLessThan(MUCH);
        assertThat(pool.getLeaks()).hasSizeLessThanOrEqualTo(2);

        byte[] content = peer.readAnswer(1).assertStatus(200).content();
        assertThat(content).hasSize(PARTS * PART);
        byte[] part = pattern(PART);
        for (int i = 0; i < content.length; i += 997) assertThat(content[i]).isEqualTo(part[i % PART]);
    }
}

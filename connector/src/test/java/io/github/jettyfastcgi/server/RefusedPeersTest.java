package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** How often refused peers are logged. */
class RefusedPeersTest {
    private final AddressSet allowed = AddressSet.parse("127.0.0.0/8,::1");
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5); // the clock may overflow
    private final RefusedPeers refused = new RefusedPeers(now::get);

    @Test
    void oneLineAMinuteTellsTheLastPeerAndHowManyThereWere() throws Exception {
        try (LogCapture log = new LogCapture()) {
            refuse("192.0.2.1");
            assertThat(log.lines(":WARN")).hasSize(1);
            assertThat(log.text())
                    .contains("Connections refused: 1, the last one from 192.0.2.1,"
                            + " which is not in jetty.fastcgi.tcp.allow=127.0.0.0/8,::1");

            for (int i = 0; i < 1000; i++) refuse("192.0.2.2");
            now.addAndGet(Duration.ofSeconds(59).toNanos());
            refuse("192.0.2.3");
            assertThat(log.lines(":WARN")).hasSize(1);

            now.addAndGet(Duration.ofSeconds(1).toNanos());
            refuse("2001:db8::1");
            assertThat(log.lines(":WARN")).hasSize(2);
            assertThat(log.text()).contains("Connections refused: 1002, the last one from 2001:db8:0:0:0:0:0:1,");
        }
    }

    private void refuse(String address) throws Exception {
        refused.refused(InetAddress.getByName(address), allowed);
    }
}

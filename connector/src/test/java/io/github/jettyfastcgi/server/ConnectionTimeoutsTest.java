package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.RejectedExecutionException;
import org.eclipse.jetty.io.ByteArrayEndPoint;
import org.junit.jupiter.api.Test;

class ConnectionTimeoutsTest {
    @Test
    void connectionEndsWithTheScheduler() {
        ByteArrayEndPoint endPoint = new ByteArrayEndPoint() {
            @Override
            public void setIdleTimeout(long idleTimeout) {
                if (idleTimeout == 1000) throw new RejectedExecutionException("stopped");
            }
        };
        FastCGIConnectionFactory factory = new FastCGIConnectionFactory(new FastCGIHttpConfiguration());
        factory.setContentTimeout(1000);

        new ConnectionTimeouts(factory, endPoint).adjust(ConnectionTimeouts.Wait.CONTENT);

        assertThat(endPoint.isOpen()).isFalse();
    }
}

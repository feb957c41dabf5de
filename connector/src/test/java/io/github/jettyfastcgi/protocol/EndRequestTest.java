package io.github.jettyfastcgi.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EndRequestTest {
    @ParameterizedTest
    @CsvSource(useHeadersInDisplayName = true, textBlock = """
            app status,  protocol status,  bytes
            0,           REQUEST_COMPLETE, 0000000000000000
            1,           REQUEST_COMPLETE, 0000000100000000
            0,           CANT_MPX_CONN,    0000000001000000
            0,           OVERLOADED,       0000000002000000
            0,           UNKNOWN_ROLE,     0000000003000000
            16909060,    OVERLOADED,       0102030402000000
            -1,          UNKNOWN_ROLE,     ffffffff03000000
            -2147483648, REQUEST_COMPLETE, 8000000000000000
            """)
    void writesGoldenBytes(int appStatus, ProtocolStatus protocolStatus, String bytes) {
        ByteBuffer buffer = ByteBuffer.allocate(EndRequest.LENGTH);

        new EndRequest(appStatus, protocolStatus).writeTo(buffer);

        assertThat(HexFormat.of().formatHex(buffer.array())).isEqualTo(bytes);
        assertThat(buffer.hasRemaining()).isFalse();
    }

    @Test
    void completeIsTheEndOfAServedRequest() {
        assertThat(EndRequest.COMPLETE).isEqualTo(new EndRequest(0, ProtocolStatus.REQUEST_COMPLETE));
    }
}

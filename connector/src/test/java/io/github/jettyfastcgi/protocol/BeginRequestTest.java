package io.github.jettyfastcgi.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BeginRequestTest {
    @ParameterizedTest
    @CsvSource(useHeadersInDisplayName = true, textBlock = """
            bytes,            role code, role,       keeps
            0001000000000000, 1,         RESPONDER,  false
            0001010000000000, 1,         RESPONDER,  true
            0002000000000000, 2,         AUTHORIZER, false
            0003010000000000, 3,         FILTER,     true
            # unknown flags
            0001fe0000000000, 1,         RESPONDER,  false
            0001ff0000000000, 1,         RESPONDER,  true
            # reserved bytes
            000101ffffffffff, 1,         RESPONDER,  true
            # unknown roles
            0000000000000000, 0,         ,           false
            0004000000000000, 4,         ,           false
            0100000000000000, 256,       ,           false
            8001010000000000, 32769,     ,           true
            ffff000000000000, 65535,     ,           false
            """)
    void readsRoleAndFlag(String bytes, int roleCode, Role role, boolean keeps) {
        ByteBuffer buffer = ByteBuffer.wrap(HexFormat.of().parseHex(bytes + "aa"));

        BeginRequest begin = BeginRequest.readFrom(buffer);

        assertThat(begin.roleCode()).isEqualTo(roleCode);
        assertThat(begin.role()).isEqualTo(role);
        assertThat(begin.keepConnection()).isEqualTo(keeps);
        assertThat(buffer.position()).isEqualTo(BeginRequest.LENGTH);
    }
}

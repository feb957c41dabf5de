package io.github.jettyfastcgi.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.jettyfastcgi.server.ConfigurationException;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AllowedClientsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''                            | 127.0.0.1      | true
            ''                            | 127.8.8.8      | true
            ''                            | ::1            | true
            ''                            | 10.0.0.1       | false
            ''                            | ::ffff:10.0.0.1| false
            10.0.0.1                      | 127.0.0.1      | true
            10.0.0.1                      | 10.0.0.1       | true
            10.0.0.1                      | 10.0.0.2       | false
            10.0.0.0/8, 192.168.1.1       | 10.200.1.1     | true
            10.0.0.0/8, 192.168.1.1       | 192.168.1.1    | true
            10.0.0.0/8, 192.168.1.1       | 192.168.1.2    | false
            10.0.0.1-10.0.0.9             | 10.0.0.9       | true
            10.0.0.1-10.0.0.9             | 10.0.0.10      | false
            2001:db8::/32                 | 2001:db8::5    | true
            2001:db8::/32                 | 2001:db9::5    | false
            """)
    void areThoseOfThisMachineAndThoseNamed(String allowed, String client, boolean isAllowed) throws Exception {
        assertThat(new AllowedClients(allowed).contains(InetAddress.getByName(client)))
                .isEqualTo(isAllowed);
    }

    @Test
    void nobodyIsNotAllowed() {
        assertThat(new AllowedClients("0.0.0.0/0").contains(null)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "www.example.com", "10.0.0.0/99", "10.0.0.x", "all", "10.0.0.1;10.0.0.2"})
    void othersEndTheStart(String allowed) {
        assertThatThrownBy(() -> new AllowedClients("10.0.0.1," + allowed))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith("jetty.fastcgi.status.allow: '" + allowed + "' (expected: ");
    }
}

package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which addresses a setting has, and which settings are none. */
class AddressSetTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "127.0.0.1 127.0.0.1 127.0.0.2",
                "127.0.0.0/8 127.255.255.255 128.0.0.0",
                "10.1.2.0/23 10.1.3.255 10.1.4.0",
                "192.0.2.1/32 192.0.2.1 192.0.2.2",
                "10.0.0.5-10.0.1.5 10.0.0.255 10.0.1.6",
                "0.0.0.0/0 203.0.113.9 ::1",
                "::1 ::1 ::2",
                "[::1] ::1 127.0.0.1",
                "2001:db8::/32 2001:db8:ffff::1 2001:db9::1",
                "2001:DB8::/32 2001:db8::1 2001:dba::1",
                "2001:db8::1-2001:db8::ff 2001:db8::80 2001:db8::100",
                "[2001:db8::1]-[2001:db8::ff] 2001:db8::80 2001:db8::100",
                "::/0 2001:db8::1 203.0.113.9",
                "::ffff:127.0.0.1 127.0.0.1 127.0.0.2",
                "::1,10.0.0.0/8,127.0.0.1 10.9.8.7 192.0.2.1",
                "127.0.0.1,127.0.0.1 127.0.0.1 127.0.0.2",
            })
    void hasItsNetworksAndNoOther(String setting, String inside, String outside) throws Exception {
        AddressSet addresses = AddressSet.parse(setting);

        assertThat(addresses.contains(InetAddress.getByName(inside))).isTrue();
        assertThat(addresses.contains(InetAddress.getByName(outside))).isFalse();
        assertThat(addresses).hasToString(setting);
    }

    @Test
    void blanksAroundAddressesMeanNothing() throws Exception {
        AddressSet addresses = AddressSet.parse(" ::1 , 10.0.0.1 - 10.0.0.3 ");

        assertThat(addresses.contains(InetAddress.getByName("::1"))).isTrue();
        assertThat(addresses.contains(InetAddress.getByName("10.0.0.2"))).isTrue();
        assertThat(addresses.contains(InetAddress.getByName("10.0.0.4"))).isFalse();
    }

    @Test
    void ipv4AddressMappedIntoIPv6IsTheIPv4Address() throws Exception {
        InetAddress mapped = InetAddress.getByAddress(HexFormat.of().parseHex("00000000000000000000ffff7f000001"));

        assertThat(AddressSet.parse("127.0.0.0/8").contains(mapped)).isTrue();
        assertThat(AddressSet.parse("::/0").contains(mapped)).isFalse();
    }

    @Test
    void noAddressIsInNone() throws Exception {
        assertThat(AddressSet.parse("0.0.0.0/0,::/0").contains(null)).isFalse();
        assertThat(AddressSet.NONE.contains(InetAddress.getByName("127.0.0.1"))).isFalse();
    }

    /** Names among them, and what Jetty's patterns take for a name before they take it for something else. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "www.example.com",
                "cafe",
                "cafe.de/8",
                "10",
                "10.0.0",
                "10.10.10-14.0-128",
                "10.0.0.1-20",
                "a-b",
                "127.0.0.256",
                "999.1.1.1",
                "10.0.0.0/33",
                "10.0.0.1/8",
                "10.0.0.0/-1",
                "10.0.0.0/",
                "10.0.0.0/8/8",
                "10.0.0.9-10.0.0.1",
                "10.0.0.1-::1",
                "::1::",
                "::/129",
                ":",
                "[::1",
                "fe80::1%eth0",
                "*",
                "127.0.0.1,",
                ",",
                "127.0.0.1;::1",
                "127.0.0.1 ::1",
            })
    void anythingElseIsTold(String setting) {
        assertThatThrownBy(() -> AddressSet.parse(setting))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith(
                        "' (expected: addresses and networks separated by commas, such as 10.0.0.0/8,::1)");
    }
}

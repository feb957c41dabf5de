package io.github.jettyfastcgi.cgi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.eclipse.jetty.http.HttpCompliance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressesTest {
    private static final String[] NO_ADDRESSES = {
        "unix:",
        "unix:/run/x.sock",
        "localhost",
        "www.example.com",
        "999.1.1.1",
        "1.2.3.256",
        "1.2.3",
        "1.2.3.4.5",
        "1",
        "1.2.3.4:80",
        "1.2.3.4 ",
        " 1.2.3.4",
        "-",
        ".",
        ":",
        "::g",
        "a:b",
        "1:2",
        "1::2::3",
        "12345::1",
        "[::1]",
        "::1%lo",
        "fe80::1%1",
        ".:1",
        ".1:2",
        "..::1",
        ".::1.2.3.4",
        ":.",
        "::1.2.3",
        "0x7f.1.1.1",
        "\u0661.2.3.4"
    };

    static List<String> noAddresses() {
        return Arrays.asList(NO_ADDRESSES);
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 192.0.2.1",
        "0.0.0.0, 0.0.0.0",
        "255.255.255.255, 255.255.255.255",
        "127.0.0.1, 127.0.0.1",
        "::1, 0:0:0:0:0:0:0:1",
        "::, 0:0:0:0:0:0:0:0",
        "2001:db8::ff00:42:8329, 2001:db8:0:0:0:ff00:42:8329",
        "2001:DB8::1, 2001:db8:0:0:0:0:0:1",
        "::ffff:192.0.2.1, 192.0.2.1"
    })
    void digitsAreAnAddressWhoseNameIsItsWriting(String host, String address) {
        InetSocketAddress made = Addresses.of(host, "40000", null);

        assertThat(made.isUnresolved()).isFalse();
        assertThat(made.getAddress().getHostAddress()).isEqualTo(address);
        assertThat(made.getHostString()).isEqualTo(host);
        assertThat(made.getHostName()).isEqualTo(host);
        assertThat(made.getPort()).isEqualTo(40_000);
    }

    @ParameterizedTest
    @MethodSource("noAddresses")
    void anythingElseStaysUnresolved(String host) {
        InetSocketAddress made = Addresses.of(host, "40000", null);

        assertThat(made.isUnresolved()).isTrue();
        assertThat(made.getHostString()).isEqualTo(host);
        assertThat(made.getPort()).isEqualTo(40_000);
    }

    /** In a JVM whose name service knows everything, nothing is found: nobody asked. */
    @Test
    void nameServiceIsNeverAsked(@TempDir Path directory) throws IOException, InterruptedException {
        List<String> names = new ArrayList<>(noAddresses());
        names.removeIf(name -> name.contains(" ")); // a hosts file can't name it
        Path hosts =
                Files.writeString(directory.resolve("hosts"), "203.0.113.9 known.example " + String.join(" ", names));

        List<String> lines = ChildJvm.run(Lookups.class, List.of("-Djdk.net.hosts.file=" + hosts), names);

        assertThat(lines).startsWith("known.example/203.0.113.9").hasSize(1 + names.size());
        assertThat(lines.subList(1, lines.size()))
                .allSatisfy(line -> assertThat(line).endsWith("/<unresolved>:0"));
    }

    @Test
    void knownAddressIsTakenAsItIs() throws IOException {
        InetAddress known = InetAddress.getByAddress("192.0.2.1", new byte[] {(byte) 192, 0, 2, 1});

        InetSocketAddress made = Addresses.of("192.0.2.1", "2", known);

        assertThat(made.getAddress()).isSameAs(known);
        assertThat(made.getPort()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "80, 80", "00080, 80", "65535, 65535"})
    void portIsRead(String port, int number) {
        assertThat(Addresses.port(port, 17)).isEqualTo(number);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "65536", "99999", "000080", "-1", "+1", " 1", "1 ", "0x1", "http", "1.0", "\u0661", "\0"})
    void whatIsNoPortIsTheOtherAnswer(String port) {
        assertThat(Addresses.port(port, 17)).isEqualTo(17);
        assertThat(Addresses.of("192.0.2.1", port, null).getPort()).isZero();
    }

    @Test
    void missingPortIsTheOtherAnswer() {
        assertThat(Addresses.port(null, 17)).isEqualTo(17);
        assertThat(Addresses.of("192.0.2.1", null, null).getPort()).isZero();
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", textBlock = """
            # REMOTE_ADDR, REMOTE_PORT, SERVER_ADDR, SERVER_PORT, client,          local
            192.0.2.1,     40000,       192.0.2.2,   443,         192.0.2.1:40000, 192.0.2.2:443
            2001:db8::1,   40000,       ::1,         80,          2001:db8::1:40000, ::1:80
            unix:,         '',          unix:/run/x, 0,           unix::0,         unix:/run/x:0
            192.0.2.1,     -,           192.0.2.2,   -,           192.0.2.1:0,     192.0.2.2:0
            192.0.2.1,     70000,       192.0.2.2,   x,           192.0.2.1:0,     192.0.2.2:0
            -,             40000,       -,           80,          unknown,         unknown
            '',            40000,       '',          80,          unknown,         unknown
            999.1.1.1,     1,           name,        2,           999.1.1.1:1,     name:2
            """)
    void requestTellsBothEnds(
            String remote, String remotePort, String server, String serverPort, String client, String local) {
        String[] namesAndValues = {
            "REMOTE_ADDR", remote, "REMOTE_PORT", remotePort, "SERVER_ADDR", server, "SERVER_PORT", serverPort
        };
        List<String> present = new ArrayList<>(List.of("REQUEST_METHOD", "GET", "REQUEST_URI", "/", "HTTP_HOST", "h"));
        for (int i = 0; i < namesAndValues.length; i += 2)
            if (namesAndValues[i + 1] != null) present.addAll(List.of(namesAndValues[i], namesAndValues[i + 1]));

        CGIRequest request = new RequestMapper(PathSource.REQUEST_URI, HttpCompliance.RFC9110, null)
                .map(0, Variables.of(present.toArray(String[]::new)), new VariableCache());

        assertThat(RequestText.of(request))
                .isEqualTo("GET http://h/ HTTP/1.1\nclient " + client + " local " + local + "\nHost: h");
    }

    /** Prints what a name service knows of one name, then what becomes of the names given. */
    static final class Lookups {
        private Lookups() {}

        public static void main(String[] names) throws IOException {
            System.out.println(InetAddress.getByName("known.example"));
            for (String name : names) System.out.println(Addresses.of(name, null, null));
        }
    }
}

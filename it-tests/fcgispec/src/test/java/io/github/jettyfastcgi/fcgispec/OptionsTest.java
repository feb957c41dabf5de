package io.github.jettyfastcgi.fcgispec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionsTest {
    @Test
    void takesAddressesOfBothKinds() {
        assertThat(Options.parse("unix:/run/app.sock").address().socket())
                .isEqualTo(UnixDomainSocketAddress.of("/run/app.sock"));
        assertThat(Options.parse("tcp:127.0.0.1:9000").address().socket())
                .isEqualTo(new InetSocketAddress("127.0.0.1", 9000));
        assertThat(Options.parse("tcp:[::1]:9000").address().socket()).isEqualTo(new InetSocketAddress("::1", 9000));
    }

    @Test
    void takesAllOptions() {
        Options options = Options.parse(
                "--script-filename=/srv/fcgispec.php",
                "unix:app.sock",
                "--request-uri=/app",
                "--param",
                "A=1=2",
                "--param=B=",
                "--junit=report.xml",
                "--timeout=500",
                "--fail-on=must");

        assertThat(options.path()).isEqualTo("/app");
        assertThat(options.variables()).isEqualTo(Map.of("SCRIPT_FILENAME", "/srv/fcgispec.php", "A", "1=2", "B", ""));
        assertThat(options.junit()).isEqualTo(Path.of("report.xml"));
        assertThat(options.timeout()).isEqualTo(Duration.ofMillis(500));
        assertThat(options.failOn()).isEqualTo(Level.MUST);
    }

    @Test
    void selectsCasesByPattern() {
        Options options = Options.parse("--list", "--only=request-plain,*-id-*");

        assertThat(Suite.cases().stream().filter(options::selects))
                .extracting(Case::id)
                .contains("request-plain", "request-id-largest", "request-id-changes")
                .doesNotContain("request-plain-other", "request-keep", "stdin-content");
    }

    @ParameterizedTest
    @CsvSource({
        "app.sock, 'no address, unix:PATH or tcp:HOST:PORT: app.sock'",
        "tcp:9000, 'no address, unix:PATH or tcp:HOST:PORT: tcp:9000'",
        "tcp:localhost:http, no port: tcp:localhost:http",
        "tcp:localhost:65536, no port: tcp:localhost:65536",
        "--unknown, unknown option: --unknown",
        "--param=A, --param has no NAME=VALUE: A",
        "--timeout=0, --timeout is no number of milliseconds: 0",
        "--fail-on=may-be, '--fail-on is none of must, should, practice, may: may-be'",
        "--junit=x, no address of an application"
    })
    void namesWhatIsWrong(String argument, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Options.parse(argument))
                .withMessage(message);
    }
}

package io.github.jettyfastcgi.cgi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.jettyfastcgi.server.LogCapture;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.util.HostPort;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is taken is what Jetty's HostPort takes, and what isn't leaves no line in the log. */
class AuthorityTest {
    private static final RequestMapper MAPPER = new RequestMapper(PathSource.REQUEST_URI, HttpCompliance.RFC9110, null);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "www.example.com",
                "www.example.com:80",
                "example:65535",
                "192.0.2.1",
                "192.0.2.1:8080",
                "[::1]",
                "[2001:db8::1]:443",
                "2001:db8::1",
                "_",
                "a%20b!$&'()*+,;=~",
                "*.example.com"
            })
    void valid(String authority) {
        assertThat(Authority.isValid(authority)).isTrue();
        assertThat(new HostPort(authority).toString()).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " ",
                ":",
                ":80",
                "a:",
                "a:0",
                "a:65536",
                "a:-1",
                "a:b",
                "a b",
                "a%2",
                "~^(?<name>.+)$",
                "ex\u00e4mple",
                "[",
                "[]",
                "[::1",
                "[::1]x",
                "[::1]:",
                "[::1]:x",
                "[www.example.com]",
                "[192.0.2.1]",
                "a:b:c",
                "user@host:80"
            })
    void invalid(String authority) {
        LogCapture log = new LogCapture();
        try {
            assertThat(Authority.isValid(authority)).isFalse();
            assertThat(log.text()).isEmpty();
            assertThatThrownBy(() -> new HostPort(authority)).isInstanceOf(IllegalArgumentException.class);
        } finally {
            log.close();
        }
    }

    @ParameterizedTest
    @CsvSource({"HTTP_HOST,GET,/,400", "SERVER_NAME,GET,/,GET", "SCRIPT_NAME,CONNECT,a:b,400"})
    void nothingIsLoggedOfARequestThatHasSuch(String variable, String method, String target, String beginning) {
        LogCapture log = new LogCapture();
        try {
            CGIRequest request = MAPPER.map(
                    0,
                    Variables.of("REQUEST_METHOD", method, "REQUEST_URI", target, "SERVER_PORT", "80", variable, "a:b"),
                    new VariableCache());

            assertThat(RequestText.of(request)).startsWith(beginning);
            assertThat(log.text()).isEmpty();
        } finally {
            log.close();
        }
    }

    /** What a Host may be is relaxed then, what a field may be is not. */
    @ParameterizedTest
    @ValueSource(strings = {"a\r\nb", "a\0b", "a\nb:80"})
    void controlsAreNoHostInAnyCompliance(String host) {
        RequestMapper mapper = new RequestMapper(PathSource.REQUEST_URI, HttpCompliance.LEGACY, null);

        CGIRequest request = mapper.map(
                0, Variables.of("REQUEST_METHOD", "GET", "REQUEST_URI", "/", "HTTP_HOST", host), new VariableCache());

        assertThat(RequestText.of(request)).isEqualTo("400");
    }
}

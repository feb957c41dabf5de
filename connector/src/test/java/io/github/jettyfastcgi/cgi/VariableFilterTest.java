package io.github.jettyfastcgi.cgi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VariableFilterTest {
    @Test
    void matchesNamesAndPrefixes() {
        VariableFilter filter = VariableFilter.parse("MY_VAR, GEOIP_* ,x.y");

        assertThat(filter.matching(List.of("MY_VAR", "MY_VARS", "my_var", "GEOIP_", "GEOIP_CITY", "GEOIP", "x.y")))
                .containsExactly("MY_VAR", "GEOIP_", "GEOIP_CITY", "x.y");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " "})
    void emptyMatchesNothing(String patterns) {
        assertThat(VariableFilter.parse(patterns).matches("")).isFalse();
        assertThat(VariableFilter.parse(patterns).matches("MY_VAR")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jakarta.servlet.request.X509Certificate",
                "javax.servlet.include.path_info",
                "org.eclipse.jetty.io.Endpoint.SslSessionData",
                "org.eclipse.jetty.server.Request$AuthenticationState",
                "io.github.jettyfastcgi.variables",
                "HTTP_X",
                "PATH",
                "REMOTE_PASSWD"
            })
    void wildcardNeverMatchesWhatTheContainerKnowsOrWhatIsHidden(String name) {
        VariableFilter filter = VariableFilter.parse("*,j*,o*,i*,H*,P*,R*");

        assertThat(filter.matches(name)).isFalse();
        assertThat(filter.matches("ANY")).isTrue();
    }

    @Test
    void wildcardBehindWhatIsHiddenMatchesOthers() {
        VariableFilter filter = VariableFilter.parse("PATH*");

        assertThat(filter.matching(List.of("PATH", "PATH_TRANSLATED"))).containsExactly("PATH_TRANSLATED");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ",",
                "A,",
                ",A",
                "A,,B",
                "A*B",
                "**",
                "*A",
                "A B",
                "A=B",
                "A\tB",
                "\u00e4",
                "jakarta.servlet.forward.request_uri",
                "jakarta.servlet.*",
                "javax.servlet.x",
                "org.eclipse.jetty.*",
                "io.github.jettyfastcgi.x",
                "HTTP_X",
                "HTTP_*",
                "PATH",
                "SERVER_SIGNATURE"
            })
    void refusesWhatIsNoPatternOrNeverMatches(String patterns) {
        assertThatThrownBy(() -> VariableFilter.parse(patterns)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void saysWhichPatternIsBad() {
        assertThatThrownBy(() -> VariableFilter.parse("A, B*C"))
                .hasMessage("'B*C' (expected: a name, or a name and * at its end)");
        assertThatThrownBy(() -> VariableFilter.parse("A, HTTP_X"))
                .hasMessage("'HTTP_X' (a variable of that name is never an attribute)");
    }
}

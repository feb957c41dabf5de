package io.github.jettyfastcgi.cgi;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VariableNameTest {
    @ParameterizedTest
    @ValueSource(strings = {"REQUEST_METHOD", "HTTP_HOST", "HTTP_ACCEPT_ENCODING", "HTTP_PROXY", "DOCUMENT_ROOT"})
    void knownNameIsMadeOnce(String name) {
        assertThat(of(name)).isSameAs(of(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP_X_UNKNOWN", "http_host", "HTTP_HOSTS", "HTTP_HOS", "OTHER", ""})
    void otherNameIsKeptNowhere(String name) {
        assertThat(of(name)).isNotSameAs(of(name));
    }

    @Test
    void nameTellsWhatTheVariableIs() {
        assertThat(of("REQUEST_METHOD").variable).isEqualTo(Variable.REQUEST_METHOD);
        assertThat(of("DOCUMENT_ROOT").variable).isEqualTo(Variable.OTHER);
        assertThat(of("HTTP_COOKIE").header).isEqualTo(HttpHeader.COOKIE);
        assertThat(of("HTTP_COOKIE").fieldName).isEqualTo("Cookie");
        assertThat(of("HTTP_X_UNKNOWN").fieldName).isEqualTo("X-Unknown");
    }

    /** {@return the name, found among other bytes} */
    private static VariableName of(String name) {
        byte[] bytes = ("x" + name + "y").getBytes(StandardCharsets.ISO_8859_1);
        VariableName found = VariableName.of(bytes, 1, name.length(), VariableName.hash(bytes, 1, name.length()));
        assertThat(found.is(bytes, 1, name.length())).isTrue();
        return found;
    }
}

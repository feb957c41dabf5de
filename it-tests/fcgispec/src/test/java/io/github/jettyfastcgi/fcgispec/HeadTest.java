package io.github.jettyfastcgi.fcgispec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeadTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"Status: 404 Not Found\r\nA: b\r\n\r\nbody\r\n\r\n", "Status: 404 Not Found\nA: b\n\nbody\n\n"})
    void endsAtTheFirstBlankLine(String response) {
        Head head = parse(response);

        assertThat(head.status()).isEqualTo(404);
        assertThat(head.fields()).extracting(Head.Field::name).containsExactly("Status", "A");
        assertThat(response.substring(Head.length(response.getBytes(ISO_8859_1))))
                .startsWith("body");
    }

    @ParameterizedTest
    @CsvSource({"Content-Type: text/plain, 200", "Location: /, 302", "Status: 204, 204", "status:200 OK, 200"})
    void tellsTheStatusWithItsDefaults(String field, int status) {
        assertThat(parse(field + "\n\n").status()).isEqualTo(status);
    }

    @Test
    void tellsLinesThatAreNoFields() {
        assertThat(parse("HTTP/1.1 200 OK\nA : b\n folded\n\n").fields())
                .extracting(Head.Field::name)
                .containsOnly("");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Status: abc", "Status: 20", "Status: 2000", "Status: 200OK"})
    void refusesOtherStatuses(String field) {
        assertThatExceptionOfType(Unmet.class)
                .isThrownBy(() -> parse(field + "\n\n").status())
                .withMessage(field);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "A: b", "A: b\n", "A: b\r\n\r"})
    void needsABlankLine(String response) {
        assertThatExceptionOfType(Unmet.class).isThrownBy(() -> parse(response));
    }

    private static Head parse(String response) {
        return Head.parse(response.getBytes(ISO_8859_1), "context");
    }
}

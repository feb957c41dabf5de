package io.github.jettyfastcgi.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParameterServletTest {

    @ParameterizedTest
    @ValueSource(strings = {"1", "7", "10"})
    void takesNumbersInRange(String text) throws BadParameterException {
        assertThat(ParameterServlet.parse("n", text, 1, 10)).isEqualTo(Long.parseLong(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "11", "-1", "x", "1.5", " 1", "9223372036854775808"})
    void saysWhatItExpectedInsteadOfOthers(String text) {
        assertThatThrownBy(() -> ParameterServlet.parse("n", text, 1, 10))
                .isInstanceOf(BadParameterException.class)
                .hasMessage("n is \"" + text + "\" (expected: a number from 1 to 10)");
    }
}

package io.github.jettyfastcgi.sample;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatusServletTest {

    @ParameterizedTest
    @CsvSource({
        "200, true",
        "204, false",
        "205, false",
        "206, true",
        "302, true",
        "304, false",
        "404, true",
        "599, true"
    })
    void knowsWhichStatusAllowsContent(int code, boolean allowed) {
        assertThat(StatusServlet.allowsContent(code)).isEqualTo(allowed);
    }
}

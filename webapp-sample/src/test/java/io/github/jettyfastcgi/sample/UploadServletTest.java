package io.github.jettyfastcgi.sample;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UploadServletTest {

    /** The examples that NIST publishes for SHA-256, the last of them a million letters. */
    @ParameterizedTest
    @CsvSource({
        "'', 1, e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "abc, 1, ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "a, 1000000, cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
    })
    void digestsContentOfAnyLength(String text, int times, String sha256) throws IOException {
        ByteArrayInputStream content =
                new ByteArrayInputStream(text.repeat(times).getBytes(US_ASCII));

        assertThat(UploadServlet.sha256(content)).isEqualTo(sha256);
    }
}

package io.github.jettyfastcgi.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PatternTest {

    @ParameterizedTest
    @CsvSource({"0, 1", "0, 8192", "250, 2", "251, 251", "8192, 8192", "9223372036854775000, 807"})
    void everyByteIsItsPositionModulo251(long position, int length) {
        Pattern pattern = new Pattern(length);

        byte[] piece = Arrays.copyOfRange(pattern.array(), pattern.offset(position), pattern.offset(position) + length);

        assertThat(pattern.offset(position) + length).isLessThanOrEqualTo(pattern.array().length);
        for (int i = 0; i < length; i++) {
            assertThat(Byte.toUnsignedLong(piece[i])).isEqualTo((position + i) % 251);
        }
    }
}

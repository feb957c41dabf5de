package io.github.jettyfastcgi.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordHeaderTest {
    private static final String GOLDEN_BYTES = """
            type, id,    content, padding, bytes
            1,    1,     8,       0,       0101000100080000
            4,    1,     449,     7,       0104000101c10700
            5,    256,   256,     0,       0105010001000000
            5,    255,   255,     1,       010500ff00ff0100
            6,    32767, 32767,   127,     01067fff7fff7f00
            6,    32768, 32768,   128,     0106800080008000
            9,    0,     32,      0,       0109000000200000
            255,  65535, 65535,   255,     01ffffffffffff00
            0,    0,     0,       0,       0100000000000000
            """;

    @ParameterizedTest
    @CsvSource(textBlock = GOLDEN_BYTES, useHeadersInDisplayName = true)
    void readsAllFieldsAsUnsigned(int type, int id, int content, int padding, String bytes) throws FastCGIException {
        ByteBuffer buffer = ByteBuffer.wrap(HexFormat.of().parseHex(bytes + "aa"));

        RecordHeader header = RecordHeader.readFrom(buffer);

        assertThat(header).isEqualTo(new RecordHeader(type, id, content, padding));
        assertThat(buffer.position()).isEqualTo(RecordHeader.LENGTH);
    }

    @ParameterizedTest
    @CsvSource(textBlock = GOLDEN_BYTES, useHeadersInDisplayName = true)
    void writesGoldenBytes(int type, int id, int content, int padding, String bytes) {
        ByteBuffer buffer = ByteBuffer.allocate(RecordHeader.LENGTH);

        new RecordHeader(type, id, content, padding).writeTo(buffer);

        assertThat(HexFormat.of().formatHex(buffer.array())).isEqualTo(bytes);
        assertThat(buffer.hasRemaining()).isFalse();
    }

    @Test
    void ignoresTheReservedByte() throws FastCGIException {
        ByteBuffer buffer = ByteBuffer.wrap(HexFormat.of().parseHex("01040001000203ff"));

        assertThat(RecordHeader.readFrom(buffer)).isEqualTo(new RecordHeader(4, 1, 2, 3));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 'G', 0x16, 127, 128, 255})
    void refusesAnyOtherVersion(int version) {
        byte[] bytes = {(byte) version, 1, 0, 1, 0, 8, 0, 0};

        assertThatThrownBy(() -> RecordHeader.readFrom(ByteBuffer.wrap(bytes)))
                .isInstanceOf(FastCGIException.class)
                .hasMessage("version " + version + " (expected: 1)")
                .extracting("reason")
                .isEqualTo(FastCGIException.Reason.UNSUPPORTED_VERSION);
    }

    @Test
    void failureOfThePeerHasNoStackTrace() {
        FastCGIException failure = new FastCGIException(FastCGIException.Reason.UNEXPECTED_RECORD, "why");

        assertThat(failure).hasMessage("why");
        assertThat(failure.reason()).isEqualTo(FastCGIException.Reason.UNEXPECTED_RECORD);
        assertThat(failure)
                .extracting(Throwable::getStackTrace, InstanceOfAssertFactories.ARRAY)
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0, true", "1, false", "256, false", "65535, false"})
    void managementHasIdZero(int id, boolean isManagement) {
        assertThat(new RecordHeader(9, id, 0, 0).isManagement()).isEqualTo(isManagement);
    }

    @Test
    void knowsItsType() {
        assertThat(new RecordHeader(5, 1, 0, 0).type()).isEqualTo(RecordType.STDIN);
        assertThat(new RecordHeader(77, 1, 0, 0).type()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"5, 1, 8192, '1 STDIN 8192'", "9, 0, 32, '0 GET_VALUES 32'", "77, 3, 0, '3 type 77 0'"})
    void printsIdTypeAndContentLength(int type, int id, int content, String line) {
        assertThat(new RecordHeader(type, id, content, 5)).hasToString(line);
    }
}

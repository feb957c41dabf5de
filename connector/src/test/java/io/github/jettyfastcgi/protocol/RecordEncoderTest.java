package io.github.jettyfastcgi.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordEncoderTest {
    private static final EndRequest UNKNOWN_ROLE = new EndRequest(0, ProtocolStatus.UNKNOWN_ROLE);

    @ParameterizedTest
    @CsvSource({
        "STDOUT, 1, 65528, 01060001fff80000",
        "STDERR, 258, 513, 0107010202010000",
        "END_REQUEST, 65535, 8, 0103ffff00080000"
    })
    void headerIsNeverPadded(RecordType type, int id, int contentLength, String bytes) {
        ByteBuffer buffer = ByteBuffer.allocate(RecordHeader.LENGTH);

        RecordEncoder.putHeader(buffer, type, id, contentLength);

        assertThat(hex(buffer.flip())).isEqualTo(bytes);
    }

    @Test
    void longestContentKeepsReadsAligned() {
        assertThat(RecordEncoder.MAX_STDOUT_CONTENT).isEqualTo(65_535 / 8 * 8);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 0, REQUEST_COMPLETE, 0106000100000000 0103000100080000 0000000000000000",
        "259, 0, OVERLOADED, 0106010300000000 0103010300080000 0000000002000000",
        "65535, 258, CANT_MPX_CONN, 0106ffff00000000 0103ffff00080000 0000010201000000"
    })
    void endIsEmptyStdoutThenEndRequest(int id, int appStatus, ProtocolStatus status, String bytes) {
        ByteBuffer buffer = ByteBuffer.allocate(RecordEncoder.END_LENGTH);

        RecordEncoder.putEnd(buffer, id, new EndRequest(appStatus, status));

        assertThat(buffer.hasRemaining()).isFalse();
        assertThat(hex(buffer.flip())).isEqualTo(bytes.replace(" ", ""));
    }

    @Test
    void smallResponseIsStdoutAndItsEnd() {
        byte[] content = "Status: 501\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

        ByteBuffer response = RecordEncoder.response(3, content, UNKNOWN_ROLE);

        assertThat(hex(response))
                .isEqualTo("01060003000f0000" + "5374617475733a203530310d0a0d0a" + "0106000300000000"
                        + "0103000300080000" + "0000000003000000");
    }

    @Test
    void stderrIsOneRecordAndTheEmptyOneThatEndsTheStream() {
        ByteBuffer stderr = RecordEncoder.stderr(258, "no".getBytes(StandardCharsets.US_ASCII));

        assertThat(hex(stderr)).isEqualTo("0107010200020000" + "6e6f" + "0107010200000000");
    }

    @Test
    void responseTakesTheMostContentOfOneRecord() {
        byte[] content = new byte[RecordEncoder.MAX_STDOUT_CONTENT];

        ByteBuffer response = RecordEncoder.response(1, content, EndRequest.COMPLETE);

        assertThat(RecordEncoder.MAX_STDOUT_CONTENT).isEqualTo(65_528).isLessThan(RecordHeader.MAX_CONTENT_LENGTH);
        assertThat(response.remaining()).isEqualTo(8 + 65_528 + 24);
        assertThat(hex(response).substring(0, 16)).isEqualTo("01060001fff80000");
    }

    @Test
    void bareEndRequestIsOneRecord() {
        ByteBuffer end = RecordEncoder.endRequest(5, UNKNOWN_ROLE);

        assertThat(hex(end)).isEqualTo("0103000500080000" + "0000000003000000");
    }

    @Test
    void getValuesResultHasTheValuesInOrder() {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("FCGI_MAX_CONNS", "100");
        values.put("FCGI_MPXS_CONNS", "0");

        ByteBuffer result = RecordEncoder.getValuesResult(values);

        assertThat(hex(result))
                .isEqualTo("010a000000250000"
                        + "0e03" + "464347495f4d41585f434f4e4e53" + "313030"
                        + "0f01" + "464347495f4d5058535f434f4e4e53" + "30");
    }

    @Test
    void getValuesResultMayBeEmpty() {
        assertThat(hex(RecordEncoder.getValuesResult(Map.of()))).isEqualTo("010a000000000000");
    }

    @Test
    void getValuesResultHasLongNames() {
        ByteBuffer result = RecordEncoder.getValuesResult(Map.of("N".repeat(128), "V".repeat(300)));

        assertThat(hex(result))
                .isEqualTo("010a000001b40000" + "80000080" + "8000012c" + "4e".repeat(128) + "56".repeat(300));
    }

    @ParameterizedTest
    @CsvSource({"12, 0c", "127, 7f", "128, 80", "255, ff", "0, 00"})
    void unknownTypeNamesTheType(int typeCode, String hex) {
        assertThat(hex(RecordEncoder.unknownType(typeCode))).isEqualTo("010b000000080000" + hex + "00000000000000");
    }

    private static String hex(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}

package io.github.jettyfastcgi.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@link RecordType}, {@link Role} and {@link ProtocolStatus} against the tables of the specification.
 */
class WireCodesTest {
    @ParameterizedTest
    @CsvSource({
        "BEGIN_REQUEST, 1",
        "ABORT_REQUEST, 2",
        "END_REQUEST, 3",
        "PARAMS, 4",
        "STDIN, 5",
        "STDOUT, 6",
        "STDERR, 7",
        "DATA, 8",
        "GET_VALUES, 9",
        "GET_VALUES_RESULT, 10",
        "UNKNOWN_TYPE, 11"
    })
    void recordTypeHasItsCode(RecordType type, int code) {
        assertThat(type.code()).isEqualTo(code);
        assertThat(RecordType.of(code)).isSameAs(type);
    }

    @ParameterizedTest
    @EnumSource
    void everyRecordTypeIsFoundByItsCode(RecordType type) {
        assertThat(RecordType.of(type.code())).isSameAs(type);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 12, 127, 128, 255})
    void otherCodesAreNoRecordType(int code) {
        assertThat(RecordType.of(code)).isNull();
    }

    @ParameterizedTest
    @CsvSource({"RESPONDER, 1", "AUTHORIZER, 2", "FILTER, 3"})
    void roleHasItsCode(Role role, int code) {
        assertThat(role.code()).isEqualTo(code);
        assertThat(Role.of(code)).isSameAs(role);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4, 255, 256, 32_768, 65_535})
    void otherCodesAreNoRole(int code) {
        assertThat(Role.of(code)).isNull();
    }

    @ParameterizedTest
    @CsvSource({"REQUEST_COMPLETE, 0", "CANT_MPX_CONN, 1", "OVERLOADED, 2", "UNKNOWN_ROLE, 3"})
    void protocolStatusHasItsCode(ProtocolStatus status, int code) {
        assertThat(status.code()).isEqualTo(code);
    }
}

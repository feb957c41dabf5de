package io.github.jettyfastcgi.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonTest {

    @Test
    void writesValuesInOrder() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("text", "a");
        object.put("number", -1L);
        object.put("flag", true);
        object.put("none", null);
        object.put("list", Arrays.asList("x", 2, null));
        object.put("empty", List.of());
        object.put("object", Map.of("k", List.of(List.of("v"))));

        assertThat(Json.of(object))
                .isEqualTo("{\"text\":\"a\",\"number\":-1,\"flag\":true,\"none\":null,"
                        + "\"list\":[\"x\",2,null],\"empty\":[],\"object\":{\"k\":[[\"v\"]]}}");
    }

    @ParameterizedTest
    @CsvSource({
        "0022, \\\"",
        "005c, \\\\",
        "000a, \\n",
        "000d, \\r",
        "0009, \\t",
        "0000, \\u0000",
        "001f, \\u001f",
        "0020, ' '",
        "002f, /",
        "20ac, €",
        "d83d, \\ud83d",
        "de00, \\ude00",
    })
    void escapesWhatAStringCannotHold(String codeUnit, String escaped) {
        char c = (char) Integer.parseInt(codeUnit, 16);

        assertThat(Json.of("a" + c + "b")).isEqualTo("\"a" + escaped + "b\"");
    }

    @Test
    void leavesSurrogatePairsWhole() {
        assertThat(Json.of("\uD83D\uDE00")).isEqualTo("\"\uD83D\uDE00\"");
        assertThat(Json.of("\uD83D\uD83D\uDE00\uDE00")).isEqualTo("\"\\ud83d\uD83D\uDE00\\ude00\"");
    }

    @Test
    void escapesNames() {
        assertThat(Json.of(Map.of("\"", 1))).isEqualTo("{\"\\\"\":1}");
    }

    @Test
    void refusesOtherTypes() {
        assertThatThrownBy(() -> Json.of(new Object())).isInstanceOf(IllegalArgumentException.class);
    }
}

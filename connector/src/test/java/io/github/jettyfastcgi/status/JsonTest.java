package io.github.jettyfastcgi.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.eclipse.jetty.util.ajax.JSON;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    @Test
    void writesValuesOfAllKinds() {
        Map<String, Object> map = new TreeMap<>();
        map.put("a", 1L);
        map.put("b", 0.12345);
        map.put("c", 2.0);
        map.put("d", null);
        map.put("e", true);
        map.put("f", List.of());
        map.put("g", Map.of());
        map.put("h", Arrays.asList(1, null, "x"));

        assertThat(Json.of(map))
                .isEqualTo(
                        "{\"a\":1,\"b\":0.123,\"c\":2,\"d\":null,\"e\":true,\"f\":[],\"g\":{},\"h\":[1,null,\"x\"]}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\"quoted\"",
                "back\\slash",
                "\0\n\r\t\u001f\u007f",
                "\u2028\u2029",
                "ä \uD83D\uDE00",
                "</script>"
            })
    void textsAreReadAsTheyWere(String text) {
        assertThat(new JSON().fromJSON(Json.of(text))).isEqualTo(text);
        assertThat(Json.of(text)).doesNotContain("\n", "\r", "\0");
    }

    @Test
    void whatIsNoUnicodeStaysWhatItWas() {
        assertThat(Json.of("\uD83D")).isEqualTo("\"\\ud83d\"");
    }
}

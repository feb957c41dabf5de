package io.github.jettyfastcgi.cgi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MetaVariablesTest {
    @Test
    void lastOfARepeatedNameIsFound() {
        MetaVariables variables = Variables.of("A", "1", "B", "2", "A", "3");

        assertThat(variables.size()).isEqualTo(3);
        assertThat(variables.get("A")).isEqualTo("3");
        assertThat(variables.get("B")).isEqualTo("2");
    }

    @Test
    void nameIsFoundAsAWhole() {
        MetaVariables variables = Variables.of("REMOTE_PORT", "1", "", "nameless", "REMOTE", "2");

        assertThat(variables.get("REMOTE")).isEqualTo("2");
        assertThat(variables.get("REMOTE_")).isNull();
        assertThat(variables.get("remote")).isNull();
        assertThat(variables.get("")).isEqualTo("nameless");
    }

    @Test
    void emptyValueIsNotAbsent() {
        assertThat(Variables.of("A", "").get("A")).isEmpty();
        assertThat(Variables.of().get("A")).isNull();
    }

    @Test
    void bytesThatAreNoUTF8AreReadAsTheyAre() {
        MetaVariables variables = Variables.of("P\u00c4TH", "p\u00c3\u00a4th\0\r\n\u00ff");

        assertThat(variables.get("P\u00c4TH")).isEqualTo("p\u00c3\u00a4th\0\r\n\u00ff");
        assertThat(variables.toMap()).containsExactly(Map.entry("P\u00c4TH", "p\u00c3\u00a4th\0\r\n\u00ff"));
    }

    @Test
    void valuesInUTF8AreReadAsSuch() {
        MetaVariables variables = Variables.of("A", "p\u00c3\u00a4th");

        assertThat(variables.get("A")).isEqualTo("p\u00e4th");
        assertThat(variables.toMap()).containsExactly(Map.entry("A", "p\u00e4th"));
    }

    @Test
    void mapHasNeitherFieldsNorSecretsNorEnvironment() {
        MetaVariables variables = Variables.of(
                "HTTP_COOKIE",
                "1",
                "HTTP_",
                "2",
                "PATH",
                "3",
                "SERVER_SIGNATURE",
                "4",
                "REMOTE_PASSWD",
                "5",
                "PATH_INFO",
                "6");

        assertThat(variables.toMap()).containsExactly(Map.entry("PATH_INFO", "6"));
    }

    @Test
    void mapHasTheLastValuesInTheOrderOfTheNames() {
        MetaVariables variables = Variables.of("Z", "1", "A", "2", "Z", "3", "M", "");

        assertThat(variables.toMap()).containsExactly(Map.entry("Z", "3"), Map.entry("A", "2"), Map.entry("M", ""));
    }

    @Test
    void mapIsACopyThatNobodyCanChange() {
        byte[] bytes = "NAMEvalue".getBytes(StandardCharsets.ISO_8859_1);
        MetaVariables variables = new MetaVariables();
        variables.add(bytes, 0, 4, 4, 5);

        Map<String, String> map = variables.toMap();
        bytes[4] = 'X';
        variables.clear();

        assertThat(map).containsExactly(Map.entry("NAME", "value"));
        assertThatThrownBy(() -> map.put("A", "b")).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void clearedInstanceIsFilledAgain() {
        MetaVariables variables = Variables.of("A", "1");

        variables.clear();
        assertThat(variables.size()).isZero();
        assertThat(variables.get("A")).isNull();
        assertThat(variables.toMap()).isEmpty();

        variables.add("B2".getBytes(StandardCharsets.ISO_8859_1), 0, 1, 1, 1);
        assertThat(variables.toMap()).containsExactly(Map.entry("B", "2"));
    }

    @Test
    void anyNumberIsTaken() {
        String[] namesAndValues = new String[2 * 1000];
        for (int i = 0; i < 1000; i++) {
            namesAndValues[2 * i] = "NAME_" + i;
            namesAndValues[2 * i + 1] = "value " + i;
        }

        MetaVariables variables = Variables.of(namesAndValues);

        assertThat(variables.size()).isEqualTo(1000);
        for (int i = 0; i < 1000; i++) assertThat(variables.get("NAME_" + i)).isEqualTo("value " + i);
    }
}

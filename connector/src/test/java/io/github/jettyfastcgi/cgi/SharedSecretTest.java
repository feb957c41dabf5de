package io.github.jettyfastcgi.cgi;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

/** When a secret is taken for right, and what is left of the variables. */
class SharedSecretTest {
    private static final String RIGHT = "open sesame \u00fc";
    private static final String ON_THE_WIRE =
            new String(RIGHT.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);

    private final SharedSecret secret = new SharedSecret("MY_SECRET", RIGHT);

    @Test
    void rightSecretIsTakenOut() {
        MetaVariables variables = Variables.of("A", "1", "MY_SECRET", ON_THE_WIRE, "B", "2");

        assertThat(secret.takeFrom(variables)).isTrue();

        assertThat(variables.size()).isEqualTo(2);
        assertThat(variables.toMap()).containsExactly(entry("A", "1"), entry("B", "2"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "open sesame", "open sesame \u00c3\u00bc ", "Open sesame \u00c3\u00bc", "open sesame \u00fc"
            })
    void wrongSecretIsTakenOut(String wrong) {
        MetaVariables variables = Variables.of("MY_SECRET", wrong, "A", "1");

        assertThat(secret.takeFrom(variables)).isFalse();

        assertThat(variables.toMap()).containsExactly(entry("A", "1"));
    }

    @Test
    void missingSecretIsWrong() {
        assertThat(secret.takeFrom(Variables.of("A", ON_THE_WIRE))).isFalse();
        assertThat(secret.takeFrom(new MetaVariables())).isFalse();
    }

    @Test
    void nameIsThatNameAlone() {
        MetaVariables variables = Variables.of(
                "my_secret",
                ON_THE_WIRE,
                "MY_SECRET_",
                ON_THE_WIRE,
                "XMY_SECRET",
                ON_THE_WIRE,
                "HTTP_MY_SECRET",
                ON_THE_WIRE);

        assertThat(secret.takeFrom(variables)).isFalse();

        assertThat(variables.size()).isEqualTo(4);
    }

    @Test
    void repeatedSecretHasToBeRightEachTime() {
        assertThat(secret.takeFrom(Variables.of("MY_SECRET", ON_THE_WIRE, "MY_SECRET", ON_THE_WIRE)))
                .isTrue();
        assertThat(secret.takeFrom(Variables.of("MY_SECRET", "guess", "MY_SECRET", ON_THE_WIRE)))
                .isFalse();

        MetaVariables variables = Variables.of("MY_SECRET", ON_THE_WIRE, "A", "1", "MY_SECRET", "guess");
        assertThat(secret.takeFrom(variables)).isFalse();
        assertThat(variables.toMap()).containsExactly(entry("A", "1"));
    }

    @Test
    void whatApacheMakesOfItIsTakenOutAndCountsForNothing() {
        MetaVariables variables = Variables.of(
                "REDIRECT_STATUS",
                "200",
                "REDIRECT_MY_SECRET",
                ON_THE_WIRE,
                "REDIRECT_REDIRECT_MY_SECRET",
                "another",
                "MY_SECRET",
                ON_THE_WIRE);

        assertThat(secret.takeFrom(variables)).isTrue();
        assertThat(variables.toMap()).containsExactly(entry("REDIRECT_STATUS", "200"));

        assertThat(secret.takeFrom(Variables.of("REDIRECT_MY_SECRET", ON_THE_WIRE)))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 127, 128, 2048, 2049, 30_000})
    void secretMayHaveAnyLength(int length) {
        SharedSecret longSecret = new SharedSecret("MY_SECRET", "s".repeat(length));

        assertThat(longSecret.takeFrom(Variables.of("MY_SECRET", "s".repeat(length))))
                .isTrue();
        assertThat(longSecret.takeFrom(Variables.of("MY_SECRET", "s".repeat(length - 1))))
                .isFalse();
        assertThat(longSecret.takeFrom(Variables.of("MY_SECRET", "s".repeat(length + 1))))
                .isFalse();
    }

    @Test
    void noSecretIsNone() {
        assertThatThrownBy(() -> new SharedSecret("MY_SECRET", "")).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"FASTCGI_SECRET", "SECRET", "x-secret", "HTTPSECRET"})
    void variableMayHaveAnyNameThatClientsHaveNoSayIn(String name) {
        assertThat(SharedSecret.checkVariable(name)).isEqualTo(name);
    }

    @ParameterizedTest
    @NullAndEmptySource
    @ValueSource(
            strings = {
                "HTTP_SECRET",
                "HTTP_",
                "HTTP_COOKIE",
                "REQUEST_URI",
                "QUERY_STRING",
                "REMOTE_ADDR",
                "CONTENT_TYPE",
                "REDIRECT_SECRET",
                "MY SECRET",
                "A=B",
                "\u00fc",
            })
    void otherNamesAreTold(String name) {
        assertThatThrownBy(() -> SharedSecret.checkVariable(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'" + name + "' (expected: the name of a variable that clients have no say in)");
    }
}

package io.github.jettyfastcgi.cgi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.HttpField;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VariableCacheTest {
    private static final RequestMapper MAPPER = new RequestMapper(PathSource.REQUEST_URI, HttpCompliance.RFC9110, null);

    private final VariableCache cache = new VariableCache();

    @Test
    void repeatedFieldIsTheSameObject() {
        CGIRequest first = map("HTTP_COOKIE", "a=1", "HTTP_X", "1", "CONTENT_TYPE", "a/b", "CONTENT_LENGTH", "0");
        CGIRequest second = map("HTTP_COOKIE", "a=1", "HTTP_X", "2", "CONTENT_TYPE", "a/b", "CONTENT_LENGTH", "0");

        assertThat(second.getHttpFields()).isNotSameAs(first.getHttpFields());
        for (String name : List.of("Cookie", "Content-Type", "Content-Length"))
            assertThat(second.getHttpFields().getField(name))
                    .isSameAs(first.getHttpFields().getField(name));
        assertThat(second.getHttpFields().get("X")).isEqualTo("2");
        assertThat(first.getHttpFields().get("X")).isEqualTo("1");
    }

    @Test
    void repeatedFieldsAreTheSameObjectInTheSameOrderOnly() {
        CGIRequest first = map("HTTP_A", "1", "HTTP_B", "2");
        CGIRequest swapped = map("HTTP_B", "2", "HTTP_A", "1");
        CGIRequest fewer = map("HTTP_B", "2");
        CGIRequest again = map("HTTP_B", "2");

        assertThat(first.getHttpFields().asString()).isEqualTo("A: 1\r\nB: 2\r\n\r\n");
        assertThat(swapped.getHttpFields().asString()).isEqualTo("B: 2\r\nA: 1\r\n\r\n");
        assertThat(fewer.getHttpFields().asString()).isEqualTo("B: 2\r\n\r\n");
        assertThat(again.getHttpFields()).isSameAs(fewer.getHttpFields());
    }

    @Test
    void valueOfTheSameLengthIsTold() {
        map("HTTP_COOKIE", "secret=1", "HTTP_HOST", "first", "REMOTE_ADDR", "192.0.2.1", "SERVER_PROTOCOL", "HTTP/1.0");
        CGIRequest second = map(
                "HTTP_COOKIE",
                "secret=2",
                "HTTP_HOST",
                "other",
                "REMOTE_ADDR",
                "192.0.2.2",
                "SERVER_PROTOCOL",
                "HTTP/1.1");

        assertThat(RequestText.of(second)).isEqualTo("""
                GET http://other/ HTTP/1.1
                client 192.0.2.2:0 local unknown
                Cookie: secret=2
                Host: other""");
    }

    @Test
    void variableOfTheRequestBeforeIsNotOfThisOne() {
        map(
                "HTTP_AUTHORIZATION",
                "Basic eA==",
                "HTTP_COOKIE",
                "a=1",
                "HTTP_HOST",
                "a",
                "HTTPS",
                "on",
                "REMOTE_ADDR",
                "192.0.2.1",
                "REMOTE_PORT",
                "1",
                "SERVER_ADDR",
                "192.0.2.2",
                "SERVER_PORT",
                "2",
                "CONTENT_LENGTH",
                "3",
                "CONTENT_TYPE",
                "text/plain",
                "SERVER_PROTOCOL",
                "HTTP/2.0",
                "REQUEST_SCHEME",
                "https",
                "SERVER_NAME",
                "n");

        CGIRequest second = map();

        assertThat(RequestText.of(second)).isEqualTo("GET http:/ HTTP/1.1\nclient unknown local unknown");
        assertThat(second.getContentLength()).isEqualTo(-1);
        assertThat(cache.string(Variable.HTTPS)).isNull();
        assertThat(cache.get(Variable.CONTENT_TYPE)).isNull();
    }

    @Test
    void refusedRequestLeavesNothingBehind() {
        CGIRequest good = map("HTTP_A", "1", "HTTP_B", "2", "HTTP_HOST", "a");
        for (String[] bad : List.of(
                new String[] {"HTTP_A", "\0"},
                new String[] {"HTTP_C", "3", "HTTP_A", "1", "HTTP_B", "\n"},
                new String[] {"HTTP_A", "1", "HTTP_B", "2", "HTTP_C", "3", "HTTP_HOST", "a b"},
                new String[] {"HTTP_A", "1", "CONTENT_LENGTH", "x"},
                new String[] {"HTTP_A", "9", "HTTP_B", "9", "HTTP_HOST", "b", "REQUEST_URI", "/ "})) {
            assertThat(map(bad).failure()).isNotNull();

            CGIRequest next = map("HTTP_A", "1", "HTTP_B", "2", "HTTP_HOST", "a");
            assertThat(RequestText.of(next)).isEqualTo(RequestText.of(good));
        }
    }

    @Test
    void badValueIsRefusedHoweverOftenItComes() {
        for (int i = 0; i < 3; i++) {
            assertThat(map("HTTP_X", "a\nb").failure().getCode()).isEqualTo(400);
            assertThat(map("HTTP_HOST", "a b").failure().getCode()).isEqualTo(400);
            assertThat(map("CONTENT_LENGTH", "x").failure().getCode()).isEqualTo(400);
        }
    }

    @Test
    void uriIsTheSameObjectWhileTargetSchemeAndAuthorityAre() {
        CGIRequest first = map("HTTP_HOST", "a");

        assertThat(map("HTTP_HOST", "a").getHttpURI()).isSameAs(first.getHttpURI());
        assertThat(map("HTTP_HOST", "a", "HTTPS", "on").getHttpURI()).hasToString("https://a/");
        assertThat(map("HTTP_HOST", "b", "HTTPS", "on").getHttpURI()).hasToString("https://b/");
        assertThat(map("HTTP_HOST", "b", "HTTPS", "on", "REQUEST_URI", "/x").getHttpURI())
                .hasToString("https://b/x");
        assertThat(map("HTTP_HOST", "a").getHttpURI()).hasToString("http://a/");
        assertThat(map("SERVER_NAME", "c", "SERVER_PORT", "80").getHttpURI()).hasToString("http://c/");
    }

    @Test
    void addressIsTheSameObjectWhileHostAndPortAre() {
        CGIRequest first = map("REMOTE_ADDR", "192.0.2.1", "REMOTE_PORT", "1");
        CGIRequest same = map("REMOTE_ADDR", "192.0.2.1", "REMOTE_PORT", "1");
        CGIRequest otherPort = map("REMOTE_ADDR", "192.0.2.1", "REMOTE_PORT", "2");
        CGIRequest noPort = map("REMOTE_ADDR", "192.0.2.1");
        CGIRequest otherHost = map("REMOTE_ADDR", "192.0.2.2", "REMOTE_PORT", "2");
        CGIRequest none = map("REMOTE_PORT", "2");
        CGIRequest name = map("REMOTE_ADDR", "unix:", "REMOTE_PORT", "2");
        CGIRequest namePort = map("REMOTE_ADDR", "unix:", "REMOTE_PORT", "3");

        assertThat(same.remoteAddress()).isSameAs(first.remoteAddress());
        assertThat(otherPort.remoteAddress().getAddress())
                .isSameAs(first.remoteAddress().getAddress());
        assertThat(List.of(otherPort, noPort, otherHost, name, namePort))
                .extracting(request -> request.remoteAddress().getHostString() + " "
                        + request.remoteAddress().getPort())
                .containsExactly("192.0.2.1 2", "192.0.2.1 0", "192.0.2.2 2", "unix: 2", "unix: 3");
        assertThat(none.remoteAddress()).isNull();
    }

    @Test
    void bothEndsAreRememberedApart() {
        for (int i = 0; i < 2; i++) {
            CGIRequest request =
                    map("REMOTE_ADDR", "192.0.2.1", "REMOTE_PORT", "1", "SERVER_ADDR", "192.0.2.2", "SERVER_PORT", "2");

            assertThat(RequestText.of(request)).contains("client 192.0.2.1:1 local 192.0.2.2:2");
        }
    }

    @ParameterizedTest
    @CsvSource({"2048, true", "2049, false"})
    void longValuesAreNotRemembered(int length, boolean isRemembered) {
        String value = "v".repeat(length);

        HttpField first = map("HTTP_X", value).getHttpFields().getField(0);
        HttpField second = map("HTTP_X", value).getHttpFields().getField(0);

        assertThat(first == second).isEqualTo(isRemembered);
        assertThat(second.getValue()).isEqualTo(value);
        assertThat(map("HTTP_X", "short").getHttpFields().get("X")).isEqualTo("short");
        assertThat(map("HTTP_X", value + "w").getHttpFields().get("X")).isEqualTo(value + "w");
    }

    @ParameterizedTest
    @CsvSource({"128, true", "129, false"})
    void longNamesAreNotRemembered(int length, boolean isRemembered) {
        String name = "HTTP_" + "X".repeat(length - 5);
        HttpField first = map(name, "value").getHttpFields().getField(0);
        HttpField second = map(name, "value").getHttpFields().getField(0);

        assertThat(first == second).isEqualTo(isRemembered);
        assertThat(second).isEqualTo(first);
    }

    @Test
    void namesBeyondTheBoundAreNotRemembered() {
        String[] variables = numberedFields(0, 200);

        Set<HttpField> fields = identities(map(variables));
        Set<HttpField> again = identities(map(variables));

        again.retainAll(fields);
        assertThat(fields).hasSize(200);
        assertThat(again).hasSizeLessThanOrEqualTo(VariableCache.MAX_NAMES);
    }

    @Test
    void namesAreRememberedUpToTheBoundInAnyOrder() {
        int most = VariableCache.MAX_NAMES - 2; // REQUEST_METHOD and REQUEST_URI are names too
        List<String[]> pairs = new ArrayList<>();
        for (int i = 0; i < most; i++) pairs.add(new String[] {"HTTP_X_" + i, "value " + i});
        Set<HttpField> fields = identities(map(flat(pairs)));

        Collections.shuffle(pairs, new Random(7));
        Set<HttpField> again = identities(map(flat(pairs)));

        assertThat(again).hasSize(most).isEqualTo(fields);
    }

    @Test
    void namesThatDoNotComeAgainMakeRoom() {
        map(numberedFields(1000, 300));

        Set<HttpField> fields = identities(map(numberedFields(0, 10)));

        assertThat(identities(map(numberedFields(0, 10)))).isEqualTo(fields);
    }

    @Test
    void lastRequestIsMappedLikeAnyAndNotRemembered() {
        String[] variables = {
            "HTTP_A", "1", "HTTP_A", "2", "HTTP_HOST", "a:80", "CONTENT_TYPE", "text/x", "REMOTE_ADDR", "192.0.2.1"
        };
        CGIRequest kept = map(variables);

        cache.endWithNextRequest();
        CGIRequest last = map(variables);

        assertThat(RequestText.of(last)).isEqualTo(RequestText.of(kept));
        assertThat(last.getHttpFields().getField("A"))
                .isNotSameAs(kept.getHttpFields().getField("A"));
    }

    @Test
    void namesThatShareASlotAreToldApart() {
        List<String> names = IntStream.range(0, 100_000)
                .mapToObj(i -> "HTTP_X_" + i)
                .filter(name -> slot(name) == 5)
                .limit(20)
                .toList();

        for (int round = 0; round < 3; round++) {
            List<String> variables = new ArrayList<>();
            for (String name : names) variables.addAll(List.of(name, "of " + name));
            CGIRequest request = map(variables.toArray(String[]::new));

            assertThat(request.getHttpFields()).hasSize(20);
            for (String name : names)
                assertThat(request.getHttpFields().get(Variable.fieldName(name)))
                        .isEqualTo("of " + name);
        }
    }

    /** Else a connection would hold as many arrays as it remembers names. */
    @Test
    void arrayOfTheRequestBeforeIsLetGo() throws InterruptedException {
        WeakReference<byte[]> array = mapAndForget("HTTP_ONCE_ONLY", "value");

        map("HTTP_ANOTHER", "value");

        for (int i = 0; i < 100 && array.get() != null; i++) {
            System.gc();
            Thread.sleep(10);
        }
        assertThat(array.get()).isNull();
    }

    @Test
    void changedArrayChangesNothingThatIsRemembered() {
        byte[] bytes = "REQUEST_METHODGETREQUEST_URI/HTTP_XaHTTP_Xb".getBytes(StandardCharsets.ISO_8859_1);
        MetaVariables variables = new MetaVariables();
        variables.add(bytes, 0, 14, 14, 3);
        variables.add(bytes, 17, 11, 28, 1);
        variables.add(bytes, 29, 6, 35, 1);
        CGIRequest first = MAPPER.map(0, variables, cache);

        bytes[35] = 'c';
        CGIRequest second = MAPPER.map(0, variables, cache);

        assertThat(first.getHttpFields().get("X")).isEqualTo("a");
        assertThat(second.getHttpFields().get("X")).isEqualTo("c");
    }

    private CGIRequest map(String... namesAndValues) {
        List<String> all = new ArrayList<>(List.of("REQUEST_METHOD", "GET", "REQUEST_URI", "/"));
        all.addAll(List.of(namesAndValues));
        return MAPPER.map(0, Variables.of(all.toArray(String[]::new)), cache);
    }

    private WeakReference<byte[]> mapAndForget(String... namesAndValues) {
        MetaVariables variables = Variables.of(namesAndValues);
        MAPPER.map(0, variables, cache);
        return new WeakReference<>(variables.bytes());
    }

    private static Set<HttpField> identities(CGIRequest request) {
        Set<HttpField> fields = Collections.newSetFromMap(new IdentityHashMap<>());
        request.getHttpFields().forEach(fields::add);
        return fields;
    }

    private static String[] numberedFields(int first, int count) {
        return flat(IntStream.range(first, first + count)
                .mapToObj(i -> new String[] {"HTTP_X_" + i, "value " + i})
                .toList());
    }

    private static String[] flat(List<String[]> pairs) {
        return pairs.stream().flatMap(Arrays::stream).toArray(String[]::new);
    }

    /** The table's hash function, by its own means. */
    private static int slot(String name) {
        int hash = name.length();
        for (int i = 0; i < name.length(); i++) hash = 31 * hash + name.charAt(i);
        return 1 + (hash & Integer.MAX_VALUE) % 255;
    }
}

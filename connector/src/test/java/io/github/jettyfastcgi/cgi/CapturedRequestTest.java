package io.github.jettyfastcgi.cgi;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.jettyfastcgi.protocol.Capture;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.HttpURI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What real web servers sent must become the request that their client sent.
 */
class CapturedRequestTest {
    private static final RequestMapper MAPPER = new RequestMapper(PathSource.REQUEST_URI, HttpCompliance.RFC9110, null);
    private static final RequestMapper PATH_MAPPER =
            new RequestMapper(PathSource.SCRIPT_NAME, HttpCompliance.RFC9110, null);
    private static final Pattern VALID_PATH = Pattern.compile("(/([-._~!$&'()*+,;=:@\\w]|%[0-9A-F]{2})*)+");
    private static final Pattern CODE_UNIT = Pattern.compile("\\\\(u[0-9a-f]{4}|t)");

    /** A request in a capture. */
    private record Captured(Capture capture, Capture.Request request) {
        /** {@return the last value of a variable, empty where it is absent} */
        String value(String name) {
            return request.params().stream()
                    .filter(variable -> variable.name().equals(name))
                    .reduce((first, last) -> last)
                    .map(Capture.Variable::value)
                    .orElse("");
        }

        @Override
        public String toString() {
            return capture + " " + request.id();
        }
    }

    /** What must become of a request, as it is written in expected-requests.txt. */
    private record Expected(String server, String name, int index, String text) {
        @Override
        public String toString() {
            return server + "/" + name + " " + index;
        }
    }

    static List<Captured> requests() {
        return Capture.all().stream().flatMap(CapturedRequestTest::requestsOf).toList();
    }

    static List<Expected> expectedRequests() {
        return Capture.servers().stream()
                .flatMap(CapturedRequestTest::expectedRequestsOf)
                .toList();
    }

    static List<String> servers() {
        return Capture.servers();
    }

    @Test
    void allWebServersHaveExpectations() {
        assertThat(requests()).hasSize(401); // two more were aborted before their variables came
        assertThat(expectedRequests()).hasSize(200);
        assertThat(expectedRequests().stream().map(Expected::server).distinct()).containsExactlyElementsOf(servers());
    }

    @ParameterizedTest
    @MethodSource("expectedRequests")
    void requestIsAsWrittenDown(Expected expected) {
        List<Captured> requests = Capture.of(expected.server).stream()
                .filter(capture -> capture.name().equals(expected.name))
                .flatMap(CapturedRequestTest::requestsOf)
                .toList();

        CGIRequest request = map(requests.get(expected.index), new VariableCache());

        assertThat(RequestText.of(request)).isEqualTo(expected.text);
    }

    @ParameterizedTest
    @MethodSource("requests")
    void requestIsWhatItsVariablesSay(Captured captured) {
        CGIRequest request = map(captured, new VariableCache());

        if (isRefused(captured)) assertThat(RequestText.of(request)).isEqualTo("400");
        else assertThat(RequestText.of(request)).isEqualTo(RequestText.of(captured.request));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void contentLengthIsTheNumberOfContentBytesWhereItIsKnown(Captured captured) {
        CGIRequest request = map(captured, new VariableCache());

        boolean isCutOff = captured.request.role() == 1 && !captured.request.stdinEnd();
        if (isCutOff) assertThat(request.getContentLength()).isGreaterThan(captured.request.stdinLength());
        else if (request.getContentLength() >= 0)
            assertThat(request.getContentLength()).isEqualTo(captured.request.stdinLength());
        assertThat(request.getHttpFields().getLongField("Content-Length")).isEqualTo(request.getContentLength());
        assertThat(request.is100ContinueExpected()).isFalse();
    }

    @ParameterizedTest
    @MethodSource("requests")
    void pathOfTheWebServerIsEncodedSoThatItDecodesToTheSameBytes(Captured captured) {
        String path = captured.value("SCRIPT_NAME") + captured.value("PATH_INFO");

        CGIRequest request = PATH_MAPPER.map(0, Variables.of(captured.request), new VariableCache());

        if (isRefused(captured)) assertThat(request.failure().getCode()).isEqualTo(400);
        else if (path.isEmpty())
            assertThat(request.getHttpURI())
                    .isEqualTo(map(captured, new VariableCache()).getHttpURI());
        else {
            HttpURI uri = request.getHttpURI();
            assertThat(uri.getPath()).matches(VALID_PATH);
            assertThat(percentDecoded(uri.getPath())).isEqualTo(path);
            assertThat(orEmpty(uri.getQuery())).isEqualTo(utf8(captured.value("QUERY_STRING")));
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void nothingLeaksFromOneRequestToAnotherOnTheSameConnection(String server) {
        List<Captured> requests = Capture.of(server).stream()
                .flatMap(CapturedRequestTest::requestsOf)
                .collect(Collectors.toCollection(ArrayList::new));
        VariableCache cache = new VariableCache();
        Random random = new Random(server.hashCode());

        for (int round = 0; round < 5; round++) {
            for (Captured captured : requests) {
                String alone = RequestText.inFull(map(captured, new VariableCache()));
                assertThat(RequestText.inFull(map(captured, cache)))
                        .as("%s in round %d", captured, round)
                        .isEqualTo(alone);
            }
            Collections.shuffle(requests, random);
        }
    }

    @Test
    void nothingLeaksBetweenRequestsOfDifferentWebServers() {
        List<Captured> requests = new ArrayList<>(requests());
        Collections.shuffle(requests, new Random(1));
        VariableCache cache = new VariableCache();

        for (Captured captured : requests) {
            String alone = RequestText.inFull(map(captured, new VariableCache()));
            assertThat(RequestText.inFull(map(captured, cache)))
                    .as("%s", captured)
                    .isEqualTo(alone);
        }
    }

    @ParameterizedTest
    @MethodSource("requests")
    void repeatedRequestGivesTheSameFieldsAndUri(Captured captured) {
        VariableCache cache = new VariableCache();
        CGIRequest first = map(captured, cache);

        CGIRequest second = map(captured, cache);

        List<Capture.Variable> params = captured.request.params();
        boolean isShort = params.stream().allMatch(param -> param.value().length() <= VariableCache.MAX_VALUE_LENGTH);
        long names = params.stream().map(Capture.Variable::name).distinct().count();
        boolean isRemembered = isShort && names == params.size() && names <= VariableCache.MAX_NAMES;
        boolean hasHost = !captured.value("HTTP_HOST").isEmpty();
        boolean isConnect = first.getMethod().equals("CONNECT");
        if (isRemembered) assertThat(second.getHttpFields()).isSameAs(first.getHttpFields());
        if (isRemembered && hasHost && !isConnect)
            assertThat(second.getHttpURI()).isSameAs(first.getHttpURI());
        if (names <= VariableCache.MAX_NAMES) {
            assertThat(second.remoteAddress()).isSameAs(first.remoteAddress());
            assertThat(second.localAddress()).isSameAs(first.localAddress());
        }
        assertThat(RequestText.inFull(second)).isEqualTo(RequestText.inFull(first));
    }

    private static CGIRequest map(Captured captured, VariableCache cache) {
        return MAPPER.map(0, Variables.of(captured.request), cache);
    }

    /** Jetty takes no NUL in a path, however it is encoded. */
    private static boolean isRefused(Captured captured) {
        return captured.capture.name().equals("path-nul");
    }

    private static Stream<Captured> requestsOf(Capture capture) {
        return capture.requests().stream()
                .filter(Capture.Request::paramsEnd)
                .map(request -> new Captured(capture, request));
    }

    private static Stream<Expected> expectedRequestsOf(String server) {
        String path = "/captures/" + server + "/expected-requests.txt";
        try (InputStream in = CapturedRequestTest.class.getResourceAsStream(path)) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            String requests = text.lines().filter(line -> !line.startsWith("#")).collect(Collectors.joining("\n"));
            return Arrays.stream(requests.strip().split("\n+= |^= ")).skip(1).map(block -> expected(server, block));
        } catch (IOException x) {
            throw new AssertionError(x);
        }
    }

    private static Expected expected(String server, String block) {
        String[] titleAndText = block.split("\n", 2);
        String[] nameAndIndex = titleAndText[0].split("#");
        String text = CODE_UNIT
                .matcher(titleAndText[1].strip())
                .replaceAll(escaped -> escaped.group().equals("\\t")
                        ? "\t"
                        : Character.toString(Integer.parseInt(escaped.group(1).substring(1), 16)));
        return new Expected(
                server, nameAndIndex[0], nameAndIndex.length > 1 ? Integer.parseInt(nameAndIndex[1]) : 0, text);
    }

    private static String percentDecoded(String encoded) {
        return Pattern.compile("%(..)")
                .matcher(encoded)
                .replaceAll(hex -> Matcher.quoteReplacement(Character.toString(Integer.parseInt(hex.group(1), 16))));
    }

    private static String utf8(String bytes) {
        return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    private static String orEmpty(String string) {
        return string == null ? "" : string;
    }
}

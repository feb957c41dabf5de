package io.github.jettyfastcgi.cgi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.HttpURI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@link RequestMapper} and {@link PathSource}: from variables to the URI.
 */
class RequestTargetTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/app/a%2Fb;v=1/c?x=1&y=%20",
                "/app/../b//c/./%2e%2e/d",
                "/?",
                "/a?b?c",
                "//evil.example/x",
                "/;x=1",
                "/*",
                "/a:b@c"
            })
    void pathAndQueryAreRaw(String target) {
        HttpURI uri = uri("REQUEST_METHOD", "GET", "REQUEST_URI", target, "HTTP_HOST", "a");

        assertThat(uri.asString()).isEqualTo("http://a" + target);
        assertThat(uri.getHost()).isEqualTo("a");
    }

    @Test
    void bytesBeyondAsciiAreUtf8() {
        HttpURI uri =
                uri("REQUEST_METHOD", "GET", "HTTP_HOST", "a", "REQUEST_URI", "/p\u00c3\u00a4th?q=\u00e2\u0082\u00ac");

        assertThat(uri.getPath()).isEqualTo("/p\u00e4th");
        assertThat(uri.getQuery()).isEqualTo("q=\u20ac");
    }

    @ParameterizedTest
    @CsvSource({
        "http://b.example/x?y=1, http://b.example/x?y=1",
        "http://b.example:80/x, http://b.example/x",
        "http://b.example:8080/x, http://b.example:8080/x",
        "http://[::1]:8080/x, http://[::1]:8080/x",
        "http://b.example, http://b.example/",
        "http://b.example?y=1, http://b.example/?y=1",
        // the web server knows whether the connection was secure, the client doesn't get to say it
        "https://b.example/x, http://b.example/x",
        "ftp://b.example/x, http://b.example/x"
    })
    void absoluteTargetHasItsOwnAuthority(String target, String uri) {
        assertThat(uri("REQUEST_METHOD", "GET", "REQUEST_URI", target, "HTTP_HOST", "a"))
                .hasToString(uri);
    }

    @Test
    void whatFollowsTheHostOfAnAbsoluteTargetMayHaveNoPath() {
        assertThat(uri("REQUEST_METHOD", "GET", "REQUEST_URI", "?y=1", "HTTP_HOST", "a"))
                .hasToString("http://a/?y=1");
        assertThat(uri("REQUEST_METHOD", "GET", "REQUEST_URI", "?", "HTTP_HOST", "a"))
                .hasToString("http://a/?");
    }

    @Test
    void asteriskIsTheTargetOfTheServerItself() {
        HttpURI uri = uri("REQUEST_METHOD", "OPTIONS", "REQUEST_URI", "*", "HTTP_HOST", "a");

        assertThat(uri.getPath()).isEqualTo("*");
        assertThat(uri.getAuthority()).isEqualTo("a");
    }

    @Test
    void connectHasTheAuthorityOfItsTarget() {
        HttpURI uri = uri("REQUEST_METHOD", "CONNECT", "REQUEST_URI", "b.example:443", "HTTP_HOST", "a");

        assertThat(uri.getHost()).isEqualTo("b.example");
        assertThat(uri.getPort()).isEqualTo(443);
        assertThat(uri.getPath()).isEqualTo("/");
    }

    @Test
    void connectWithAPathIsAnOrdinaryTarget() {
        HttpURI uri = uri("REQUEST_METHOD", "CONNECT", "REQUEST_URI", "/", "HTTP_HOST", "a:81");

        assertThat(uri).hasToString("http://a:81/");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " ",
                "/a b",
                "/ ",
                " /",
                "/a\tb",
                "/a\rb",
                "/a\nb",
                "/a\0b",
                "/a\1",
                "/a\u007f",
                "/%",
                "/%4",
                "/%zz",
                "/%00",
                "/..",
                "/../x",
                "foo",
                "foo/bar",
                "http:x",
                "mailto:x@y",
                "b.example:443",
                "%2f",
                ";x",
                "http://b example/",
                "http://[::1/",
                "http://b:x/",
                "://"
            })
    void targetThatIsNoneIsRefused(String target) {
        assertRefused(PathSource.REQUEST_URI, "REQUEST_METHOD", "GET", "REQUEST_URI", target, "HTTP_HOST", "a");
    }

    @ParameterizedTest
    @EnumSource
    void requestWithoutAnyTargetIsRefused(PathSource source) {
        assertRefused(source, "REQUEST_METHOD", "GET", "HTTP_HOST", "a");
        assertRefused(source, "REQUEST_METHOD", "GET", "REQUEST_URI", "", "SCRIPT_NAME", "", "PATH_INFO", "");
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", textBlock = """
            # REQUEST_URI, SCRIPT_NAME, PATH_INFO, QUERY_STRING, of request-uri,  of script-name
            /old?x=1,      /app,        /new,      x=1,          /old?x=1,        /app/new?x=1
            /old?x=1,      /app,        '',        x=1,          /old?x=1,        /app?x=1
            /old?x=1,      '',          /new,      x=1,          /old?x=1,        /new?x=1
            /old?x=1,      -,           /new,      -,            /old?x=1,        /new
            /old?x=1,      /app,        -,         '',           /old?x=1,        /app
            /old?x=1,      '',          '',        x=2,          /old?x=1,        /old?x=1
            /old?x=1,      -,           -,         x=2,          /old?x=1,        /old?x=1
            '',            /app,        /new,      x=1,          /app/new?x=1,    /app/new?x=1
            -,             /app,        /new,      x=1,          /app/new?x=1,    /app/new?x=1
            -,             /app,        -,         -,            /app,            /app
            -,             -,           /new,      '?',          /new??,          /new??
            """)
    void eachSourceFallsBackOnTheOther(
            String requestUri, String scriptName, String pathInfo, String query, String raw, String rewritten) {
        MetaVariables variables = variables(
                "REQUEST_METHOD",
                "GET",
                "HTTP_HOST",
                "a",
                "REQUEST_URI",
                requestUri,
                "SCRIPT_NAME",
                scriptName,
                "PATH_INFO",
                pathInfo,
                "QUERY_STRING",
                query);

        CGIRequest rawRequest = map(PathSource.REQUEST_URI, variables);
        CGIRequest rewrittenRequest = map(PathSource.SCRIPT_NAME, variables);

        assertThat(rawRequest.getHttpURI()).hasToString("http://a" + raw);
        assertThat(rewrittenRequest.getHttpURI()).hasToString("http://a" + rewritten);
    }

    @ParameterizedTest
    @CsvSource({
        "/p\u00c3\u00a4th, /p%C3%A4th",
        "/\u00ff, /%FF",
        "/a b, /a%20b",
        "/100%, /100%25",
        "/a%2Fb, /a%252Fb",
        "/a?b, /a%3Fb",
        "/a#b, /a%23b",
        "/a;v=1, /a;v=1",
        "/[a], /%5Ba%5D",
        "/a\"<>^`{|}\\b, /a%22%3C%3E%5E%60%7B%7C%7D%5Cb",
        "/~-._!$&'()*+, /~-._!$&'()*+",
        "'/,=:@', '/,=:@'",
        "//a//b, //a//b",
        "/a/../b, /a/../b"
    })
    void decodedPathIsEncodedAgain(String path, String encoded) {
        MetaVariables asScriptName = Variables.of("REQUEST_METHOD", "GET", "SCRIPT_NAME", path, "HTTP_HOST", "a");
        MetaVariables asPathInfo = Variables.of("REQUEST_METHOD", "GET", "PATH_INFO", path, "HTTP_HOST", "a");

        assertThat(map(PathSource.SCRIPT_NAME, asScriptName).getHttpURI()).hasToString("http://a" + encoded);
        assertThat(map(PathSource.SCRIPT_NAME, asPathInfo).getHttpURI()).hasToString("http://a" + encoded);
    }

    @Test
    void lineEndsInADecodedPathAreEncoded() {
        MetaVariables variables =
                Variables.of("REQUEST_METHOD", "GET", "SCRIPT_NAME", "/a\r\n\tb\u007f", "HTTP_HOST", "a");

        assertThat(map(PathSource.SCRIPT_NAME, variables).getHttpURI()).hasToString("http://a/a%0D%0A%09b%7F");
    }

    /** Else a decoded path could name another host. */
    @ParameterizedTest
    @ValueSource(strings = {"app", "*", "http://evil.example/x", "evil.example:80", "\0", "/a\0b", "/..", ".", "?x"})
    void decodedPathThatIsNoneIsRefused(String path) {
        assertRefused(PathSource.SCRIPT_NAME, "REQUEST_METHOD", "GET", "SCRIPT_NAME", path, "HTTP_HOST", "a");
        assertRefused(PathSource.REQUEST_URI, "REQUEST_METHOD", "GET", "PATH_INFO", path);
        assertRefused(PathSource.SCRIPT_NAME, "REQUEST_METHOD", "CONNECT", "SCRIPT_NAME", path);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", " ", "x=\r\ny", "\0", "\t", "\u007f"})
    void queryThatIsNoneIsRefused(String query) {
        assertRefused(PathSource.SCRIPT_NAME, "REQUEST_METHOD", "GET", "SCRIPT_NAME", "/", "QUERY_STRING", query);
    }

    @Test
    void queryIsLeftAsItIs() {
        MetaVariables variables = Variables.of(
                "REQUEST_METHOD",
                "GET",
                "SCRIPT_NAME",
                "/a",
                "HTTP_HOST",
                "a",
                "QUERY_STRING",
                "q=\u00e2\u0082\u00ac&r=%20+%2F?/&&=%00");

        assertThat(map(PathSource.SCRIPT_NAME, variables).getHttpURI().getQuery())
                .isEqualTo("q=\u20ac&r=%20+%2F?/&&=%00");
    }

    @ParameterizedTest
    @CsvSource({"request-uri, REQUEST_URI", "script-name, SCRIPT_NAME"})
    void pathSourceIsASetting(String value, PathSource source) {
        assertThat(PathSource.from(value)).isSameAs(source);
        assertThat(source).hasToString(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "REQUEST_URI", "script_name", "path-info"})
    void otherPathSourceIsRefusedWithTheChoice(String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PathSource.from(value))
                .withMessage("'%s' (expected: request-uri or script-name)", value);
    }

    private static HttpURI uri(String... namesAndValues) {
        CGIRequest request = map(PathSource.REQUEST_URI, Variables.of(namesAndValues));
        assertThat(request.failure()).isNull();
        return request.getHttpURI();
    }

    private static CGIRequest map(PathSource source, MetaVariables variables) {
        return new RequestMapper(source, HttpCompliance.RFC9110, null).map(0, variables, new VariableCache());
    }

    /** {@return variables without those whose value is {@code null}} */
    private static MetaVariables variables(String... namesAndValues) {
        List<String> present = new ArrayList<>();
        for (int i = 0; i < namesAndValues.length; i += 2)
            if (namesAndValues[i + 1] != null) present.addAll(List.of(namesAndValues[i], namesAndValues[i + 1]));
        return Variables.of(present.toArray(String[]::new));
    }

    private static void assertRefused(PathSource source, String... namesAndValues) {
        CGIRequest request = map(source, Variables.of(namesAndValues));
        assertThat(request.failure()).isNotNull();
        assertThat(request.failure().getCode()).isEqualTo(400);
    }
}

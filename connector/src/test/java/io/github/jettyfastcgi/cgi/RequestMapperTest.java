package io.github.jettyfastcgi.cgi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpParser;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.util.HostPort;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestMapperTest {
    private final RequestMapper mapper = new RequestMapper(PathSource.REQUEST_URI, HttpCompliance.RFC9110, null);
    private final VariableCache cache = new VariableCache();

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "POST", "PROPFIND", "M-SEARCH", "get", "FOO", "!#$%&'*+-.^_`|~0aZ"})
    void methodIsAnyToken(String method) {
        CGIRequest request = map("REQUEST_METHOD", method, "REQUEST_URI", "/");

        assertThat(request.failure()).isNull();
        assertThat(request.getMethod()).isEqualTo(method);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "GET ", " GET", "GE T", "GET\r", "GET\n", "GET\0", "G(T", "G/T", "G\u00c9T", "GET\u007f"})
    void methodThatIsNoTokenIsRefused(String method) {
        CGIRequest request = map("REQUEST_METHOD", method, "REQUEST_URI", "/");

        assertRefused(request);
    }

    @Test
    void requestWithoutMethodIsRefused() {
        assertRefused(map("REQUEST_URI", "/"));
    }

    @Test
    void requestWithoutVariablesIsRefused() {
        CGIRequest request = map();

        assertRefused(request);
        assertThat(request.serverProtocol()).isEqualTo("HTTP/1.1");
        assertThat(request.getHttpFields()).isEmpty();
        assertThat(request.getContentLength()).isEqualTo(-1);
        assertThat(request.remoteAddress()).isNull();
        assertThat(request.localAddress()).isNull();
    }

    @Test
    void refusedRequestStillTellsItsLineAndItsClient() {
        CGIRequest request = map(
                "REQUEST_METHOD",
                "GET",
                "HTTP_X_BAD",
                "a\nb",
                "HTTP_X_WORSE",
                "\0",
                "HTTP_X_GOOD",
                "good",
                "REQUEST_URI",
                "/a?b=c",
                "SERVER_PROTOCOL",
                "HTTP/2.0",
                "REMOTE_ADDR",
                "192.0.2.1",
                "REMOTE_PORT",
                "40000");

        assertRefused(request);
        assertThat(request.getMethod()).isEqualTo("GET");
        assertThat(request.getHttpURI().getPathQuery()).isEqualTo("/a?b=c");
        assertThat(request.getHttpFields()).isEmpty();
        assertThat(request.serverProtocol()).isEqualTo("HTTP/2.0");
        assertThat(request.remoteAddress().getHostString()).isEqualTo("192.0.2.1");
        assertThat(request.remoteAddress().getPort()).isEqualTo(40_000);
    }

    @Test
    void badMethodLeavesTheTarget() {
        CGIRequest request = map("REQUEST_METHOD", "G T", "REQUEST_URI", "/a?b=c", "HTTP_HOST", "example.com");

        assertRefused(request);
        assertThat(request.getMethod()).isEqualTo("BAD");
        assertThat(request.getHttpURI()).hasToString("http://example.com/a?b=c");
    }

    @Test
    void failedRequestTellsWhatThereIs() {
        HttpException.RuntimeException failure = new HttpException.RuntimeException(431, "too long");
        MetaVariables variables =
                Variables.of("REQUEST_METHOD", "PUT", "REQUEST_URI", "/a?b=c", "REMOTE_ADDR", "192.0.2.1");

        CGIRequest request = mapper.map(17, variables, cache, failure);

        assertThat(request.failure()).isSameAs(failure);
        assertThat(request.getBeginNanoTime()).isEqualTo(17);
        assertThat(request.getMethod()).isEqualTo("PUT");
        assertThat(request.getHttpURI().getPathQuery()).isEqualTo("/a?b=c");
        assertThat(request.remoteAddress().getHostString()).isEqualTo("192.0.2.1");
    }

    @Test
    void failedRequestOfWhichNothingIsKnownHasNothingButItsFailure() {
        HttpException.RuntimeException failure = new HttpException.RuntimeException(431, "too long");

        CGIRequest request = mapper.map(17, Variables.of(), cache, failure);

        assertThat(request.failure()).isSameAs(failure);
        assertThat(request.getMethod()).isNotEmpty();
        assertThat(request.getHttpURI().getPath()).startsWith("/");
        assertThat(request.getHttpFields()).isEmpty();
        assertThat(request.getContentLength()).isEqualTo(-1);
        assertThat(request.serverProtocol()).isEqualTo("HTTP/1.1");
        assertThat(request.remoteAddress()).isNull();
        assertThat(request.localAddress()).isNull();
    }

    @Test
    void requestKnowsWhenItBegan() {
        MetaVariables variables = Variables.of("REQUEST_METHOD", "GET", "REQUEST_URI", "/");

        assertThat(mapper.map(-42, variables, cache).getBeginNanoTime()).isEqualTo(-42);
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP_USER_AGENT, User-Agent, USER_AGENT",
        "HTTP_X_FORWARDED_FOR, X-Forwarded-For, X_FORWARDED_FOR",
        "HTTP_AUTHORIZATION, Authorization, AUTHORIZATION",
        "HTTP_ETAG, ETag, ETAG",
        "HTTP_IF_MODIFIED_SINCE, If-Modified-Since, IF_MODIFIED_SINCE",
        "HTTP_SEC_WEBSOCKET_KEY, Sec-WebSocket-Key, SEC_WEBSOCKET_KEY",
        "HTTP_EXPECT, Expect, EXPECT"
    })
    void wellKnownFieldIsTheHeaderOfItsName(String variable, String name, HttpHeader header) {
        HttpField field = onlyField(variable, "value");

        assertThat(field.getHeader()).isSameAs(header);
        assertThat(field.getName()).isEqualTo(name);
        assertThat(field.getValue()).isEqualTo("value");
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP_X_CUSTOM_ID, X-Custom-Id",
        "HTTP_X, X",
        "HTTP_X_, X-",
        "HTTP__X, -X",
        "HTTP_X__Y, X--Y",
        "HTTP_X_1A, X-1a",
        "HTTP_X_MIXED.CASE~NAME, X-Mixed.case~name",
        "HTTP_x_lower, x-lower",
        "HTTP_HTTP_HOST, Http-Host"
    })
    void otherFieldHasTheUsualSpelling(String variable, String name) {
        HttpField field = onlyField(variable, "value");

        assertThat(field.getHeader()).isNull();
        assertThat(field.getName()).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP_CONNECTION",
                "HTTP_CONTENT_LENGTH",
                "HTTP_CONTENT_TYPE",
                "HTTP_KEEP_ALIVE",
                "HTTP_PROXY",
                "HTTP_PROXY_AUTHORIZATION",
                "HTTP_PROXY_CONNECTION",
                "HTTP_PROXY_ANYTHING",
                "HTTP_TE",
                "HTTP_TRAILER",
                "HTTP_TRANSFER_ENCODING",
                "HTTP_UPGRADE",
                "HTTP_",
                "HTTP",
                "HTTPX",
                "http_x",
                "XHTTP_X",
                "",
                "X_FOO"
            })
    void variableThatIsNoFieldOfTheRequestIsDropped(String variable) {
        CGIRequest request = map("REQUEST_METHOD", "GET", "REQUEST_URI", "/", variable, "17\r\n\0");

        assertThat(request.failure()).isNull();
        assertThat(request.getHttpFields()).isEmpty();
        assertThat(request.getContentLength()).isEqualTo(-1);
    }

    @Test
    void fieldsKeepTheirOrderAndTheirRepetitions() {
        CGIRequest request = map(
                "HTTP_X_DUP",
                "one",
                "REQUEST_METHOD",
                "GET",
                "HTTP_COOKIE",
                "a=1",
                "HTTP_X_DUP",
                "two",
                "REQUEST_URI",
                "/",
                "HTTP_COOKIE",
                "b=2",
                "HTTP_X_DUP",
                "one");

        assertThat(request.getHttpFields())
                .extracting(field -> field.getName() + ": " + field.getValue())
                .containsExactly("X-Dup: one", "Cookie: a=1", "X-Dup: two", "Cookie: b=2", "X-Dup: one");
    }

    @ParameterizedTest
    @CsvSource(
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "'',''",
                "' ',''",
                "a,a",
                "' a b ','a b'",
                "'\ta\tb \t','a\tb'",
                "p\u00c3\u00a4th \u00e2\u0082\u00ac,p\u00c3\u00a4th \u00e2\u0082\u00ac",
                "\u00e4\u00ff\u0080,\u00e4\u00ff\u0080",
                "'a,  b ,c','a,  b ,c'"
            })
    void valueIsItsBytesWithoutBlanksAtTheEnds(String sent, String value) {
        assertThat(onlyField("HTTP_X_VALUE", sent).getValue()).isEqualTo(value);
        assertThat(onlyField("HTTP_COOKIE", sent).getValue()).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\r", "\n", "\r\n", "\0", "\1", "\b", "\u001f", "\u007f"})
    void valueWithControlsIsRefused(String control) {
        for (String variable : List.of("HTTP_X_ANY", "HTTP_COOKIE", "CONTENT_TYPE", "HTTP_HOST"))
            for (String value : List.of(control + "b", "a" + control + "b", "a" + control))
                assertRefused(map("REQUEST_METHOD", "GET", "REQUEST_URI", "/", variable, value));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"X Y", "X:Y", "X\rY", "X\nY", "X\0Y", "X(", "X\u00e4", "X\u007f", " ", ":", "X\"", "X/Y", "X,Y"})
    void fieldWhoseNameIsNoTokenIsRefused(String name) {
        assertRefused(map("REQUEST_METHOD", "GET", "REQUEST_URI", "/", "HTTP_" + name, "value"));
    }

    @Test
    void controlsInOtherVariablesFailNothing() {
        CGIRequest request = map(
                "REQUEST_METHOD", "GET", "REQUEST_URI", "/", "SSL_CLIENT_CERT", "-----BEGIN\n\tA\r\n\0", "X\0Y", "\1");

        assertThat(request.failure()).isNull();
    }

    @Test
    void contentTypeIsAField() {
        HttpField field = onlyField("CONTENT_TYPE", " text/plain; charset=utf-8 ");

        assertThat(field.getHeader()).isSameAs(HttpHeader.CONTENT_TYPE);
        assertThat(field.getValue()).isEqualTo("text/plain; charset=utf-8");
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "text/html; charset=utf-8", "application/x-www-form-urlencoded"})
    void commonContentTypeIsTheFieldOfTheHttpParser(String value) {
        HttpField field = onlyField("CONTENT_TYPE", value);

        assertThat(field).isSameAs(HttpParser.CACHE.get("Content-Type: " + value));
        assertThat(onlyField("CONTENT_TYPE", value.toUpperCase(Locale.ROOT))).isSameAs(field);
    }

    @Test
    void blankContentTypeIsAnEmptyField() {
        assertThat(onlyField("CONTENT_TYPE", " \t").getValue()).isEmpty();
    }

    @Test
    void emptyContentTypeIsNone() {
        assertThat(map("REQUEST_METHOD", "GET", "REQUEST_URI", "/", "CONTENT_TYPE", "")
                        .getHttpFields())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "0017, 17", "2147483648, 2147483648", "999999999999999999, 999999999999999999"})
    void contentLengthIsAFieldAndANumber(String value, long length) {
        CGIRequest request = map("REQUEST_METHOD", "POST", "REQUEST_URI", "/", "CONTENT_LENGTH", value);

        assertThat(request.failure()).isNull();
        assertThat(request.getContentLength()).isEqualTo(length);
        assertThat(request.getHttpFields().getLongField(HttpHeader.CONTENT_LENGTH))
                .isEqualTo(length);
        assertThat(request.getHttpFields().get(HttpHeader.CONTENT_LENGTH)).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1"})
    void unknownContentLengthIsNoField(String value) {
        CGIRequest request = map("REQUEST_METHOD", "POST", "REQUEST_URI", "/", "CONTENT_LENGTH", value);

        assertThat(request.failure()).isNull();
        assertThat(request.getContentLength()).isEqualTo(-1);
        assertThat(request.getHttpFields()).isEmpty();
    }

    /** Several web servers say it of every request without content, as no client does. */
    @ParameterizedTest
    @CsvSource({"GET, -1", "HEAD, -1", "DELETE, -1", "OPTIONS, -1", "PROPFIND, -1", "POST, 0", "PUT, 0", "PATCH, 0"})
    void contentLengthOfNothingCountsWhereContentIsExpected(String method, long length) {
        CGIRequest request = map("REQUEST_METHOD", method, "REQUEST_URI", "/", "CONTENT_LENGTH", "0");

        assertThat(request.failure()).isNull();
        assertThat(request.getContentLength()).isEqualTo(length);
        assertThat(request.getHttpFields().contains(HttpHeader.CONTENT_LENGTH)).isEqualTo(length == 0);
    }

    @Test
    void contentLengthOfNothingWithoutAMethodIsRefusedForTheMethod() {
        assertRefused(map("REQUEST_URI", "/", "CONTENT_LENGTH", "0"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"-2", "-0", "+1", " 1", "1 ", "0x10", "1.0", "1,1", "ten", "\0", "\u0660", "1000000000000000000"
            })
    void contentLengthThatIsNoNumberIsRefused(String value) {
        assertRefused(map("REQUEST_METHOD", "POST", "REQUEST_URI", "/", "CONTENT_LENGTH", value));
    }

    @Test
    void forgedContentFieldsNeverOverrideTheTrueOnes() {
        CGIRequest request = map(
                "REQUEST_METHOD",
                "POST",
                "REQUEST_URI",
                "/",
                "HTTP_CONTENT_LENGTH",
                "99",
                "CONTENT_LENGTH",
                "3",
                "HTTP_CONTENT_LENGTH",
                "98",
                "CONTENT_TYPE",
                "text/plain",
                "HTTP_CONTENT_TYPE",
                "text/html");

        assertThat(request.getContentLength()).isEqualTo(3);
        assertThat(request.getHttpFields().asString())
                .isEqualTo("Content-Type: text/plain\r\nContent-Length: 3\r\n\r\n");
    }

    /** No web server known leaves the case of names or their hyphens; but one that does opens no way round. */
    @Test
    void namesOfFieldsAreTheSameInAnySpelling() {
        CGIRequest request = map(
                "REQUEST_METHOD",
                "POST",
                "REQUEST_URI",
                "/",
                "CONTENT_LENGTH",
                "3",
                "HTTP_Content_Length",
                "99",
                "HTTP_content-length",
                "98",
                "HTTP_Content-Type",
                "text/html",
                "HTTP_Proxy",
                "http://evil",
                "HTTP_Proxy-Connection",
                "close",
                "HTTP_transfer-encoding",
                "chunked",
                "HTTP_Host",
                "a:81",
                "HTTP_user-agent",
                "b");

        assertThat(request.getContentLength()).isEqualTo(3);
        assertThat(request.getHttpURI()).hasToString("http://a:81/");
        assertThat(request.getHttpFields().asString())
                .isEqualTo("User-Agent: b\r\nHost: a:81\r\nContent-Length: 3\r\n\r\n");
    }

    @Test
    void lastOfARepeatedHostCounts() {
        CGIRequest request = map("REQUEST_METHOD", "GET", "REQUEST_URI", "/", "HTTP_HOST", "a", "HTTP_HOST", "b:8080");

        assertThat(request.failure()).isNull();
        assertThat(request.getHttpURI()).hasToString("http://b:8080/");
        assertThat(request.getHttpFields().getValuesList(HttpHeader.HOST)).containsExactly("b:8080");
    }

    @ParameterizedTest
    @CsvSource({"get, GET, -1", "Post, POST, 0", "foo, foo, -1", "GET, GET, -1"})
    void complianceMayTakeAMethodInAnyCase(String method, String taken, long length) {
        RequestMapper legacy = new RequestMapper(PathSource.REQUEST_URI, HttpCompliance.RFC2616_LEGACY, null);
        MetaVariables variables = Variables.of("REQUEST_METHOD", method, "REQUEST_URI", "/", "CONTENT_LENGTH", "0");

        CGIRequest request = legacy.map(0, variables, new VariableCache());

        assertThat(request.getMethod()).isEqualTo(taken);
        assertThat(request.getContentLength()).isEqualTo(length);
    }

    @ParameterizedTest
    @CsvSource({"www.example.org:8080,1", "'a,b',2", "'a,b,c:80',3"})
    void hostHasTheValuesOfAnyField(String host, int count) {
        HttpField field = map("REQUEST_METHOD", "GET", "REQUEST_URI", "/", "HTTP_HOST", host)
                .getHttpFields()
                .getField(HttpHeader.HOST);

        assertThat(field.getValues())
                .hasSize(count)
                .isEqualTo(new HttpField(HttpHeader.HOST, host).getValues())
                .isNotSameAs(field.getValues());
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "[::1", "a:x", "\u00e4"})
    void complianceMayTakeAnyHost(String host) {
        RequestMapper legacy = new RequestMapper(PathSource.REQUEST_URI, HttpCompliance.LEGACY, null);
        MetaVariables variables = Variables.of("REQUEST_METHOD", "GET", "REQUEST_URI", "/", "HTTP_HOST", host);

        CGIRequest request = legacy.map(0, variables, new VariableCache());

        assertThat(request.failure()).isNull();
        assertThat(request.getHttpFields().get(HttpHeader.HOST)).isEqualTo(host);
        assertThat(request.getHttpURI().getHost()).isEqualTo(host);
        assertThat(map("REQUEST_METHOD", "GET", "REQUEST_URI", "/", "HTTP_HOST", host)
                        .failure()
                        .getCode())
                .isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {" ", ":80"})
    void blankHostIsNoRequestWhateverTheCompliance(String host) {
        RequestMapper legacy = new RequestMapper(PathSource.REQUEST_URI, HttpCompliance.LEGACY, null);
        MetaVariables variables = Variables.of("REQUEST_METHOD", "GET", "REQUEST_URI", "/", "HTTP_HOST", host);

        assertThat(legacy.map(0, variables, new VariableCache()).failure().getCode())
                .isEqualTo(400);
        assertThat(map("REQUEST_METHOD", "GET", "REQUEST_URI", "/", "HTTP_HOST", host)
                        .failure()
                        .getCode())
                .isEqualTo(400);
    }

    @Test
    void lastOfARepeatedVariableCounts() {
        CGIRequest request = map(
                "REQUEST_METHOD",
                "GET",
                "REQUEST_URI",
                "/first",
                "CONTENT_LENGTH",
                "1",
                "CONTENT_TYPE",
                "text/first",
                "SERVER_PROTOCOL",
                "HTTP/1.0",
                "HTTPS",
                "off",
                "REMOTE_ADDR",
                "192.0.2.1",
                "REMOTE_PORT",
                "1",
                "SERVER_ADDR",
                "192.0.2.2",
                "SERVER_PORT",
                "1",
                "REQUEST_METHOD",
                "PUT",
                "REQUEST_URI",
                "/last",
                "HTTP_HOST",
                "last",
                "CONTENT_LENGTH",
                "2",
                "CONTENT_TYPE",
                "text/last",
                "SERVER_PROTOCOL",
                "HTTP/1.1",
                "HTTPS",
                "on",
                "REMOTE_ADDR",
                "198.51.100.1",
                "REMOTE_PORT",
                "2",
                "SERVER_ADDR",
                "198.51.100.2",
                "SERVER_PORT",
                "2");

        assertThat(RequestText.of(request)).isEqualTo("""
                PUT https://last/last HTTP/1.1
                client 198.51.100.1:2 local 198.51.100.2:2
                Host: last
                Content-Type: text/last
                Content-Length: 2""");
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", textBlock = """
            # HTTPS, REQUEST_SCHEME, scheme
            -,       -,              http
            '',      -,              http
            off,     -,              http
            OFF,     -,              http
            0,       -,              http
            true,    -,              http
            on,      -,              https
            ON,      -,              https
            On,      -,              https
            1,       -,              https
            -,       http,           http
            -,       https,          https
            -,       HTTPS,          https
            -,       '',             http
            -,       ftp,            http
            on,      http,           https
            off,     https,          https
            """)
    void schemeIsToldByTheWebServer(String https, String requestScheme, String scheme) {
        Stream<String> variables = Stream.of("REQUEST_METHOD", "GET", "REQUEST_URI", "/", "HTTP_HOST", "a");
        if (https != null) variables = Stream.concat(variables, Stream.of("HTTPS", https));
        if (requestScheme != null) variables = Stream.concat(variables, Stream.of("REQUEST_SCHEME", requestScheme));

        CGIRequest request = map(variables.toArray(String[]::new));

        assertThat(request.getHttpURI().getScheme()).isEqualTo(scheme);
        assertThat(request.getHttpURI().asString()).isEqualTo(scheme + "://a/");
    }

    @Test
    void clientCannotClaimAScheme() {
        CGIRequest request = map(
                "REQUEST_METHOD",
                "GET",
                "REQUEST_URI",
                "/",
                "HTTP_HOST",
                "a",
                "HTTP_X_FORWARDED_PROTO",
                "https",
                "HTTP_HTTPS",
                "on",
                "HTTP_REQUEST_SCHEME",
                "https");

        assertThat(request.getHttpURI().getScheme()).isEqualTo("http");
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", textBlock = """
            # HTTP_HOST,       SERVER_NAME,          SERVER_PORT, HTTPS, authority
            www.example.com,   other,                8080,        off,   www.example.com
            www.example.com:80,    other,            8080,        off,   www.example.com
            www.example.com:443,   other,            8080,        off,   www.example.com:443
            www.example.com:443,   other,            8080,        on,    www.example.com
            WWW.Example.COM:8443,  other,            8080,        on,    WWW.Example.COM:8443
            ' a:81 ',          other,                8080,        off,   a:81
            [::1],             other,                8080,        off,   [::1]
            [2001:db8::1]:81,  other,                8080,        off,   [2001:db8::1]:81
            '',                name,                 8080,        off,   name:8080
            -,                 name,                 8080,        off,   name:8080
            -,                 name,                 80,          off,   name
            -,                 name,                 443,         on,    name
            -,                 name,                 443,         off,   name:443
            -,                 name,                 80,          on,    name:80
            -,                 Name.example:8443,    28400,       off,   Name.example:8443
            -,                 name:80,              28400,       off,   name
            -,                 ::1,                  8080,        off,   [::1]:8080
            -,                 [::1],                8080,        off,   [::1]:8080
            -,                 _,                    8080,        off,   _:8080
            -,                 name,                 -,           off,   name
            -,                 name,                 '',          off,   name
            -,                 name,                 0,           off,   name
            -,                 name,                 65535,       off,   name:65535
            -,                 name,                 65536,       off,   name
            -,                 name,                 http,        off,   name
            -,                 name,                 -1,          off,   name
            """)
    void authorityIsTheHostFieldElseTheServersName(
            String host, String name, String port, String https, String authority) {
        Stream<String> variables =
                Stream.of("REQUEST_METHOD", "GET", "REQUEST_URI", "/", "SERVER_NAME", name, "HTTPS", https);
        if (host != null) variables = Stream.concat(variables, Stream.of("HTTP_HOST", host));
        if (port != null) variables = Stream.concat(variables, Stream.of("SERVER_PORT", port));

        CGIRequest request = map(variables.toArray(String[]::new));

        assertThat(request.failure()).isNull();
        assertThat(request.getHttpURI().asString())
                .isEqualTo((https.equals("on") ? "https://" : "http://") + authority + "/");
        assertThat(request.getHttpURI().getAuthority()).isEqualTo(authority);
        assertThat(request.getHttpFields().get(HttpHeader.HOST))
                .isEqualTo(host == null || host.isEmpty() ? null : host.strip());
    }

    @Test
    void serverNameThatIsNoHostIsNoAuthority() {
        CGIRequest request = map(
                "REQUEST_METHOD",
                "GET",
                "REQUEST_URI",
                "/a",
                "SERVER_NAME",
                "~^(?<name>.+)\\.test$",
                "SERVER_PORT",
                "80");

        assertThat(request.failure()).isNull();
        assertThat(request.getHttpURI().hasAuthority()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", textBlock = """
            # SERVER_NAME, SERVER_ADDR, SERVER_PORT, configured,         URI
            -,             192.0.2.2,   8080,        -,                  http://192.0.2.2:8080/a
            '',            192.0.2.2,   80,          -,                  http://192.0.2.2/a
            ~^.+$,         2001:db8::1, 8080,        -,                  http://[2001:db8::1]:8080/a
            -,             192.0.2.2,   -,           -,                  http://192.0.2.2/a
            -,             unix:/run/x, 8080,        -,                  http:/a
            -,             192.0.2.2,   8080,        configured.example, http://configured.example/a
            name.example,  192.0.2.2,   8080,        configured.example, http://name.example:8080/a
            """)
    void requestWithoutHostAndNameGoesToTheServersAddress(
            String serverName, String serverAddr, String serverPort, String configured, String uri) {
        HostPort serverAuthority = configured == null ? null : new HostPort(configured);
        RequestMapper mapper = new RequestMapper(PathSource.REQUEST_URI, HttpCompliance.RFC9110, serverAuthority);
        List<String> variables = new ArrayList<>(List.of("REQUEST_METHOD", "GET", "REQUEST_URI", "/a"));
        if (serverName != null) variables.addAll(List.of("SERVER_NAME", serverName));
        if (serverAddr != null) variables.addAll(List.of("SERVER_ADDR", serverAddr));
        if (serverPort != null) variables.addAll(List.of("SERVER_PORT", serverPort));

        CGIRequest request = mapper.map(0, Variables.of(variables.toArray(String[]::new)), new VariableCache());

        assertThat(request.getHttpURI()).hasToString(uri);
    }

    @Test
    void requestWithoutAnyHostHasNoAuthority() {
        CGIRequest request = map(
                "REQUEST_METHOD", "GET", "REQUEST_URI", "/a", "HTTP_HOST", "", "SERVER_NAME", "", "SERVER_PORT", "80");

        assertThat(request.failure()).isNull();
        assertThat(request.getHttpURI().hasAuthority()).isFalse();
        assertThat(request.getHttpURI().getPath()).isEqualTo("/a");
        assertThat(request.getHttpFields()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a b", "a/b", "a?b", "a@b", "\u00e4", ":80", "a:x", "a:99999", "a:-1", "[::1", "[x]", "a:b:c"})
    void hostThatIsNoneIsRefused(String host) {
        assertRefused(map("REQUEST_METHOD", "GET", "REQUEST_URI", "/", "HTTP_HOST", host));
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP/0.9, HTTP_0_9",
        "HTTP/1.0, HTTP_1_0",
        "HTTP/1.1, HTTP_1_1",
        "HTTP/2.0, HTTP_2",
        "HTTP/2, HTTP_2",
        "HTTP/3.0, HTTP_3",
        "HTTP/3, HTTP_3",
        "HTTP/1.7, HTTP_1_1",
        "INCLUDED, HTTP_1_1"
    })
    void protocolIsToldAsItCame(String protocol, HttpVersion version) {
        CGIRequest request = map("REQUEST_METHOD", "GET", "REQUEST_URI", "/", "SERVER_PROTOCOL", protocol);

        assertThat(request.serverProtocol()).isEqualTo(protocol);
        assertThat(request.getHttpVersion()).isSameAs(version);
    }

    @ParameterizedTest
    @NullAndEmptySource
    void protocolIsHttp11WhereItIsNotTold(String protocol) {
        CGIRequest request = protocol == null
                ? map("REQUEST_METHOD", "GET", "REQUEST_URI", "/")
                : map("REQUEST_METHOD", "GET", "REQUEST_URI", "/", "SERVER_PROTOCOL", protocol);

        assertThat(request.serverProtocol()).isEqualTo("HTTP/1.1");
        assertThat(request.getHttpVersion()).isSameAs(HttpVersion.HTTP_1_1);
    }

    @Test
    void expectationIsVisibleButNotActedOn() {
        CGIRequest request = map("REQUEST_METHOD", "PUT", "REQUEST_URI", "/", "HTTP_EXPECT", "100-continue");

        assertThat(request.getHttpFields().get(HttpHeader.EXPECT)).isEqualTo("100-continue");
        assertThat(request.is100ContinueExpected()).isFalse();
    }

    @Test
    void longValuesAreMappedLikeShortOnes() {
        String value = "v".repeat(70_000);

        CGIRequest request = map(
                "REQUEST_METHOD",
                "GET",
                "REQUEST_URI",
                "/" + value,
                "HTTP_HOST",
                "h".repeat(3000),
                "HTTP_X_LONG",
                value,
                "CONTENT_TYPE",
                value);

        assertThat(request.failure()).isNull();
        assertThat(request.getHttpURI().asString()).isEqualTo("http://" + "h".repeat(3000) + "/" + value);
        assertThat(request.getHttpFields().get("X-Long")).isEqualTo(value);
        assertThat(request.getHttpFields().get(HttpHeader.CONTENT_TYPE)).isEqualTo(value);
    }

    @Test
    void manyFieldsAreMapped() {
        String[] variables = new String[4 + 2 * 500];
        variables[0] = "REQUEST_METHOD";
        variables[1] = "GET";
        variables[2] = "REQUEST_URI";
        variables[3] = "/";
        for (int i = 0; i < 500; i++) {
            variables[4 + 2 * i] = "HTTP_X_" + i;
            variables[5 + 2 * i] = "value " + i;
        }

        for (int round = 0; round < 3; round++) {
            CGIRequest request = map(variables);

            assertThat(request.getHttpFields()).hasSize(500);
            for (int i = 0; i < 500; i++)
                assertThat(request.getHttpFields().get("X-" + i)).isEqualTo("value " + i);
        }
    }

    private CGIRequest map(String... namesAndValues) {
        return mapper.map(0, Variables.of(namesAndValues), cache);
    }

    private HttpField onlyField(String variable, String value) {
        CGIRequest request = map("REQUEST_METHOD", "GET", "REQUEST_URI", "/", variable, value);
        assertThat(request.failure()).isNull();
        assertThat(request.getHttpFields()).hasSize(1);
        return request.getHttpFields().getField(0);
    }

    private static void assertRefused(CGIRequest request) {
        assertThat(request.failure()).isNotNull();
        assertThat(request.failure().getCode()).isEqualTo(400);
    }
}

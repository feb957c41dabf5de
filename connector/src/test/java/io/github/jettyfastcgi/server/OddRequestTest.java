package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Requests as no browser sends them, over HTTP and over FastCGI, as a web server would pass them that changes nothing:
 * the same status, and the same request for the handler if there is one, unless the table says why not.
 */
class OddRequestTest extends ConnectionTestBase {
    private static final String SCHEME = "the scheme is the web server's: no client can claim TLS";
    private static final String NO_HOST = "the web server has let it pass, and tells its own name";
    private static final String HOP_BY_HOP = "it is about the connection between client and web server";
    private static final String LENGTH = "this is how nginx, Caddy tell that there is no length";

    /**
     * A request.
     *
     * @param difference why it isn't the same over FastCGI, or {@code null}
     * @param lines request line and fields; each {@code char} is a byte
     */
    record Odd(String difference, String... lines) {
        @Override
        public String toString() {
            return String.join(" | ", lines).replaceAll("[^ -~]", "?");
        }
    }

    private static Odd same(String... lines) {
        return new Odd(null, lines);
    }

    private static Odd differs(String why, String... lines) {
        return new Odd(why, lines);
    }

    private static Odd get(String target) {
        return same("GET " + target + " HTTP/1.1", "Host: h");
    }

    private static Odd withField(String... fields) {
        return same(getWith(fields));
    }

    private static String[] getWith(String... fields) {
        return lines("GET /a HTTP/1.1", fields);
    }

    private static String[] postWith(String... fields) {
        return lines("POST /a HTTP/1.1", fields);
    }

    private static String[] lines(String requestLine, String... fields) {
        return Stream.concat(Stream.of(requestLine, "Host: h"), Stream.of(fields))
                .toArray(String[]::new);
    }

    private static Odd withHost(String host) {
        return same("GET /a HTTP/1.1", "Host: " + host);
    }

    static Stream<Odd> targets() {
        return Stream.of(
                get("/"),
                get("//"),
                get("//other/a"),
                get("/a//b"),
                get("/a/../b"),
                get("/a/./b"),
                get("/a/.."),
                get("/../a"),
                get("/a/%2e%2e/b"),
                get("/a/%2E./b"),
                get("/a/.%2e"),
                get("/%2e%2e/a"),
                get("/a;x/b"),
                get("/a;x=1/..;y/b"),
                get("/a/..;/b"),
                get("/;x"),
                get("/a%2Fb"),
                get("/a%2fb"),
                get("/a%5Cb"),
                get("/a\\b"),
                get("/a%25b"),
                get("/a%00b"),
                get("/a%01b"),
                get("/a%7Fb"),
                get("/a%0Ab"),
                get("/a%zzb"),
                get("/a%"),
                get("/a%2"),
                get("/a%u0041"),
                get("/a%C3%A4"),
                get("/a%E4"),
                get("/a%C0%AF"),
                get("/a\u00c3\u00a4"),
                get("/a\u00e4"),
                get("/a\u0001b"),
                get("/a\u007fb"),
                get("/a\tb"),
                get("/a?"),
                get("/a??b"),
                get("/a?b=%zz"),
                get("/a?b=%00"),
                get("/a?b=%E4"),
                get("/a?b=\u00e4"),
                get("/a?b=/../c"),
                get("/a#b"),
                get("/a?b#c"),
                get("/a[b]{c}|d^e`f\"g<h>"),
                get("/a b"),
                get("a"),
                get("*"),
                get("h:80"),
                differs("this is what nginx leaves of http://h?a", "GET ?a HTTP/1.1", "Host: h"),
                get("http://h/a"),
                get("http://h"),
                get("http://h?a"),
                get("http://H/a"),
                get("http://h:80/a"),
                get("http://h:8080/a"),
                get("http://other/a"),
                get("http://user@h/a"),
                get("http://user:password@h/a"),
                get("http:///a"),
                get("http://h:x/a"),
                get("http:/a"),
                differs(SCHEME, "GET https://h/a HTTP/1.1", "Host: h"),
                differs(SCHEME, "GET ftp://h/a HTTP/1.1", "Host: h"));
    }

    static Stream<Odd> methodsAndHosts() {
        return Stream.of(
                same("OPTIONS * HTTP/1.1", "Host: h"),
                same("OPTIONS /a HTTP/1.1", "Host: h"),
                same("CONNECT h:443 HTTP/1.1", "Host: h:443"),
                differs("Caddy passes / for whatever the client has asked for", "CONNECT / HTTP/1.1", "Host: h"),
                same("get /a HTTP/1.1", "Host: h"),
                same("TRACE /a HTTP/1.1", "Host: h"),
                same("FOO /a HTTP/1.1", "Host: h"),
                same("G@T /a HTTP/1.1", "Host: h"),
                same("PRI /a HTTP/1.1", "Host: h"),
                withHost("h:8080"),
                withHost("H.Example.COM."),
                withHost("[::1]:8080"),
                withHost("[::1"),
                withHost("h:"),
                withHost("h:x"),
                withHost("h:99999"),
                withHost("h:-1"),
                withHost(":80"),
                withHost("user@h"),
                withHost("h/a"),
                withHost("h h"),
                withHost("h?x"),
                withHost("h_h"),
                withHost("\u00e4"),
                differs("HTTP/1.0 knows no Host, for which Caddy passes an empty one", "GET /a HTTP/1.1", "Host:"),
                differs("of a repeated variable the last counts", getWith("Host: h")),
                differs("of a repeated variable the last counts", getWith("Host: other")),
                differs(NO_HOST, "GET /a HTTP/1.1"),
                differs(NO_HOST, "GET /a HTTP/1.0"));
    }

    static Stream<Odd> fields() {
        return Stream.of(
                withField("X: "),
                withField("X:  a \t b  "),
                withField("X: a", "X: b"),
                withField("X: \u00c3\u00a4 \u00e4"),
                withField("X: a\0b"),
                withField("X: a\u0001b"),
                withField("X: a\u007fb"),
                withField("X@Y: a"),
                withField("X\u00e4: a"),
                withField("X Y: a"),
                withField("X~!#$%&'*+.^`|: a"),
                withField("Cookie: a=1", "Cookie: b=2"),
                withField("Connection: X", "X: a"),
                withField("Expect: 100-continue"),
                differs("variables have _ for - (RFC 3875, section 4.1.18)", getWith("X_Y: a")),
                differs("libraries take HTTP_PROXY for the environment's", getWith("Proxy: http://evil")),
                differs(HOP_BY_HOP, getWith("Keep-Alive: 5")),
                differs(HOP_BY_HOP, getWith("TE: trailers")),
                differs(HOP_BY_HOP, getWith("Upgrade: x")),
                differs(HOP_BY_HOP, getWith("Proxy-Authorization: x")),
                differs("the web server has answered the expectation", getWith("Expect: something")),
                differs("RFC 3875 has no empty CONTENT_TYPE, which nginx sends always", getWith("Content-Type: ")));
    }

    static Stream<Odd> contents() {
        return Stream.of(
                same(postWith()),
                same(postWith("Content-Length: 0")),
                same(postWith("Content-Length: 7")),
                same(postWith("Content-Length: 007")),
                same(postWith("Content-Length: +7")),
                same(postWith("Content-Length: x")),
                same(postWith("Content-Length: 7 7")),
                same(postWith("Content-Length: 0x7")),
                same(postWith("Content-Length: 99999999999999999999")),
                differs(LENGTH, postWith("Content-Length: ")),
                differs(LENGTH, postWith("Content-Length: -1")),
                differs("of a repeated variable the last counts", postWith("Content-Length: 7", "Content-Length: 7")),
                same(postWith("Content-Length: 7", "Content-Length: 8")),
                differs("a client can forge it", postWith("Content-Length: 7", "Content_Length: 3")),
                differs("a client can forge it", postWith("Content-Length: 7", "Content_Type: text/plain")));
    }

    @ParameterizedTest
    @MethodSource({"targets", "methodsAndHosts", "fields", "contents"})
    void isTheSameOverFastCGI(Odd odd) throws Exception {
        check(odd, new HttpConfiguration());
    }

    @ParameterizedTest
    @MethodSource({"targets", "methodsAndHosts", "fields", "contents"})
    void isTheSameOverFastCGIWhereCompliancesAreLax(Odd odd) throws Exception {
        HttpConfiguration lax = new HttpConfiguration();
        lax.setUriCompliance(UriCompliance.UNSAFE);
        lax.setHttpCompliance(HttpCompliance.LEGACY);
        check(odd, lax);
    }

    private void check(Odd odd, HttpConfiguration compliances) throws Exception {
        expectWarning("HostPort");
        expectWarning("HttpParser");
        configuration.setUriCompliance(compliances.getUriCompliance());
        configuration.setHttpCompliance(compliances.getHttpCompliance());
        ServerConnector http = new ServerConnector(server, 1, 1, new HttpConnectionFactory(compliances));
        http.setHost("127.0.0.1");
        server.addConnector(http);
        startLocal(OddRequestTest::describe);

        String overHttp = overHttp(http.getLocalPort(), odd);
        String overFastCGI = overFastCGI(connectLocal(), odd);

        if (odd.difference == null) assertThat(overFastCGI).isEqualTo(overHttp);
        else assertThat(overFastCGI).as(odd.difference).isNotEqualTo(overHttp);
    }

    static boolean describe(Request request, Response response, Callback callback) throws Exception {
        HttpURI uri = request.getHttpURI();
        List<String> fields = new ArrayList<>();
        for (HttpField field : request.getHeaders())
            if (field.getHeader() != HttpHeader.CONNECTION)
                fields.add(field.getName().toLowerCase(Locale.ROOT) + ": " + field.getValue());
        // The order of different names is lost among variables
        fields.sort(Comparator.comparing(field -> field.substring(0, field.indexOf(':'))));
        String text = request.getMethod() + " " + uri + "\n"
                + "path " + uri.getPath() + ", canonical " + uri.getCanonicalPath() + ", decoded "
                + uri.getDecodedPath() + ", parameter " + uri.getParam() + ", query " + uri.getQuery() + "\n"
                + "server " + Request.getServerName(request) + ":" + Request.getServerPort(request)
                + (request.isSecure() ? " secure" : "") + "\n"
                + String.join("\n", fields) + "\n"
                + "content " + request.getLength() + " " + Content.Source.asString(request);
        return answer(response, callback, text);
    }

    private static String content(Odd odd) {
        return Arrays.stream(odd.lines).anyMatch(line -> line.matches("Content-Length: 0*[78]")) ? "content" : "";
    }

    static String overHttp(int port, Odd odd) throws Exception {
        String request = String.join("\r\n", odd.lines) + "\r\nConnection: close\r\n\r\n" + content(odd);
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            socket.shutdownOutput();
            byte[] bytes = socket.getInputStream().readAllBytes();
            String response = new String(bytes, StandardCharsets.ISO_8859_1);
            assertThat(response).startsWith("HTTP/1.");
            String status = response.substring(9, 12);
            return status.equals("200") ? response.substring(response.indexOf("\r\n\r\n") + 4) : status;
        }
    }

    static String overFastCGI(LocalPeer peer, Odd odd) throws Exception {
        String line = odd.lines[0];
        String method = line.substring(0, line.indexOf(' '));
        List<String> variables = new ArrayList<>(List.of(
                "SERVER_NAME",
                "server",
                "SERVER_PORT",
                "8000",
                "REQUEST_METHOD",
                method,
                "REQUEST_URI",
                line.substring(method.length() + 1, line.lastIndexOf(' ')),
                "SERVER_PROTOCOL",
                line.substring(line.lastIndexOf(' ') + 1)));
        for (int i = 1; i < odd.lines.length; i++) {
            String name = odd.lines[i].substring(0, odd.lines[i].indexOf(':'));
            boolean isContent = name.equals("Content-Length") || name.equals("Content-Type");
            variables.add(
                    (isContent ? "" : "HTTP_") + name.toUpperCase(Locale.ROOT).replace('-', '_'));
            variables.add(odd.lines[i].substring(name.length() + 1).replaceAll("^[ \\t]+|[ \\t]+\\z", ""));
        }
        peer.begin(1, Wire.RESPONDER, Wire.KEEP).params(1, variables.toArray(String[]::new));
        peer.endParams(1).stdin(1, content(odd)).endStdin(1).send();
        Answer answer = peer.readAnswer(1);
        return answer.status() == 200 ? answer.text() : Integer.toString(answer.status());
    }
}

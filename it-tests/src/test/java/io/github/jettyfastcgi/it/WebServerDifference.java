package io.github.jettyfastcgi.it;

import static io.github.jettyfastcgi.it.WebServer.APACHE;
import static io.github.jettyfastcgi.it.WebServer.CADDY;
import static io.github.jettyfastcgi.it.WebServer.H2O;
import static io.github.jettyfastcgi.it.WebServer.HAPROXY;
import static io.github.jettyfastcgi.it.WebServer.LIGHTTPD;
import static io.github.jettyfastcgi.it.WebServer.NGINX;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Where web servers differ: what is seen behind most of them, or as over HTTP, and behind which one something else, for a
 * reason that lies with it and not with Jetty. Tests allow no other difference.
 */
enum WebServerDifference {
    // Connections
    KEPT_CONNECTIONS(
            "Connections to Jetty",
            "kept",
            at(LIGHTTPD, "one for each request", "it never asks Jetty to keep one"),
            at(CADDY, "one for each request", "it never asks Jetty to keep one"),
            at(H2O, "one for each request", "it never asks Jetty to keep one")),
    CONTENT_WHILE_IT_COMES(
            "Content of a request is passed on",
            "while it comes",
            at(NGINX, "when it is whole", "unless `fastcgi_request_buffering` is off"),
            at(LIGHTTPD, "when it is whole", "unless `server.stream-request-body` is set"),
            at(H2O, "when it is whole", "it always gathers content")),

    // The request line
    TRACE("TRACE is answered by", "Jetty: 403", at(NGINX, "itself: 405", "it knows no TRACE")),
    OPTIONS_OF_SERVER(
            "`OPTIONS *` is answered by",
            "Jetty: 200",
            at(NGINX, "itself: 400", "it takes no target but paths and URLs"),
            at(APACHE, "itself: 200", "it takes itself for the server that is meant"),
            at(LIGHTTPD, "itself: 200", "it takes itself for the server that is meant"),
            at(HAPROXY, "itself: 500", "it begins a request without variables, and aborts it"),
            at(CADDY, "itself: 200", "it takes itself for the server that is meant")),
    CONNECT(
            "CONNECT is answered by",
            "Jetty: 501",
            at(NGINX, "itself: 400", "it takes no target but paths and URLs"),
            at(LIGHTTPD, "itself: 400", "it takes no target but paths and URLs"),
            at(HAPROXY, "itself: 502", "it begins a request without variables, and aborts it")),
    UNKNOWN_METHOD("A method of no standard", "passed", at(LIGHTTPD, "501", "its list of methods is fixed")),
    GET_WITH_CONTENT("GET with content", "passed", at(LIGHTTPD, "400", "it takes the content for an error")),
    ABSOLUTE_TARGET_OF_ANOTHER_HOST(
            "`GET http://a:81/` with `Host: b`",
            "400",
            at(NGINX, "http://a/", "the target counts (RFC 9112, section 3.2.2), but `$host` has no port"),
            at(APACHE, "http://a:81/", "the target counts (RFC 9112, section 3.2.2)"),
            at(CADDY, "http://a:81/", "the target counts (RFC 9112, section 3.2.2)")),
    NO_HOST(
            "Host of an HTTP/1.0 request without Host",
            "the site's",
            at(LIGHTTPD, "an address", "without `server.name`, it tells its address"),
            at(HAPROXY, "an address", "it tells its address"),
            at(CADDY, "none", "it tells nothing")),
    TWO_HOSTS("Two Host fields that differ", "400", at(H2O, "the last counts", "it goes by the last")),
    BAD_PORT_IN_HOST(
            "`Host: a:x`", "400", at(NGINX, "passed", "`$host` is what stands before the colon, whatever follows")),
    NUL_IN_PATH("`%00` in the path", "400", at(APACHE, "404", "it finds no resource of that name")),
    ILLEGAL_CHARACTER_IN_PATH("`/a|b`", "400", at(CADDY, "/a%7Cb", "it encodes what should have been")),
    RAW_UTF8_IN_PATH("UTF-8 in the path, not encoded", "400", at(CADDY, "passed", "it encodes what should have been")),

    // Fields of the request
    LOCAL_ADDRESS(
            "Local address and port of a request",
            "the web server's",
            at(CADDY, "Jetty's own", "2.6 doesn't know the placeholder `http.request.local.host`")),
    REPEATED_FIELD(
            "A field that comes twice",
            "two fields",
            at(APACHE, "joined by a comma", "RFC 9110, section 5.3, allows it"),
            at(LIGHTTPD, "joined by a comma", "RFC 9110, section 5.3, allows it"),
            at(CADDY, "joined by a comma", "RFC 9110, section 5.3, allows it")),
    SEVERAL_COOKIE_FIELDS(
            "Two Cookie fields in HTTP/1.1",
            "two cookies",
            at(APACHE, "none", "a comma joins the fields, and no cookies; browsers send one field"),
            at(CADDY, "none", "a comma joins the fields, and no cookies; browsers send one field")),
    EMPTY_FIELD("A field without a value", "passed", at(LIGHTTPD, "dropped", "it keeps no empty fields")),
    FOLDED_FIELD("A field over two lines", "passed", at(NGINX, "400", "RFC 9112, section 5.2, demands it")),
    LONG_FIELD(
            "A field of 15 KB",
            "passed",
            at(NGINX, "400", "unless `large_client_header_buffers` are larger"),
            at(APACHE, "400", "unless `LimitRequestFieldSize` is larger"),
            at(LIGHTTPD, "431", "unless `server.max-request-field-size` is larger")),
    UNDERSCORE_IN_NAME(
            "`X_Under`",
            "dropped",
            at(LIGHTTPD, "as X-Under", "names look alike as variables"),
            at(CADDY, "as X-Under", "names look alike as variables"),
            at(H2O, "as X-Under", "names look alike as variables")),
    ODD_NAME(
            "`X-Odd.Name~1`",
            "dropped",
            at(LIGHTTPD, "as X-Odd-Name-1", "it makes underscores of all but letters and digits"),
            at(CADDY, "passed", "it makes a variable of any name"),
            at(H2O, "passed", "it makes a variable of any name")),
    FORWARDED_FOR(
            "X-Forwarded-For, as the application reads it",
            "the client's",
            at(CADDY, "the web server's", "it replaces what it doesn't trust")),
    TWO_CONTENT_LENGTHS(
            "Two Content-Length fields that differ", "400", at(H2O, "the first counts", "it goes by the first")),
    CONTENT_WITHOUT_TYPE(
            "Content-Type of a POST without one",
            "none",
            at(CADDY, "application/x-www-form-urlencoded", "it adds the type, so that parameters are looked for")),
    CONTENT_TYPE_OF_NO_CONTENT(
            "Content-Type of a DELETE without content",
            "none",
            at(CADDY, "application/x-www-form-urlencoded", "it adds the type to all but GET, HEAD and OPTIONS")),
    LARGE_CHUNKED_CONTENT(
            "Chunked content of 1 MB",
            "passed",
            at(HAPROXY, "400", "content without a length has to fit into a buffer, `tune.bufsize`")),

    // TLS
    HTTP_2("Protocol of a request over HTTP/2", "HTTP/2.0", at(H2O, "HTTP/2", "its spelling")),
    CIPHER_SUITE("Cipher suite and key size", "told", at(H2O, "not told", "it has no variables for TLS")),
    TLS_SESSION(
            "Id of a new TLS session",
            "told",
            at(NGINX, "not told", "unless `ssl_session_tickets` is off"),
            at(LIGHTTPD, "not told", "it has no variable for it"),
            at(CADDY, "not told", "it has no variable for it"),
            at(H2O, "not told", "it has no variables for TLS")),
    CLIENT_CERTIFICATE("Certificate of the client", "told", at(H2O, "not told", "it asks for none")),

    // Responses
    SERVER_FIELD("Server field", "the web server's", at(HAPROXY, "none", "it has none")),
    STATUS_FIELD("Status field", "none", at(CADDY, "there", "it lets that of FastCGI pass")),
    REPEATED_RESPONSE_FIELD(
            "A response field that comes twice",
            "two fields",
            at(APACHE, "joined by a comma", "RFC 9110, section 5.3, allows it; Set-Cookie stays apart")),
    EMPTY_RESPONSE_FIELD(
            "A response field without a value", "passed", at(LIGHTTPD, "dropped", "it keeps no empty fields")),
    LONG_RESPONSE_FIELD(
            "A response field of 15 KB",
            "passed",
            at(APACHE, "500", "a line may have 8 KB"),
            at(HAPROXY, "502", "all fields together have to fit into a buffer, `tune.bufsize`")),
    MANY_RESPONSE_FIELDS(
            "150 response fields",
            "passed",
            at(HAPROXY, "502", "unless `tune.http.maxhdr` is larger"),
            at(H2O, "503", "its limit is fixed")),
    TRUNCATED_RESPONSE(
            "What a response of unknown length that fails midway looks like",
            "failed",
            at(LIGHTTPD, Deviation.BY_CHANCE, "it may take the end of the connection for the end of the response"),
            at(CADDY, Deviation.BY_CHANCE, "it may take the end of the connection for the end of the response"),
            at(H2O, "whole", "it takes the end of the connection for the end of the response"));

    /** What is seen behind one web server, and why. */
    record Deviation(WebServer server, String value, String reason) {
        /** The value of what comes out one way or the other. */
        static final String BY_CHANCE = "by chance";
    }

    private final String title;
    private final String common;
    private final Map<WebServer, Deviation> deviations;

    WebServerDifference(String title, String common, Deviation... deviations) {
        this.title = title;
        this.common = common;
        this.deviations = Arrays.stream(deviations).collect(Collectors.toMap(Deviation::server, Function.identity()));
    }

    private static Deviation at(WebServer server, String value, String reason) {
        return new Deviation(server, value, reason);
    }

    /** What differs, for people. */
    String title() {
        return title;
    }

    /** What has to be seen behind the web server. */
    String expected(WebServer server) {
        return deviations.containsKey(server) ? deviations.get(server).value() : common;
    }

    /** Why it isn't the common value; null when it is. */
    String reason(WebServer server) {
        return deviations.containsKey(server) ? deviations.get(server).reason() : null;
    }
}

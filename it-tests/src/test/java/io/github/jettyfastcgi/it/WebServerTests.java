package io.github.jettyfastcgi.it;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Tests that hold with every web server, whichever way it reaches Jetty. Where the web server itself makes a difference,
 * a {@link WebServerDifference} says which and why, and {@link #check} compares with it.
 */
interface WebServerTests {
    String HOST = "Host: www.example.com";
    String INFO = "/info?format=json";

    WebServersSite site();

    /** Compares what was seen with what is known of this web server. */
    void check(WebServerDifference difference, Object actual);

    default RawConnection open() throws IOException {
        return new RawConnection(site().port());
    }

    /** Sends lines on a connection of their own, and reads the response. */
    default RawConnection.Response exchange(String... lines) throws IOException {
        return exchange(site().port(), lines);
    }

    /** The same with Jetty's own HTTP connector. */
    default RawConnection.Response exchangeDirectly(String... lines) throws IOException {
        return exchange(site().directPort(), lines);
    }

    private static RawConnection.Response exchange(int port, String... lines) throws IOException {
        try (RawConnection connection = new RawConnection(port)) {
            connection.sendHead(lines);
            return connection.read();
        }
    }

    /** A GET with further fields. */
    default RawConnection.Response get(String target, String... fields) throws IOException {
        return exchange(head("GET", target, fields));
    }

    /** What the application was told of a GET with these fields. */
    default Info info(String... fields) throws IOException {
        return Info.of(get(INFO, fields));
    }

    /** A request with content of known length. */
    default RawConnection.Response send(String method, String target, byte[] content, String... fields)
            throws IOException {
        try (RawConnection connection = open()) {
            connection.sendHead(head(method, target, with(fields, "Content-Length: " + content.length)));
            connection.send(content);
            return connection.read();
        }
    }

    /** The lines of a request's head. */
    static String[] head(String method, String target, String... fields) {
        return with(new String[] {method + " " + target + " HTTP/1.1", HOST}, fields);
    }

    private static String[] with(String[] lines, String... more) {
        List<String> all = new ArrayList<>(List.of(lines));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A text as {@link RawConnection#sendHead} has to be given it to send it as UTF-8. */
    static String utf8Bytes(String text) {
        return new String(utf8(text), StandardCharsets.ISO_8859_1);
    }

    /** How the values "one" and "two" of a repeated field came. */
    static Object repetition(List<String> values) {
        if (values.equals(List.of("one", "two"))) {
            return "two fields";
        }
        return values.equals(List.of("one, two")) ? "joined by a comma" : values;
    }

    /** The content type that the application sees. */
    static String typeOf(Info info) {
        List<String> types = info.header("Content-Type");
        return types.isEmpty() ? "none" : String.join(", ", types);
    }

    /** Whether the application answered, or else the status. */
    static String outcome(RawConnection.Response response) {
        return response.status() == 200 ? "passed" : Integer.toString(response.status());
    }
}

package io.github.jettyfastcgi.it;

import io.github.jettyfastcgi.it.RawConnection.Field;
import io.github.jettyfastcgi.it.RawConnection.Head;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** An HTTP client that keeps its connection as long as the server does, and the cookies it is given. */
final class Client implements AutoCloseable {
    private final int port;
    private final Map<String, String> cookies = new LinkedHashMap<>();
    private RawConnection connection;

    Client(int port) {
        this.port = port;
    }

    /**
     * Sends a request and reads the answer to it.
     *
     * @param request every byte of it
     * @param hasContent whether content belongs to the answer: HEAD requests have none
     */
    Answer send(byte[] request, boolean hasContent) throws IOException {
        if (connection == null) {
            connection = new RawConnection(port);
        }
        connection.send(request);
        Head head = connection.readHead();
        while (head.status() < 200) {
            head = connection.readHead();
        }
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        boolean whole = !hasContent || copy(connection.body(head), content);
        Answer answer = new Answer(head, content.toByteArray(), whole, connection.localPort());
        if (!whole || head.field("Connection").filter("close"::equals).isPresent()) {
            close();
        }
        head.fields().forEach(this::takeCookie);
        return answer;
    }

    /** Sends a GET request. */
    Answer get(String target) throws IOException {
        String request = "GET " + target + " HTTP/1.1\r\nHost: www.example.com\r\n\r\n";
        return send(request.getBytes(StandardCharsets.ISO_8859_1), true);
    }

    private static boolean copy(InputStream source, ByteArrayOutputStream target) throws IOException {
        try {
            source.transferTo(target);
            return true;
        } catch (EOFException e) {
            return false;
        }
    }

    private void takeCookie(Field field) {
        if (field.name().equalsIgnoreCase("Set-Cookie")) {
            String[] pair = field.value().split(";", 2)[0].split("=", 2);
            cookies.put(pair[0], pair[1]);
        }
    }

    /** The value of a Cookie field with everything that Set-Cookie fields brought, wherever it belongs. */
    String cookies() {
        return cookies.entrySet().stream()
                .map(cookie -> cookie.getKey() + "=" + cookie.getValue())
                .collect(Collectors.joining("; "));
    }

    /** The value of one cookie, or null. */
    String cookie(String name) {
        return cookies.get(name);
    }

    @Override
    public void close() throws IOException {
        if (connection != null) {
            connection.close();
            connection = null;
        }
    }
}

package io.github.jettyfastcgi.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A client that goes through a web application one way, and remembers what it got. */
final class Visitor implements AutoCloseable {
    static final String NAMES = "(?i)visitor[ab]";

    private static final String BOUNDARY = "----boundary-of-the-visit";

    private static final int MAX_REDIRECTS = 5;

    private final Way way;
    private final Client client;
    private final List<Step> steps = new ArrayList<>();
    private boolean sendsCookies = true;

    /**
     * A request and its answer.
     *
     * @param request method and target
     * @param answer what came
     */
    record Step(String request, Answer answer) {}

    Visitor(Way way, int port) {
        this.way = way;
        this.client = new Client(port);
    }

    /** A name that the visitor of the other way doesn't have, of the same length. */
    String name() {
        return way == Way.HTTP ? "VisitorA" : "VisitorB";
    }

    List<Step> steps() {
        return steps;
    }

    /** Takes no cookies any more, so that a session has to be in the URLs. */
    void refuseCookies() {
        sendsCookies = false;
    }

    Answer get(int status, String target, String... fields) throws IOException {
        return send(status, "GET", target, null, fields);
    }

    /** Gets what the last answer redirects to, and what that redirects to, until it is a page. */
    Answer follow(int status) throws IOException {
        Answer answer = steps.get(steps.size() - 1).answer();
        for (int i = 0; i < MAX_REDIRECTS && isRedirect(answer); i++) {
            answer = send("GET", resolve(answer.field("Location")), null);
        }
        assertStatus(status, answer);
        return answer;
    }

    private static boolean isRedirect(Answer answer) {
        return answer.status() > 300 && answer.status() < 304;
    }

    /** A target as seen from the last one. */
    String resolve(String reference) {
        String last = steps.get(steps.size() - 1).request().split(" ")[1];
        URI uri = URI.create(last).resolve(reference);
        return uri.getRawQuery() == null ? uri.getRawPath() : uri.getRawPath() + "?" + uri.getRawQuery();
    }

    /** Sends what a form without files sends. */
    Answer post(int status, String target, Map<String, String> form, String... fields) throws IOException {
        String content = form.entrySet().stream()
                .map(entry -> encode(entry.getKey()) + "=" + encode(entry.getValue()))
                .collect(Collectors.joining("&"));
        return send(
                status,
                "POST",
                target,
                content.getBytes(UTF_8),
                with(fields, "Content-Type: application/x-www-form-urlencoded"));
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, UTF_8);
    }

    /** Sends what a form with a file sends. */
    Answer upload(int status, String target, Map<String, String> form, String fileField, String fileName, byte[] file)
            throws IOException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        form.forEach((name, value) -> content.writeBytes(part(name, "", value.getBytes(UTF_8))));
        content.writeBytes(
                part(fileField + "\"; filename=\"" + fileName, "Content-Type: application/octet-stream\r\n", file));
        content.writeBytes(("--" + BOUNDARY + "--\r\n").getBytes(UTF_8));
        return send(
                status,
                "POST",
                target,
                content.toByteArray(),
                "Content-Type: multipart/form-data; boundary=" + BOUNDARY);
    }

    private static byte[] part(String name, String fields, byte[] value) {
        ByteArrayOutputStream part = new ByteArrayOutputStream();
        String head =
                "--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n" + fields + "\r\n";
        part.writeBytes(head.getBytes(UTF_8));
        part.writeBytes(value);
        part.writeBytes("\r\n".getBytes(UTF_8));
        return part.toByteArray();
    }

    /**
     * Sends a request.
     *
     * @param status what the answer must have
     * @param content with its length, unless a field Transfer-Encoding says that it is in chunks; or null
     * @param fields besides those for host, cookies and length
     */
    Answer send(int status, String method, String target, byte[] content, String... fields) throws IOException {
        Answer answer = send(method, target, content, fields);
        assertStatus(status, answer);
        return answer;
    }

    private Answer send(String method, String target, byte[] content, String... fields) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add(method + " " + target + " HTTP/1.1");
        lines.add("Host: www.example.com");
        if (sendsCookies && !client.cookies().isEmpty()) {
            lines.add("Cookie: " + client.cookies());
        }
        lines.addAll(Arrays.asList(fields));
        if (content != null && Arrays.stream(fields).noneMatch("Transfer-Encoding: chunked"::equals)) {
            lines.add("Content-Length: " + content.length);
        }
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes((String.join("\r\n", lines) + "\r\n\r\n").getBytes(UTF_8));
        request.writeBytes(content == null ? new byte[0] : content);
        Answer answer = client.send(request.toByteArray(), !method.equals("HEAD"));
        steps.add(new Step(method + " " + target, answer));
        return answer;
    }

    private void assertStatus(int status, Answer answer) {
        String request = steps.get(steps.size() - 1).request();
        assertThat(answer.status())
                .as("%s over %s: %s", request, way, answer.text())
                .isEqualTo(status);
    }

    private static String[] with(String[] fields, String more) {
        String[] all = Arrays.copyOf(fields, fields.length + 1);
        all[fields.length] = more;
        return all;
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}

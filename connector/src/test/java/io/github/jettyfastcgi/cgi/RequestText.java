package io.github.jettyfastcgi.cgi;

import io.github.jettyfastcgi.protocol.Capture;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpURI;

/**
 * A request as text: what the mapper made of variables, and what it must have made of them.
 *
 * <pre>
 * GET http://www.example.com/app?x=1 HTTP/1.1
 * client 192.0.2.1:40000 local 192.0.2.2:80
 * Host: www.example.com
 * </pre>
 */
final class RequestText {
    private static final Set<String> DROPPED = Set.of(
            "HTTP_",
            "HTTP_CONNECTION",
            "HTTP_CONTENT_LENGTH",
            "HTTP_CONTENT_TYPE",
            "HTTP_KEEP_ALIVE",
            "HTTP_PROXY",
            "HTTP_TE",
            "HTTP_TRAILER",
            "HTTP_TRANSFER_ENCODING",
            "HTTP_UPGRADE");

    private RequestText() {}

    /** {@return the text of a mapped request} */
    static String of(CGIRequest request) {
        if (request.failure() != null) return Integer.toString(request.failure().getCode());
        List<String> lines = new ArrayList<>();
        lines.add(request.getMethod() + " " + request.getHttpURI() + " " + request.serverProtocol());
        lines.add("client " + address(request.remoteAddress()) + " local " + address(request.localAddress()));
        for (HttpField field : request.getHttpFields())
            lines.add((capitalized(field.getName()) + ": " + field.getValue()).stripTrailing());
        return String.join("\n", lines);
    }

    /** {@return all that a request tells} */
    static String inFull(CGIRequest request) {
        HttpURI uri = request.getHttpURI();
        return Stream.of(
                        of(request),
                        request.getHttpVersion(),
                        request.getContentLength(),
                        uri.getScheme(),
                        uri.getHost(),
                        uri.getPort(),
                        uri.getPath(),
                        uri.getParam(),
                        uri.getQuery(),
                        request.getHttpFields().asString(),
                        request.failure())
                .map(String::valueOf)
                .collect(Collectors.joining("\n"));
    }

    /** {@return the text that a captured request must have, told by RFC 3875 and nothing else} */
    static String of(Capture.Request request) {
        Map<String, String> variables = new LinkedHashMap<>();
        request.params().forEach(variable -> variables.put(variable.name(), variable.value()));
        List<String> lines = new ArrayList<>();
        lines.add(variables.get("REQUEST_METHOD") + " " + uri(variables) + " "
                + variables.getOrDefault("SERVER_PROTOCOL", "HTTP/1.1"));
        lines.add("client " + address(variables, "REMOTE_ADDR", "REMOTE_PORT") + " local "
                + address(variables, "SERVER_ADDR", "SERVER_PORT"));
        for (Capture.Variable variable : request.params())
            if (isField(variable.name()))
                lines.add((capitalized(variable.name().substring(5)) + ": "
                                + variable.value().strip())
                        .stripTrailing());
        addUnless(Set.of(""), variables.get("HTTP_HOST"), "Host: ", lines);
        addUnless(Set.of(""), variables.get("CONTENT_TYPE"), "Content-Type: ", lines);
        boolean expectsContent = Set.of("POST", "PUT", "PATCH").contains(variables.get("REQUEST_METHOD"));
        Set<String> noLengths = expectsContent ? Set.of("", "-1") : Set.of("", "-1", "0");
        addUnless(noLengths, variables.get("CONTENT_LENGTH"), "Content-Length: ", lines);
        return String.join("\n", lines);
    }

    private static void addUnless(Set<String> none, String value, String prefix, List<String> lines) {
        if (value != null && !none.contains(value)) lines.add(prefix + value);
    }

    private static boolean isField(String name) {
        return name.startsWith("HTTP_")
                && !name.equals("HTTP_HOST")
                && !name.startsWith("HTTP_PROXY_")
                && !DROPPED.contains(name);
    }

    private static String uri(Map<String, String> variables) {
        byte[] bytes = variables.get("REQUEST_URI").getBytes(StandardCharsets.ISO_8859_1);
        String target = new String(bytes, StandardCharsets.UTF_8);
        String scheme = "on".equals(variables.get("HTTPS")) ? "https" : "http";
        if (target.contains("://")) return scheme + target.substring(target.indexOf(':'));
        if (variables.get("REQUEST_METHOD").equals("CONNECT")) return scheme + "://" + target + "/";
        String authority = authority(variables);
        return scheme + (authority.isEmpty() ? ":" : "://" + authority) + target;
    }

    private static String authority(Map<String, String> variables) {
        String host = variables.getOrDefault("HTTP_HOST", "");
        if (!host.isEmpty()) return host;
        String name = variables.getOrDefault("SERVER_NAME", "");
        return name.isEmpty() || name.contains(":") ? name : name + ":" + variables.get("SERVER_PORT");
    }

    private static String address(Map<String, String> variables, String host, String port) {
        return variables.containsKey(host) ? variables.get(host) + ":" + variables.get(port) : "unknown";
    }

    private static String address(InetSocketAddress address) {
        return address == null ? "unknown" : address.getHostString() + ":" + address.getPort();
    }

    /** Field names know no case: X_DUP, X-Dup and x-dup are the same. */
    private static String capitalized(String name) {
        StringBuilder builder = new StringBuilder();
        for (String word : name.split("[-_]", -1)) {
            if (!builder.isEmpty()) builder.append('-');
            if (!word.isEmpty()) builder.append(word.substring(0, 1).toUpperCase());
            if (!word.isEmpty()) builder.append(word.substring(1).toLowerCase());
        }
        return builder.toString();
    }
}

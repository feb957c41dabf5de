package io.github.jettyfastcgi.it;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A request in the notation of {@code differential/corpus.txt}.
 *
 * @param lines the request line and the fields, with what stands for other text
 * @param content likewise; null when there is none
 * @param differences the names of those that are allowed between the answers
 */
record CorpusRequest(List<String> lines, String content, List<String> differences) {
    private static final String CONTENT = "> ";
    private static final String DIFFERENCE = "~ ";
    private static final String NO_HOST = "no Host";
    private static final Pattern PLACEHOLDER =
            Pattern.compile("\\{(\\d+) ([^}]*)}|\\{field ([^}]*)}|\\{cookie ([^}]*)}|\\{(cookies)}");
    private static final Pattern ESCAPE = Pattern.compile("\\\\(?:x(\\p{XDigit}{2})|(.))");

    static CorpusRequest parse(String line) {
        String[] parts = line.split(" \\| ");
        List<String> lines = new ArrayList<>();
        lines.add(parts[0].matches(".* HTTP/\\S+") ? parts[0] : parts[0] + " HTTP/1.1");
        String content = null;
        List<String> differences = new ArrayList<>();
        for (String part : List.of(parts).subList(1, parts.length)) {
            if (part.startsWith(CONTENT)) {
                content = part.substring(CONTENT.length());
            } else if (part.startsWith(DIFFERENCE)) {
                differences.add(part.substring(DIFFERENCE.length()));
            } else {
                lines.add(part);
            }
        }
        if (!lines.remove(NO_HOST) && !hasField(lines, "Host")) {
            lines.add(1, "Host: www.example.com");
        }
        return new CorpusRequest(lines, content, differences);
    }

    boolean isAnsweredWithContent() {
        return !lines.get(0).startsWith("HEAD ");
    }

    /** What is sent by a client that got this last answer, or none. */
    byte[] bytes(Client client, Answer last) {
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        for (String line : lines) {
            appendLine(request, bytes(line, client, last));
        }
        byte[] contentBytes = content == null ? new byte[0] : bytes(content, client, last);
        if (content != null && !hasField(lines, "Content-Length") && !hasField(lines, "Transfer-Encoding")) {
            appendLine(request, ("Content-Length: " + contentBytes.length).getBytes(StandardCharsets.US_ASCII));
        }
        appendLine(request, new byte[0]);
        request.writeBytes(contentBytes);
        return request.toByteArray();
    }

    private static boolean hasField(List<String> lines, String name) {
        return lines.stream().anyMatch(line -> line.startsWith(name + ":"));
    }

    private static void appendLine(ByteArrayOutputStream request, byte[] line) {
        request.writeBytes(line);
        request.write('\r');
        request.write('\n');
    }

    private static byte[] bytes(String text, Client client, Answer last) {
        String expanded =
                PLACEHOLDER.matcher(text).replaceAll(match -> Matcher.quoteReplacement(value(match, client, last)));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Matcher escape = ESCAPE.matcher(expanded);
        int end = 0;
        while (escape.find()) {
            bytes.writeBytes(expanded.substring(end, escape.start()).getBytes(StandardCharsets.UTF_8));
            bytes.write(escape.group(1) != null ? Integer.parseInt(escape.group(1), 16) : control(escape.group(2)));
            end = escape.end();
        }
        bytes.writeBytes(expanded.substring(end).getBytes(StandardCharsets.UTF_8));
        return bytes.toByteArray();
    }

    private static int control(String letter) {
        return switch (letter) {
            case "r" -> '\r';
            case "n" -> '\n';
            case "t" -> '\t';
            case "\\" -> '\\';
            default -> throw new IllegalArgumentException("Unknown escape \\" + letter);
        };
    }

    private static String value(MatchResult placeholder, Client client, Answer last) {
        if (placeholder.group(1) != null) {
            return placeholder.group(2).repeat(Integer.parseInt(placeholder.group(1)));
        }
        if (placeholder.group(3) != null) {
            return last.head().field(placeholder.group(3)).orElseThrow();
        }
        if (placeholder.group(4) != null) {
            return Objects.requireNonNull(client.cookie(placeholder.group(4)), placeholder.group());
        }
        return client.cookies();
    }
}

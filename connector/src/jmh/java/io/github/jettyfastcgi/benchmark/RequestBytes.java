package io.github.jettyfastcgi.benchmark;

import io.github.jettyfastcgi.protocol.NameValuePairs;
import io.github.jettyfastcgi.protocol.RecordEncoder;
import io.github.jettyfastcgi.protocol.RecordHeader;
import io.github.jettyfastcgi.protocol.RecordParser;
import io.github.jettyfastcgi.protocol.RecordType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Requests as nginx sends them over FastCGI, and as a client sends the same over HTTP. */
final class RequestBytes {
    /** A GET by curl, captured from nginx. */
    static final String GET = "get";

    /** The same with the fields of a browser, among them a cookie of 760 bytes. */
    static final String BROWSER = "browser";

    /** How many requests there are that differ in every value that can. */
    static final int VARIANTS = 64;

    private static final Path CAPTURE = Path.of("src", "test", "resources", "captures", "nginx-1.22.1", "get.bin");
    private static final byte[] BEGIN = {1, 1, 0, 1, 0, 8, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0};
    private static final int REQUEST_ID = 1;

    private final Map<String, String> variables = new LinkedHashMap<>();

    private RequestBytes(String kind) {
        parseCapture();
        if (kind.equals(BROWSER)) addBrowser();
    }

    /** {@return one request} */
    static byte[] of(String kind) {
        return new RequestBytes(kind).encode(-1);
    }

    /** {@return requests no two of which, one after another, have the same path, client, or value of a field} */
    static List<byte[]> changing(String kind) {
        RequestBytes request = new RequestBytes(kind);
        List<byte[]> requests = new ArrayList<>();
        for (int i = 0; i < VARIANTS; i++) requests.add(request.encode(i));
        return requests;
    }

    /** {@return the request over HTTP} */
    static byte[] http(String kind) {
        RequestBytes request = new RequestBytes(kind);
        StringBuilder text = new StringBuilder("GET " + request.variables.get("REQUEST_URI") + " HTTP/1.1\r\n");
        request.variables.forEach((name, value) -> {
            if (name.startsWith("HTTP_")) {
                text.append(name.substring(5).replace('_', '-'))
                        .append(": ")
                        .append(value)
                        .append("\r\n");
            }
        });
        return text.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private void parseCapture() {
        NameValuePairs pairs = new NameValuePairs(RecordHeader.MAX_CONTENT_LENGTH);
        try {
            new RecordParser().parse(ByteBuffer.wrap(Files.readAllBytes(CAPTURE)), new Gatherer(pairs));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        pairs.forEach((bytes, nameOffset, nameLength, valueOffset, valueLength) -> variables.put(
                new String(bytes, nameOffset, nameLength, StandardCharsets.ISO_8859_1),
                new String(bytes, valueOffset, valueLength, StandardCharsets.ISO_8859_1)));
    }

    private void addBrowser() {
        variables.put(
                "HTTP_USER_AGENT",
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36");
        variables.put(
                "HTTP_ACCEPT", "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8");
        variables.put("HTTP_ACCEPT_LANGUAGE", "en-GB,en;q=0.9,de;q=0.8");
        variables.put("HTTP_ACCEPT_ENCODING", "gzip, deflate, br, zstd");
        variables.put("HTTP_CACHE_CONTROL", "max-age=0");
        variables.put(
                "HTTP_SEC_CH_UA", "\"Chromium\";v=\"142\", \"Google Chrome\";v=\"142\", \"Not_A Brand\";v=\"99\"");
        variables.put("HTTP_SEC_CH_UA_MOBILE", "?0");
        variables.put("HTTP_SEC_CH_UA_PLATFORM", "\"Linux\"");
        variables.put("HTTP_SEC_FETCH_SITE", "same-origin");
        variables.put("HTTP_SEC_FETCH_MODE", "navigate");
        variables.put("HTTP_SEC_FETCH_DEST", "document");
        variables.put("HTTP_REFERER", "https://www.example.org/catalogue/instruments?page=3&sort=price");
        variables.put("HTTP_COOKIE", "session=" + "0123456789abcdef".repeat(47));
    }

    /** Encodes the variables, those that differ between requests with the variant's number at their end. */
    private byte[] encode(int variant) {
        ByteBuffer pairs = ByteBuffer.allocate(RecordEncoder.MAX_STDOUT_CONTENT);
        variables.forEach((name, value) -> NameValuePairs.write(
                name.getBytes(StandardCharsets.ISO_8859_1),
                (variant >= 0 && changes(name) ? value + (100 + variant) : value).getBytes(StandardCharsets.ISO_8859_1),
                pairs));
        pairs.flip();
        ByteBuffer records = ByteBuffer.allocate(BEGIN.length + pairs.remaining() + 3 * RecordHeader.LENGTH);
        records.put(BEGIN);
        RecordEncoder.putHeader(records, RecordType.PARAMS, REQUEST_ID, pairs.remaining());
        records.put(pairs);
        RecordEncoder.putHeader(records, RecordType.PARAMS, REQUEST_ID, 0);
        RecordEncoder.putHeader(records, RecordType.STDIN, REQUEST_ID, 0);
        return records.array();
    }

    private static boolean changes(String name) {
        return name.equals("REQUEST_URI")
                || name.equals("REMOTE_ADDR")
                || name.startsWith("HTTP_") && !name.equals("HTTP_HOST");
    }

    /** Gathers the content of PARAMS, which is all that the translation of a request takes. */
    static final class Gatherer implements RecordParser.Listener {
        private final NameValuePairs pairs;
        private boolean isParams;

        Gatherer(NameValuePairs pairs) {
            this.pairs = pairs;
        }

        @Override
        public boolean onRecord(RecordHeader header) {
            isParams = header.type() == RecordType.PARAMS;
            return true;
        }

        @Override
        public boolean onContent(ByteBuffer content) {
            if (isParams) pairs.append(content);
            return true;
        }

        @Override
        public boolean onRecordEnd() {
            return true;
        }
    }
}

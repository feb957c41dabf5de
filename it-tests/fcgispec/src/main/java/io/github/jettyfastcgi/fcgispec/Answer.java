package io.github.jettyfastcgi.fcgispec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What came for one request: records, and how it ended. */
final class Answer {
    static final int REQUEST_COMPLETE = 0;
    static final int CANT_MPX_CONN = 1;
    static final int OVERLOADED = 2;
    static final int UNKNOWN_ROLE = 3;

    private static final int END_LENGTH = 8;

    private final int id;
    private final List<WireRecord> records = new ArrayList<>();
    private final ByteArrayOutputStream stdout = new ByteArrayOutputStream();
    private final ByteArrayOutputStream stderr = new ByteArrayOutputStream();
    private WireRecord end;
    private Map<String, List<String>> variables;
    private String withoutEnd = "not ended";

    Answer(int id) {
        this.id = id;
    }

    int id() {
        return id;
    }

    void add(WireRecord next) {
        records.add(next);
        switch (next.type()) {
            case RecordType.STDOUT -> stdout.writeBytes(next.content());
            case RecordType.STDERR -> stderr.writeBytes(next.content());
            case RecordType.END_REQUEST -> end = next;
            default -> withoutEnd = "not ended, but " + next;
        }
    }

    void endsWithout(String reason) {
        withoutEnd = reason;
    }

    boolean hasEnded() {
        return end != null;
    }

    boolean hasContent(int length) {
        int at = Head.length(stdout.toByteArray());
        return at >= 0 && stdout.size() >= at + length;
    }

    List<WireRecord> records() {
        return records;
    }

    List<WireRecord> records(int type) {
        return records.stream().filter(each -> each.type() == type).toList();
    }

    byte[] stdout() {
        return stdout.toByteArray();
    }

    String stderr() {
        return stderr.toString(ISO_8859_1);
    }

    /** {@return the status and fields} */
    Head head() {
        return Head.parse(stdout.toByteArray(), this);
    }

    byte[] content() {
        byte[] all = stdout.toByteArray();
        int at = Math.max(0, Head.length(all));
        byte[] content = new byte[all.length - at];
        System.arraycopy(all, at, content, 0, content.length);
        return content;
    }

    String text() {
        return new String(content(), ISO_8859_1);
    }

    /** {@return the END_REQUEST that came} */
    WireRecord end() {
        Unmet.unless(end != null, "no END_REQUEST: " + this);
        Unmet.unless(end.content().length == END_LENGTH, "END_REQUEST of " + end.content().length + " bytes");
        return end;
    }

    long appStatus() {
        return ByteBuffer.wrap(end().content()).getInt() & 0xFFFF_FFFFL;
    }

    int protocolStatus() {
        return end().content()[4] & 0xFF;
    }

    /** Fails unless the request was ended as complete. */
    Answer complete() {
        Unmet.unless(protocolStatus() == REQUEST_COMPLETE, "protocolStatus " + protocolStatus() + ": " + this);
        return this;
    }

    /** Fails unless the request was ended as complete, with a response of the status. */
    Answer is(int status) {
        complete();
        Unmet.unless(head().status() == status, "status " + head().status() + ": " + this);
        return this;
    }

    Answer ok() {
        return is(200);
    }

    /** Fails unless the response is complete with the content. */
    Answer has(byte[] content) {
        ok();
        byte[] actual = content();
        Unmet.unless(actual.length == content.length, actual.length + " bytes of content instead of " + content.length);
        int at = ByteBuffer.wrap(actual).mismatch(ByteBuffer.wrap(content));
        Unmet.unless(at < 0, "the content differs at byte " + at);
        return this;
    }

    /** Fails unless the response tells the variable with the value. */
    Answer tells(String name, String value) {
        ok();
        List<String> values = values(name);
        Unmet.unless(!values.isEmpty(), name + " is absent");
        Unmet.unless(values.equals(List.of(value)), name + " is " + shortened(String.join(", ", values)));
        return this;
    }

    /** {@return the values that the response tells of a variable} */
    List<String> values(String name) {
        if (variables == null)
            variables = text().lines()
                    .map(line -> line.split("=", 2))
                    .filter(line -> line.length == 2)
                    .collect(groupingBy(line -> line[0], mapping(line -> line[1], toList())));
        return variables.getOrDefault(name, List.of());
    }

    private static String shortened(String text) {
        return text.length() < 60 ? text : text.substring(0, 40) + "… (" + text.length() + " characters)";
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        if (stdout.size() > 0) text.append(stdout.size()).append(" bytes of STDOUT, ");
        if (stderr.size() > 0) text.append(stderr.size()).append(" bytes of STDERR, ");
        return text.append(end == null ? withoutEnd : "END_REQUEST").toString();
    }
}

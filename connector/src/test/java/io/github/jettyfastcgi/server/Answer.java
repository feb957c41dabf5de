package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * A whole response, whose records have been checked: STDOUT with content, of which the first has the whole head; one
 * empty STDOUT; one END_REQUEST without padding.
 *
 * @param lines the lines of the head
 * @param content what follows the head
 * @param protocolStatus of END_REQUEST
 * @param records all records
 */
record Answer(List<String> lines, byte[] content, int protocolStatus, List<WireRecord> records) {
    static Answer of(int id, List<WireRecord> records) {
        int last = records.size() - 1;
        assertThat(records).hasSizeGreaterThanOrEqualTo(3);
        assertThat(records).allMatch(record -> record.id() == id, "id " + id);
        assertThat(records).allMatch(record -> record.padding() == 0, "no padding");
        assertThat(records.subList(0, last)).allMatch(record -> record.type() == Wire.STDOUT, "STDOUT");
        assertThat(records.subList(0, last - 1)).noneMatch(record -> record.content().length == 0);
        assertThat(records.get(last - 1).content()).as("the empty STDOUT").isEmpty();
        ByteBuffer end = ByteBuffer.wrap(records.get(last).content());
        assertThat(end.remaining()).as("END_REQUEST").isEqualTo(8);
        assertThat(end.getInt()).as("appStatus").isZero();

        ByteArrayOutputStream stdout = new ByteArrayOutputStream();
        records.subList(0, last).forEach(record -> stdout.writeBytes(record.content()));
        byte[] bytes = stdout.toByteArray();
        int head = headLength(records.get(0).content());
        String headText = new String(bytes, 0, head - 4, StandardCharsets.ISO_8859_1);
        return new Answer(
                List.of(headText.split("\r\n")), Arrays.copyOfRange(bytes, head, bytes.length), end.get(), records);
    }

    /** {@return the status, which is the last line of the head} */
    int status() {
        String last = lines.get(lines.size() - 1);
        assertThat(last).startsWith("Status: ");
        return Integer.parseInt(last.substring(8, 11));
    }

    /** {@return the value of a field, or {@code null}} */
    String field(String name) {
        String prefix = name + ": ";
        return lines.stream()
                .filter(line -> line.regionMatches(true, 0, prefix, 0, prefix.length()))
                .map(line -> line.substring(prefix.length()))
                .findFirst()
                .orElse(null);
    }

    String text() {
        return new String(content, StandardCharsets.ISO_8859_1);
    }

    /** Checks the status, of a request that was served. */
    Answer assertStatus(int status) {
        assertThat(status()).as(text()).isEqualTo(status);
        assertThat(protocolStatus).as("protocolStatus").isEqualTo(Wire.REQUEST_COMPLETE);
        return this;
    }

    /** Checks the response of a request that was served with 200. */
    void assertText(String text) {
        assertStatus(200);
        assertThat(text()).isEqualTo(text);
    }

    private static int headLength(byte[] record) {
        for (int i = 4; i <= record.length; i++)
            if (record[i - 4] == '\r' && record[i - 3] == '\n' && record[i - 2] == '\r' && record[i - 1] == '\n')
                return i;
        return fail("The head isn't whole in the first record");
    }
}

package io.github.jettyfastcgi.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * However bytes are divided, and wherever the listener stops, the parser tells the records that they have as a whole.
 * The input is a byte that chooses the division, one that chooses the stops, and the bytes.
 */
public final class RecordParserFuzzer {
    private static final int HEADER_LENGTH = 8;

    private RecordParserFuzzer() {}

    public static void fuzzerTestOneInput(byte[] data) {
        FuzzInput input = new FuzzInput(data);
        int way = input.choice(256);
        Recorder recorder = new Recorder(new Random(input.choice(256)));
        byte[] bytes = input.rest();

        RecordParser parser = new RecordParser();
        try {
            for (ByteBuffer chunk : FuzzInput.chunks(bytes, way))
                while (parser.parse(chunk, recorder)) recorder.stops++;
            recorder.finish();
        } catch (FastCGIException x) {
            recorder.events.add(x.reason().name());
        }

        assertThat(recorder.events).isEqualTo(expected(bytes));
    }

    private static List<String> expected(byte[] bytes) {
        List<String> events = new ArrayList<>();
        int at = 0;
        while (bytes.length - at >= HEADER_LENGTH) {
            if (bytes[at] != 1) {
                events.add("UNSUPPORTED_VERSION");
                break;
            }
            int length = unsigned(bytes, at + 4);
            int there = Math.min(length, bytes.length - at - HEADER_LENGTH);
            events.add("type " + (bytes[at + 1] & 0xFF) + ", id " + unsigned(bytes, at + 2) + ", length " + length);
            if (there > 0) events.add(new String(bytes, at + HEADER_LENGTH, there, StandardCharsets.ISO_8859_1));
            if (there == length) events.add("end");
            at += HEADER_LENGTH + length + (bytes[at + 6] & 0xFF);
        }
        return events;
    }

    private static int unsigned(byte[] bytes, int at) {
        return (bytes[at] & 0xFF) << 8 | bytes[at + 1] & 0xFF;
    }

    /** Writes down what it is told, and stops the parser at any time. */
    private static final class Recorder implements RecordParser.Listener {
        private final List<String> events = new ArrayList<>();
        private final StringBuilder content = new StringBuilder();
        private final Random random;
        private int stops;

        Recorder(Random random) {
            this.random = random;
        }

        @Override
        public boolean onRecord(RecordHeader header) {
            if (random.nextInt(4) == 0) return false;
            events.add(
                    "type " + header.typeCode() + ", id " + header.requestId() + ", length " + header.contentLength());
            return true;
        }

        @Override
        public boolean onContent(ByteBuffer slice) {
            assertThat(slice.hasRemaining()).isTrue();
            content.append(StandardCharsets.ISO_8859_1.decode(slice));
            return random.nextInt(4) > 0;
        }

        @Override
        public boolean onRecordEnd() {
            finish();
            events.add("end");
            return random.nextInt(4) > 0;
        }

        private void finish() {
            if (!content.isEmpty()) events.add(content.toString());
            content.setLength(0);
        }
    }
}

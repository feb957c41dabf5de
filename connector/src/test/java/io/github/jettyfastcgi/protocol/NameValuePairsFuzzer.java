package io.github.jettyfastcgi.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * However a stream of pairs is divided, the accumulator tells the pairs that it has as a whole, up to its limits. The
 * input is a byte that chooses the limits, one that chooses the division, and the stream.
 */
public final class NameValuePairsFuzzer {
    private static final int[] LIMITS = {65_536, 1024, 128, 40, 8};
    private static final int[] MAX_PAIRS = {Integer.MAX_VALUE, 3, 1};

    private NameValuePairsFuzzer() {}

    public static void fuzzerTestOneInput(byte[] data) {
        FuzzInput input = new FuzzInput(data);
        int choice = input.choice(LIMITS.length * MAX_PAIRS.length);
        int limit = LIMITS[choice % LIMITS.length];
        int maxPairs = MAX_PAIRS[choice / LIMITS.length];
        int way = input.choice(256);
        byte[] stream = input.rest();
        NameValuePairs pairs = new NameValuePairs(limit, maxPairs);

        for (int round = 0; round < 2; round++) {
            for (ByteBuffer chunk : FuzzInput.chunks(stream, way)) {
                boolean fits = pairs.append(chunk);
                assertThat(chunk.hasRemaining()).isFalse();
                assertThat(fits).isEqualTo(!pairs.isOverflow());
            }
            new Expected(stream, limit, maxPairs).compareWith(pairs);
            pairs.clear();
        }
    }

    /** The pairs of a stream, decoded as a whole. */
    private static final class Expected {
        private final List<String> pairs = new ArrayList<>();
        private final ByteBuffer stream;
        private final boolean overflow;
        private int end;

        Expected(byte[] bytes, int limit, int maxPairs) {
            stream = ByteBuffer.wrap(bytes);
            overflow = exceeds(limit, maxPairs) || bytes.length > limit;
        }

        private boolean exceeds(int limit, int maxPairs) {
            while (true) {
                int nameLength = length();
                int valueLength = nameLength < 0 ? -1 : length();
                if (valueLength < 0) return false;
                long pairEnd = stream.position() + (long) nameLength + valueLength;
                if (pairEnd > limit || pairs.size() == maxPairs) return true;
                if (pairEnd > stream.limit()) return false;
                pairs.add(text(nameLength) + "=" + text(valueLength));
                end = stream.position();
            }
        }

        private int length() {
            if (!stream.hasRemaining()) return -1;
            int first = stream.get(stream.position());
            if (first >= 0) return stream.get();
            return stream.remaining() < 4 ? -1 : stream.getInt() & Integer.MAX_VALUE;
        }

        private String text(int length) {
            byte[] text = new byte[length];
            stream.get(text);
            return new String(text, StandardCharsets.ISO_8859_1);
        }

        private void compareWith(NameValuePairs accumulated) {
            List<String> visited = new ArrayList<>();
            accumulated.forEach((bytes, nameOffset, nameLength, valueOffset, valueLength) ->
                    visited.add(new String(bytes, nameOffset, nameLength, StandardCharsets.ISO_8859_1) + "="
                            + new String(bytes, valueOffset, valueLength, StandardCharsets.ISO_8859_1)));
            assertThat(visited).isEqualTo(pairs);
            assertThat(accumulated.isOverflow()).isEqualTo(overflow);
            assertThat(accumulated.isComplete()).isEqualTo(!overflow && end == stream.limit());
        }
    }
}

package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * The content the tests send and expect: the byte at position i is i modulo 251. The period is prime, so that no loss,
 * repetition or swap of whole buffers goes unseen.
 */
final class Pattern251 {
    private static final int PERIOD = 251;
    private static final int BLOCK = 64 * PERIOD;

    /** Two blocks: each offset within the first begins a whole block. */
    private static final byte[] BYTES = bytes(0, 2 * BLOCK);

    private Pattern251() {}

    /** The bytes from a position on. */
    static byte[] bytes(long position, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) ((position + i) % PERIOD);
        }
        return bytes;
    }

    static InputStream stream(long length) {
        return new PatternInput(length);
    }

    /** Reads the stream to its end, and checks each byte and the length. */
    static void assertIsPattern(InputStream actual, long length) throws IOException {
        byte[] buffer = new byte[BLOCK];
        long position = 0;
        for (int count = actual.read(buffer); count >= 0; count = actual.read(buffer)) {
            int phase = (int) (position % PERIOD);
            if (!Arrays.equals(buffer, 0, count, BYTES, phase, phase + count)) {
                assertThat(Arrays.copyOf(buffer, count))
                        .as("content from byte " + position)
                        .isEqualTo(bytes(position, count));
            }
            position += count;
        }
        assertThat(position).as("length of the content").isEqualTo(length);
    }

    private static final class PatternInput extends InputStream {
        private final long length;
        private long position;

        PatternInput(long length) {
            this.length = length;
        }

        @Override
        public int read() {
            return position == length ? -1 : (int) (position++ % PERIOD);
        }

        @Override
        public int read(byte[] target, int offset, int limit) {
            if (position == length) {
                return -1;
            }
            int count = (int) Math.min(Math.min(limit, BLOCK), length - position);
            System.arraycopy(BYTES, (int) (position % PERIOD), target, offset, count);
            position += count;
            return count;
        }
    }
}

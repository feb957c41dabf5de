package io.github.jettyfastcgi.protocol;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Gathers the name-value pairs of a stream (FastCGI specification 1.0, section 3.4), whose bytes may be divided into
 * records and reads at any place, also inside a pair.
 *
 * <p>The bytes are kept as they come, in one array that grows with what was received, never with what was declared, up
 * to a limit. A pair whose declared lengths exceed the limit is found as soon as they are read. Beyond the limit nothing
 * more is kept, but the pairs before it are, which tell whose request it is. An instance is reused for one stream after another and used by one thread at a time.
 */
public final class NameValuePairs {
    /** Receives the pairs, in the order in which they came. */
    @FunctionalInterface
    public interface Visitor {
        /**
         * One pair; name and value lie in the same array, which is valid until the next {@link #clear()}.
         *
         * @param bytes the array
         * @param nameOffset where the name begins
         * @param nameLength its length in bytes, 0 or more
         * @param valueOffset where the value begins
         * @param valueLength its length in bytes, 0 or more
         */
        void pair(byte[] bytes, int nameOffset, int nameLength, int valueOffset, int valueLength);
    }

    /** How many bytes of array are kept for the next stream; a longer one is let go. */
    static final int RETAINED_CAPACITY = 16 * 1024;

    /** The most bytes that the two lengths of a pair take. */
    static final int MAX_LENGTHS_SIZE = 8;

    private static final int INITIAL_CAPACITY = 1024;
    private static final byte[] NONE = {};
    private static final int MAX_SHORT_LENGTH = 0x7F;
    private static final int LONG_LENGTH_BIT = 0x80;

    private final int limit;
    private final int maxPairs;
    private byte[] bytes = NONE;
    private int size;
    private int count;
    private int pairStart;
    private long pairEnd = -1;
    private boolean overflow;

    /**
     * Creates an accumulator of any number of pairs.
     *
     * @param limit the most bytes that are kept, lengths included
     */
    public NameValuePairs(int limit) {
        this(limit, Integer.MAX_VALUE);
    }

    /**
     * Creates an accumulator.
     *
     * @param limit the most bytes that are kept, lengths included
     * @param maxPairs the most pairs
     */
    public NameValuePairs(int limit, int maxPairs) {
        this.limit = limit;
        this.maxPairs = maxPairs;
    }

    /**
     * Adds the next bytes of the stream; all of them are consumed.
     *
     * @param content the bytes
     * @return {@code false} once the stream exceeds a limit, received or declared: further bytes are dropped
     */
    public boolean append(ByteBuffer content) {
        int length = overflow ? 0 : Math.min(content.remaining(), limit - size);
        ensureCapacity(size + length);
        content.get(bytes, size, length);
        size += length;
        boolean fits = !content.hasRemaining();
        content.position(content.limit());
        return !overflow && scan() && fits || overflow();
    }

    /** {@return whether the stream exceeded a limit} */
    public boolean isOverflow() {
        return overflow;
    }

    /** {@return whether the bytes so far end with a whole pair} */
    public boolean isComplete() {
        return !overflow && pairStart == size;
    }

    /**
     * Visits the whole pairs received so far; beyond the limit, those before the first that exceeded it.
     *
     * @param visitor receives them
     */
    public void forEach(Visitor visitor) {
        int position = 0;
        while (position < pairStart) {
            int nameLength = lengthAt(position);
            position += lengthSize(position);
            int valueLength = lengthAt(position);
            position += lengthSize(position);
            visitor.pair(bytes, position, nameLength, position + nameLength, valueLength);
            position += nameLength + valueLength;
        }
    }

    /** Makes ready for the next stream. */
    public void clear() {
        size = 0;
        count = 0;
        pairStart = 0;
        pairEnd = -1;
        overflow = false;
        if (bytes.length > RETAINED_CAPACITY) bytes = NONE;
    }

    /**
     * Encodes a pair.
     *
     * @param name the name
     * @param value the value
     * @param buffer is advanced over the encoded pair
     */
    public static void write(byte[] name, byte[] value, ByteBuffer buffer) {
        writeLength(name.length, buffer);
        writeLength(value.length, buffer);
        buffer.put(name);
        buffer.put(value);
    }

    static void writeLength(int length, ByteBuffer buffer) {
        if (length <= MAX_SHORT_LENGTH) buffer.put((byte) length);
        else buffer.putInt(length | LONG_LENGTH_BIT << 24);
    }

    /** Follows the pairs as far as they are whole; every length is checked before anything relies on it. */
    private boolean scan() {
        while (true) {
            if (pairEnd < 0) {
                if (pairStart >= size) return true;
                int valueAt = pairStart + lengthSize(pairStart);
                if (valueAt >= size) return true;
                int dataAt = valueAt + lengthSize(valueAt);
                if (dataAt > size) return true;
                pairEnd = (long) dataAt + lengthAt(pairStart) + lengthAt(valueAt);
            }
            if (pairEnd > limit || count == maxPairs) return overflow();
            if (pairEnd > size) return true;
            count++;
            pairStart = (int) pairEnd;
            pairEnd = -1;
        }
    }

    private boolean overflow() {
        overflow = true;
        size = pairStart;
        return false;
    }

    private int lengthSize(int position) {
        return (bytes[position] & LONG_LENGTH_BIT) == 0 ? 1 : 4;
    }

    private int lengthAt(int position) {
        int first = bytes[position];
        if ((first & LONG_LENGTH_BIT) == 0) return first;
        return (first & MAX_SHORT_LENGTH) << 24
                | (bytes[position + 1] & 0xFF) << 16
                | (bytes[position + 2] & 0xFF) << 8
                | bytes[position + 3] & 0xFF;
    }

    private void ensureCapacity(int capacity) {
        if (capacity <= bytes.length) return;
        int doubled = (int) Math.min(limit, Math.max(INITIAL_CAPACITY, 2L * bytes.length));
        bytes = Arrays.copyOf(bytes, Math.max(capacity, doubled));
    }
}

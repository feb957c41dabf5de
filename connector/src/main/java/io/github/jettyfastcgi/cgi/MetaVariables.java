package io.github.jettyfastcgi.cgi;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The meta-variables of one request (RFC 3875, section 4.1), as a view over the bytes in which they came: in the order
 * of the wire, with repeated names, without strings.
 *
 * <p>An instance belongs to a connection and is filled again for each request. It is valid until then, and no longer.
 */
public final class MetaVariables {
    private static final byte[] NONE = {};
    private static final int[] NO_OFFSETS = {};
    private static final int INTS_PER_VARIABLE = 4;
    private static final int INITIAL_VARIABLES = 40;

    /** For how many variables room is kept for the next request. */
    private static final int RETAINED_VARIABLES = 128;

    private byte[] bytes = NONE;
    private int[] offsets = NO_OFFSETS;
    private int size;

    /** Makes ready for the next request. */
    public void clear() {
        bytes = NONE;
        size = 0;
        if (offsets.length > RETAINED_VARIABLES * INTS_PER_VARIABLE) offsets = NO_OFFSETS;
    }

    /**
     * Adds a variable. All variables of a request lie in the same array.
     *
     * @param array the bytes, not copied
     * @param nameOffset where the name begins
     * @param nameLength its length
     * @param valueOffset where the value begins
     * @param valueLength its length
     */
    public void add(byte[] array, int nameOffset, int nameLength, int valueOffset, int valueLength) {
        bytes = array;
        int at = size * INTS_PER_VARIABLE;
        if (at == offsets.length)
            offsets = Arrays.copyOf(offsets, Math.max(2 * at, INITIAL_VARIABLES * INTS_PER_VARIABLE));
        offsets[at] = nameOffset;
        offsets[at + 1] = nameLength;
        offsets[at + 2] = valueOffset;
        offsets[at + 3] = valueLength;
        size++;
    }

    /** {@return the number of variables} */
    public int size() {
        return size;
    }

    /**
     * Finds a variable; where a name is repeated the last one counts, as it does in every FastCGI application that keeps
     * the variables in an environment.
     *
     * @param name the name
     * @return the value, read as UTF-8 if it is, else as ISO-8859-1, or {@code null} when there is none
     */
    public String get(String name) {
        byte[] wanted = name.getBytes(StandardCharsets.ISO_8859_1);
        for (int i = size - 1; i >= 0; i--) {
            int from = nameOffset(i);
            if (Arrays.equals(bytes, from, from + nameLength(i), wanted, 0, wanted.length)) return text(i);
        }
        return null;
    }

    /**
     * {@return what an application gets to see, as an immutable copy in order} Where a name is repeated the last value
     * counts; fields of the request and what {@link VariableFilter} hides are left out. Values are read as
     * {@link #get(String)} reads them.
     */
    public Map<String, String> toMap() {
        Map<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i < size; i++) {
            String name = new String(bytes, nameOffset(i), nameLength(i), StandardCharsets.ISO_8859_1);
            if (VariableFilter.isVisible(name)) map.put(name, text(i));
        }
        return Collections.unmodifiableMap(map);
    }

    /** {@return whether the name of a variable has these bytes at an offset} */
    boolean hasInName(int i, int offset, byte[] part) {
        int from = nameOffset(i) + offset;
        return nameLength(i) - offset >= part.length
                && Arrays.equals(bytes, from, from + part.length, part, 0, part.length);
    }

    /** {@return a copy of a value} */
    byte[] value(int i) {
        return Arrays.copyOfRange(bytes, valueOffset(i), valueOffset(i) + valueLength(i));
    }

    /** Takes a variable out of the view. */
    void remove(int i) {
        int after = (i + 1) * INTS_PER_VARIABLE;
        System.arraycopy(offsets, after, offsets, after - INTS_PER_VARIABLE, size * INTS_PER_VARIABLE - after);
        size--;
    }

    private String text(int i) {
        return CharacterTypes.decode(bytes, valueOffset(i), valueLength(i));
    }

    byte[] bytes() {
        return bytes;
    }

    int nameOffset(int i) {
        return offsets[i * INTS_PER_VARIABLE];
    }

    int nameLength(int i) {
        return offsets[i * INTS_PER_VARIABLE + 1];
    }

    int valueOffset(int i) {
        return offsets[i * INTS_PER_VARIABLE + 2];
    }

    int valueLength(int i) {
        return offsets[i * INTS_PER_VARIABLE + 3];
    }
}

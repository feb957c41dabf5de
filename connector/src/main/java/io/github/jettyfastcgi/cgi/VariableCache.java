package io.github.jettyfastcgi.cgi;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.util.HostPort;

/**
 * What one connection remembers of the request before: per name the last value's bytes and what was made of them. A kept
 * connection repeats most of its variables, in the same order, so that most of a request is found by comparing bytes,
 * without hashing a name or making a string.
 *
 * <p>It is bounded in names and in the length of values. What it keeps never reaches a request whose bytes differ. It
 * is used by one thread at a time.
 */
public final class VariableCache {
    /** The most names that are remembered. */
    static final int MAX_NAMES = 128;

    /** The longest name, in bytes, that is remembered. */
    static final int MAX_NAME_LENGTH = 128;

    /** The longest value, in bytes, that is remembered. */
    static final int MAX_VALUE_LENGTH = 2048;

    private static final int TABLE_SIZE = 256;
    private static final int VARIABLES = Variable.values().length;
    private static final Entry[] NONE = new Entry[VARIABLES];

    private boolean remembering = true;
    private boolean isFull;
    private Entry[] current = NONE;
    private Entry[] table;
    private int size;
    private Entry last;
    private byte[] array;

    private HttpField[] fieldsSeen;
    private int fieldCount;
    private HttpFields fields;

    private String uriTarget;
    private String uriScheme;
    private HostPort uriAuthority;
    private HttpURI uri;

    private final Address remote = new Address();
    private final Address local = new Address();

    /** The next request is the last of the connection: nothing of it is remembered. */
    public void endWithNextRequest() {
        remembering = false;
    }

    private void clear() {
        current = NONE;
        isFull = false;
        table = null;
        size = 0;
        last = null;
        array = null;
        fieldsSeen = null;
        fieldCount = 0;
        fields = null;
        uriTarget = null;
        uriScheme = null;
        uriAuthority = null;
        uri = null;
        remote.clear();
        local.clear();
    }

    /** Begins the walk over the variables of a request. */
    void begin() {
        if (isFull) clear(); // of names that don't come again, perhaps, which leave no room for those that do
        if (current == NONE) current = new Entry[VARIABLES];
        else Arrays.fill(current, null);
        if (table == null && remembering) table = new Entry[TABLE_SIZE];
        if (fieldsSeen == null || fieldsSeen.length > MAX_NAMES) fieldsSeen = new HttpField[16];
        fieldCount = 0;
        last = null;
    }

    /**
     * Finds the entry for the next variable.
     *
     * @return the entry, whose value is the given one
     */
    Entry next(byte[] bytes, int nameOffset, int nameLength, int valueOffset, int valueLength) {
        Entry entry = remembering
                ? remembered(bytes, nameOffset, nameLength)
                : newEntry(bytes, nameOffset, nameLength, VariableName.hash(bytes, nameOffset, nameLength), false);
        array = bytes;
        entry.set(valueOffset, valueLength);
        if (entry.variable.compareTo(Variable.FIELD) < 0) current[entry.variable.ordinal()] = entry;
        return entry;
    }

    private Entry remembered(byte[] bytes, int nameOffset, int nameLength) {
        Entry predicted = last == null ? table[0] : last.follower;
        Entry entry = predicted != null && predicted.name.is(bytes, nameOffset, nameLength)
                ? predicted
                : find(bytes, nameOffset, nameLength);
        if (entry.isKept) {
            if (last == null) table[0] = entry;
            else last.follower = entry;
            last = entry;
        }
        return entry;
    }

    /** {@return the entry of a variable of this request, the last where the name is repeated, or {@code null}} */
    Entry get(Variable variable) {
        return current[variable.ordinal()];
    }

    /** {@return the value of a variable of this request, or {@code null} where it is absent or empty} */
    String string(Variable variable) {
        Entry entry = current[variable.ordinal()];
        return entry == null || entry.length == 0 ? null : entry.string();
    }

    void addField(HttpField field) {
        if (fieldCount == fieldsSeen.length) fieldsSeen = Arrays.copyOf(fieldsSeen, 2 * fieldCount);
        if (fieldsSeen[fieldCount] != field) {
            fieldsSeen[fieldCount] = field;
            fields = null;
        }
        fieldCount++;
    }

    /** {@return the fields added since {@link #begin()}; the same object as before when all of them are} */
    HttpFields fields() {
        if (fields == null || fields.size() != fieldCount) {
            fields = HttpFields.from(Arrays.copyOf(fieldsSeen, fieldCount));
            Arrays.fill(fieldsSeen, fieldCount, fieldsSeen.length, null);
        }
        return fields;
    }

    /** {@return the URI of the request before, if it was made of the same parts, else {@code null}} */
    HttpURI uri(String target, String scheme, HostPort authority) {
        return target == uriTarget && scheme == uriScheme && authority == uriAuthority ? uri : null;
    }

    void setUri(String target, String scheme, HostPort authority, HttpURI made) {
        uriTarget = target;
        uriScheme = scheme;
        uriAuthority = authority;
        uri = made;
    }

    /** {@return the address of the client, or {@code null} if the web server doesn't tell} */
    InetSocketAddress remoteAddress() {
        return remote.of(string(Variable.REMOTE_ADDR), string(Variable.REMOTE_PORT));
    }

    /** {@return the address at which the web server took the request, or {@code null} if it doesn't tell} */
    InetSocketAddress localAddress() {
        return local.of(string(Variable.SERVER_ADDR), string(Variable.SERVER_PORT));
    }

    private Entry find(byte[] bytes, int offset, int length) {
        int hash = VariableName.hash(bytes, offset, length);
        int slot = 1 + hash % (TABLE_SIZE - 1);
        for (Entry entry = table[slot]; entry != null; entry = entry.chain)
            if (entry.name.is(bytes, offset, length)) return entry;
        isFull |= size == MAX_NAMES;
        boolean isKept = !isFull && length <= MAX_NAME_LENGTH;
        Entry entry = newEntry(bytes, offset, length, hash, isKept);
        if (isKept) {
            size++;
            entry.chain = table[slot];
            table[slot] = entry;
        }
        return entry;
    }

    private Entry newEntry(byte[] bytes, int offset, int length, int hash, boolean isKept) {
        return new Entry(VariableName.of(bytes, offset, length, hash), isKept);
    }

    /** A name, the value it has in this request, and what was made of the last value that was remembered. */
    final class Entry {
        private final VariableName name;
        private final boolean isKept;
        private Entry follower;
        private Entry chain;
        private int offset;
        private int length;
        private byte[] remembered;
        private Object made;

        final Variable variable;
        final HttpHeader header;
        final String fieldName;

        private Entry(VariableName name, boolean isKept) {
            this.name = name;
            this.isKept = isKept;
            variable = name.variable;
            header = name.header;
            fieldName = name.fieldName;
        }

        private void set(int from, int count) {
            offset = from;
            length = count;
        }

        boolean isEmpty() {
            return length == 0;
        }

        /** {@return whether the value has a byte that no field value has (RFC 9110, section 5.5): CR, LF, NUL, ...} */
        boolean hasControls() {
            return CharacterTypes.hasControls(array, offset, length);
        }

        boolean isToken() {
            return CharacterTypes.isToken(array, offset, length);
        }

        boolean isTarget() {
            return CharacterTypes.isTarget(array, offset, length);
        }

        /** {@return what {@link #remember} was given for the same bytes, or {@code null}} */
        Object made() {
            if (!remembering) return made;
            return remembered != null && Arrays.equals(remembered, 0, remembered.length, array, offset, offset + length)
                    ? made
                    : null;
        }

        void remember(Object object) {
            if (!remembering) {
                made = object; // for this request
                return;
            }
            if (length > MAX_VALUE_LENGTH) return;
            if (remembered == null || remembered.length != length) remembered = new byte[length];
            System.arraycopy(array, offset, remembered, 0, length);
            made = object;
        }

        /** {@return the value, 8-bit bytes read as ISO-8859-1; the same object while the bytes are the same} */
        String string() {
            Object before = made();
            if (before != null) return (String) before;
            String string = decode();
            remember(string);
            return string;
        }

        /** {@return the value, 8-bit bytes read as ISO-8859-1, without blanks at its ends} */
        String trimmed() {
            int from = offset;
            int to = offset + length;
            while (from < to && CharacterTypes.isBlank(array[from])) from++;
            while (from < to && CharacterTypes.isBlank(array[to - 1])) to--;
            return new String(array, from, to - from, StandardCharsets.ISO_8859_1);
        }

        String decode() {
            return new String(array, offset, length, StandardCharsets.ISO_8859_1);
        }

        /** {@return the value, decoded as Jetty decodes a request line: as UTF-8; the same object while it repeats} */
        String utf8() {
            Object before = made();
            if (before != null) return (String) before;
            String string = new String(array, offset, length, StandardCharsets.UTF_8);
            remember(string);
            return string;
        }

        /** Appends the value as a path of a URI: the bytes that have no place there are percent-encoded. */
        void encodePath(StringBuilder builder) {
            CharacterTypes.encodePath(array, offset, length, builder);
        }
    }

    /** Remembers the last address of one end. */
    private static final class Address {
        private String host;
        private String port;
        private InetSocketAddress address;

        InetSocketAddress of(String newHost, String newPort) {
            if (newHost == null) return null;
            if (newHost != host || newPort != port) {
                boolean sameHost = newHost == host && address != null;
                address = Addresses.of(newHost, newPort, sameHost ? address.getAddress() : null);
                host = newHost;
                port = newPort;
            }
            return address;
        }

        void clear() {
            host = null;
            port = null;
            address = null;
        }
    }
}

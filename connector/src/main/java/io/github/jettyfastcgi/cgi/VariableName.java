package io.github.jettyfastcgi.cgi;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpHeader;

/**
 * The name of a meta-variable, and what follows from it alone. Immutable.
 *
 * <p>Names that are well known are made once, and found by their bytes: the first request of a connection, which may be
 * its only one, makes no string of them. Their number is fixed, whatever clients send.
 */
final class VariableName {
    private static final int SLOTS = 512;

    /** Variables without influence on the request that web servers send by default. */
    private static final List<String> OTHERS = List.of(
            "AUTH_TYPE",
            "CONTEXT_DOCUMENT_ROOT",
            "CONTEXT_PREFIX",
            "DOCUMENT_ROOT",
            "DOCUMENT_URI",
            "GATEWAY_INTERFACE",
            "PATH",
            "PATH_TRANSLATED",
            "REDIRECT_STATUS",
            "REMOTE_HOST",
            "REMOTE_IDENT",
            "REMOTE_USER",
            "SCRIPT_FILENAME",
            "SERVER_ADMIN",
            "SERVER_SIGNATURE",
            "SERVER_SOFTWARE");

    private static final VariableName[] KNOWN = known();

    private final byte[] bytes;
    private final VariableName next;
    final Variable variable;
    final HttpHeader header;
    final String fieldName;

    private VariableName(byte[] bytes, VariableName next) {
        this.bytes = bytes;
        this.next = next;
        String string = new String(bytes, StandardCharsets.ISO_8859_1);
        variable = Variable.of(string);
        header = variable == Variable.FIELD ? Variable.headerOf(string) : variable.header();
        if (header != null) fieldName = header.asString();
        else fieldName = variable == Variable.FIELD ? Variable.fieldName(string) : null;
    }

    /** {@return the name with these bytes, whose {@link #hash} is given} */
    static VariableName of(byte[] array, int offset, int length, int hash) {
        for (VariableName name = KNOWN[hash % SLOTS]; name != null; name = name.next)
            if (name.is(array, offset, length)) return name;
        return new VariableName(Arrays.copyOfRange(array, offset, offset + length), null);
    }

    /** {@return a hash of the bytes, not negative} */
    static int hash(byte[] array, int offset, int length) {
        int hash = length;
        for (int i = offset; i < offset + length; i++) hash = 31 * hash + array[i];
        return hash & Integer.MAX_VALUE;
    }

    boolean is(byte[] array, int offset, int length) {
        return Arrays.equals(bytes, 0, bytes.length, array, offset, offset + length);
    }

    private static VariableName[] known() {
        VariableName[] slots = new VariableName[SLOTS];
        Stream.concat(Variable.names(), OTHERS.stream()).forEach(name -> {
            byte[] bytes = name.getBytes(StandardCharsets.ISO_8859_1);
            int slot = hash(bytes, 0, bytes.length) % SLOTS;
            slots[slot] = new VariableName(bytes, slots[slot]);
        });
        return slots;
    }
}

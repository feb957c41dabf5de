package io.github.jettyfastcgi.protocol;

import java.nio.ByteBuffer;

/**
 * The content of a BEGIN_REQUEST record (FastCGI specification 1.0, section 5.1).
 *
 * @param roleCode the role as it is on the wire, 0 to 65535
 * @param keepConnection whether the web server keeps the connection open after the request; otherwise the application
 *     closes it after its END_REQUEST
 */
public record BeginRequest(int roleCode, boolean keepConnection) {
    /** The number of content bytes. */
    public static final int LENGTH = 8;

    private static final int KEEP_CONN = 1;

    /**
     * Reads the content and advances the buffer by {@link #LENGTH}. Unknown flags are ignored.
     *
     * @param buffer holds at least {@link #LENGTH} bytes
     * @return the content
     */
    public static BeginRequest readFrom(ByteBuffer buffer) {
        int roleCode = buffer.getShort() & 0xFFFF;
        boolean keepConnection = (buffer.get() & KEEP_CONN) != 0;
        buffer.position(buffer.position() + 5); // reserved
        return new BeginRequest(roleCode, keepConnection);
    }

    /** {@return the role, or {@code null} when the specification defines none for the code} */
    public Role role() {
        return Role.of(roleCode);
    }
}

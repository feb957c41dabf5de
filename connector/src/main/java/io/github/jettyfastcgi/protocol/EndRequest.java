package io.github.jettyfastcgi.protocol;

import java.nio.ByteBuffer;

/**
 * The content of an END_REQUEST record (FastCGI specification 1.0, section 5.5).
 *
 * @param appStatus what an exit status is to a CGI program; every web server in use ignores it
 * @param protocolStatus how the protocol level ended
 */
public record EndRequest(int appStatus, ProtocolStatus protocolStatus) {
    /** The number of content bytes. */
    public static final int LENGTH = 8;

    /** The end of a request that was served. */
    public static final EndRequest COMPLETE = new EndRequest(0, ProtocolStatus.REQUEST_COMPLETE);

    /**
     * Writes the content and advances the buffer by {@link #LENGTH}.
     *
     * @param buffer has room for at least {@link #LENGTH} bytes
     */
    public void writeTo(ByteBuffer buffer) {
        buffer.putInt(appStatus);
        buffer.putInt(protocolStatus.code() << 24); // one byte, then three reserved
    }
}

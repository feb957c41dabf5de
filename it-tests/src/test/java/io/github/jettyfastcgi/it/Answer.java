package io.github.jettyfastcgi.it;

import io.github.jettyfastcgi.it.RawConnection.Head;
import java.nio.charset.StandardCharsets;

/**
 * What a client got for a request.
 *
 * @param head status and fields
 * @param content what came of the content
 * @param whole whether all of the content came
 * @param clientPort the port of the client's end of the connection
 */
record Answer(Head head, byte[] content, boolean whole, int clientPort) {
    int status() {
        return head.status();
    }

    /** The value of the first field of this name, or empty. */
    String field(String name) {
        return head.field(name).orElse("");
    }

    String text() {
        return new String(content, StandardCharsets.UTF_8);
    }
}

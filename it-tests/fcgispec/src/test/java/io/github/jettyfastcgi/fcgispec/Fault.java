package io.github.jettyfastcgi.fcgispec;

import java.util.List;

/**
 * What a faulty application does to the records of one connection. A method that returns {@code null} closes the
 * connection. The two sides are called by a thread each.
 */
abstract class Fault {
    /** A fault that does nothing. */
    static class None extends Fault {}

    List<WireRecord> toApplication(WireRecord received) {
        return List.of(received);
    }

    List<WireRecord> toWebServer(WireRecord sent) {
        return List.of(sent);
    }

    /** {@return whether the application goes on after the bytes that one read has brought} */
    boolean acceptsRead(byte[] bytes) {
        return true;
    }

    /** {@return whether the application closes after what it was told to} */
    boolean closes() {
        return true;
    }

    /** {@return whether it closes, without answering, when the web server has ended its output} */
    boolean closesAlong() {
        return false;
    }

    /** {@return whether it serves several connections at once} */
    boolean isConcurrent() {
        return true;
    }

    /** {@return whether the process ends with this connection} */
    boolean isDeadly() {
        return false;
    }

    static WireRecord withContent(WireRecord each, byte[] content) {
        return new WireRecord(each.version(), each.type(), each.requestId(), each.paddingLength(), 0, content);
    }

    static WireRecord withId(WireRecord each, int id) {
        return new WireRecord(each.version(), each.type(), id, each.paddingLength(), 0, each.content());
    }
}

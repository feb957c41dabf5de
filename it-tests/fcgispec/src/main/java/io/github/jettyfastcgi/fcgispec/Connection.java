package io.github.jettyfastcgi.fcgispec;

import java.io.Closeable;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A connection as a web server would open it, used by one thread. Sending never blocks on an application that is sending
 * itself: what comes meanwhile is kept. Waiting ends after the timeout without a byte.
 */
final class Connection implements Closeable {
    private static final int READ_LENGTH = 65_536;
    private static final int SLOW_BYTES = 32;

    private final SocketChannel channel;
    private final Selector selector;
    private final Duration timeout;
    private final ByteBuffer input = ByteBuffer.allocate(READ_LENGTH);

    /** Received and not yet a record; always ready to be written to. */
    private ByteBuffer received = ByteBuffer.allocate(2 * READ_LENGTH);

    private int readLength = READ_LENGTH;

    /** What has come for requests that haven't ended, by id. */
    private final Map<Integer, Answer> answers = new TreeMap<>();

    private final Deque<Answer> ended = new ArrayDeque<>();
    private final Deque<WireRecord> management = new ArrayDeque<>();

    /** How the application closed, or {@code null} while it hasn't. */
    private String end;

    Connection(SocketChannel channel, Duration timeout) throws IOException {
        this.channel = channel;
        this.timeout = timeout;
        channel.configureBlocking(false);
        selector = Selector.open();
        channel.register(selector, SelectionKey.OP_READ);
    }

    /** Sends all of it, or fails when the application closes before. */
    void send(byte[]... parts) throws IOException {
        Unmet.unless(trySend(parts), "the connection was closed while the request was sent" + soFar());
    }

    /** Sends each byte on its own, the first ones slowly enough to be read so. */
    void sendByteByByte(byte[] bytes) throws IOException {
        for (int i = 0; i < bytes.length; i++) {
            send(new byte[] {bytes[i]});
            if (i < SLOW_BYTES) pause(Duration.ofMillis(2));
        }
    }

    /** Sends as much as the application takes before it closes; {@return whether that was all} */
    boolean trySend(byte[]... parts) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Records.concat(parts));
        try {
            while (bytes.hasRemaining()) {
                if (channel.write(bytes) > 0) continue;
                // an application that has ended its output may read on
                if (!await(end == null ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_WRITE, timeout))
                    throw new Unmet("nothing was read any more for " + timeout.toMillis() + " ms" + soFar());
                if (end == null) fill();
            }
        } catch (IOException e) {
            receiveRest(e);
        }
        return !bytes.hasRemaining();
    }

    /** What came before a reset, if the system still gives it. */
    private void receiveRest(IOException failure) {
        try {
            while (fill() > 0) {
                // all of it
            }
            if (end == null) end(failure);
        } catch (IOException e) {
            end(e);
        }
    }

    /** Lets the application wait. */
    void pause(Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unmet("interrupted");
        }
    }

    /** Waits for the end of the answer, or of the connection, or of the timeout, whichever comes first. */
    Answer answer(int requestId) throws IOException {
        while (end == null && !hasEnded(requestId)) {
            if (!receive()) return takeAnswer(requestId, "nothing for " + timeout.toMillis() + " ms");
        }
        return takeAnswer(requestId, end);
    }

    private boolean hasEnded(int requestId) {
        return ended.stream().anyMatch(answer -> answer.id() == requestId);
    }

    private Answer takeAnswer(int requestId, String withoutEnd) {
        for (Answer answer : ended) {
            if (answer.id() == requestId) {
                ended.remove(answer);
                return answer;
            }
        }
        Answer answer = answers.computeIfAbsent(requestId, Answer::new);
        answers.remove(requestId);
        answer.endsWithout(withoutEnd);
        return answer;
    }

    /** Waits until the answer has some of its content, or ends; {@return it, which may go on} */
    Answer beginningOf(int requestId, int contentLength) throws IOException {
        Answer answer = answers.computeIfAbsent(requestId, Answer::new);
        while (end == null && !answer.hasEnded() && !answer.hasContent(contentLength)) {
            if (!receive()) throw new Unmet("nothing for " + timeout.toMillis() + " ms" + soFar());
        }
        return answer;
    }

    /** {@return the next management record, or the failure to get one} */
    WireRecord management() throws IOException {
        while (management.isEmpty()) {
            Unmet.unless(end == null, "no management record, but " + end + soFar());
            Unmet.unless(receive(), "no management record for " + timeout.toMillis() + " ms" + soFar());
        }
        return management.remove();
    }

    /** {@return the management records that came and weren't asked for} */
    List<WireRecord> takeManagement() {
        List<WireRecord> all = List.copyOf(management);
        management.clear();
        return all;
    }

    /** Waits for the application to close; {@return whether it does} What it sends before counts as received. */
    boolean closes() throws IOException {
        while (end == null) {
            if (!receive()) return false;
        }
        return true;
    }

    /** Takes what comes within the time, or until either side closes. */
    void listen(Duration time) throws IOException {
        if (!channel.isOpen()) return;
        long until = System.nanoTime() + time.toNanos();
        for (long left = time.toMillis(); left > 0 && end == null; left = (until - System.nanoTime()) / 1_000_000)
            receive(Duration.ofMillis(left));
    }

    /** {@return the ids of records that came and weren't asked for, 0 for management records} */
    Set<Integer> leftovers() {
        Set<Integer> ids = new TreeSet<>(answers.keySet());
        for (Answer answer : ended) ids.add(answer.id());
        if (!management.isEmpty()) ids.add(0);
        return ids;
    }

    private String soFar() {
        StringBuilder text = new StringBuilder();
        for (Answer answer : answers.values())
            text.append("; for id ").append(answer.id()).append(": ").append(answer);
        for (WireRecord each : management) text.append("; ").append(each);
        return text.toString();
    }

    /** Takes what comes next, within the timeout; {@return whether something or the end came} */
    private boolean receive() throws IOException {
        return receive(timeout);
    }

    private boolean receive(Duration time) throws IOException {
        if (readLength < READ_LENGTH) pause(Duration.ofMillis(1));
        if (!await(SelectionKey.OP_READ, time)) return false;
        try {
            fill();
        } catch (IOException e) {
            end(e);
        }
        return true;
    }

    private boolean await(int operations, Duration time) throws IOException {
        channel.keyFor(selector).interestOps(operations);
        int ready = selector.select(time.toMillis());
        selector.selectedKeys().clear();
        return ready > 0;
    }

    private int fill() throws IOException {
        int length = channel.read(input.clear().limit(readLength));
        if (length < 0 && end == null) end = closed("closed");
        if (length > 0) take(input.flip());
        return length;
    }

    private void end(IOException failure) {
        end = closed("reset (" + failure.getMessage() + ")");
    }

    private String closed(String how) {
        return how + (received.position() > 0 ? " within a record" : "");
    }

    private void take(ByteBuffer bytes) {
        if (received.remaining() < bytes.remaining())
            received = ByteBuffer.allocate(2 * received.capacity()).put(received.flip());
        received.put(bytes).flip();
        for (WireRecord next = WireRecord.takeFrom(received); next != null; next = WireRecord.takeFrom(received)) {
            if (next.requestId() == 0) management.add(next);
            else add(next);
        }
        received.compact();
    }

    /** From now on reads no more than so many bytes a millisecond. */
    void readSlowly(int bytesPerMillisecond) {
        readLength = bytesPerMillisecond;
    }

    private void add(WireRecord next) {
        Answer answer = answers.computeIfAbsent(next.requestId(), Answer::new);
        answer.add(next);
        if (!answer.hasEnded()) return;
        answers.remove(next.requestId());
        ended.add(answer);
    }

    void shutdownOutput() throws IOException {
        channel.shutdownOutput();
    }

    /** Closes in the middle of things: with a reset, over TCP. */
    void reset() throws IOException {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        close();
    }

    @Override
    public void close() throws IOException {
        channel.close();
        selector.close();
    }
}

package io.github.jettyfastcgi.protocol;

import java.nio.ByteBuffer;

/**
 * Divides a stream of bytes into records, as the bytes come: a header is collected until it is whole, content is handed
 * on as far as it is there, padding is skipped. It never interprets a record and never keeps content.
 *
 * <p>A parser belongs to one connection and is used by one thread at a time.
 *
 * <pre>
 *            header whole              content done             padding done
 *   HEADER ---------------> OFFERED ----> CONTENT ----> PADDING ------------> HEADER
 *                           ^    | deferred
 *                           +----+  (offered again by the next call)
 * </pre>
 */
public final class RecordParser {
    /**
     * Receives the events of one connection. Every method answers whether parsing goes on; a parser that is told to
     * stop returns from {@link #parse}, and the next call continues from the same place.
     */
    public interface Listener {
        /**
         * A record begins.
         *
         * @param header its header
         * @return {@code false} to leave the record for later: this method is called again with the same header by the
         *     next {@link RecordParser#parse}
         * @throws FastCGIException when the record can't be part of any FastCGI connection
         */
        boolean onRecord(RecordHeader header) throws FastCGIException;

        /**
         * Content of the record that began last, never empty.
         *
         * @param content the buffer being parsed, its position and limit set to the bytes that are there, at most the rest
         *     of the record. Both are the parser's again when this method returns, so what is kept is copied or a slice.
         *     (To make a slice of every content took 5 % of the bytes that a small request allocated.)
         * @return whether to go on
         * @throws FastCGIException when the content can't be part of any FastCGI connection
         */
        boolean onContent(ByteBuffer content) throws FastCGIException;

        /**
         * The content of the record that began last is complete, its padding is not yet skipped.
         *
         * @return whether to go on
         * @throws FastCGIException when the content can't be part of any FastCGI connection
         */
        boolean onRecordEnd() throws FastCGIException;
    }

    private enum Step {
        PROCEED,
        STOPPED,
        STARVED
    }

    private enum State {
        HEADER,
        OFFERED,
        CONTENT,
        PADDING
    }

    private final ByteBuffer partialHeader = ByteBuffer.allocate(RecordHeader.LENGTH);
    private State state = State.HEADER;
    private RecordHeader header;
    private int contentLeft;
    private int paddingLeft;

    /**
     * Parses until the buffer is empty or the listener stops it.
     *
     * @param buffer the bytes; its position is advanced over what was parsed
     * @param listener receives the events
     * @return {@code true} if the listener stopped it, {@code false} if the buffer is empty and more bytes are needed
     * @throws FastCGIException when the bytes are no FastCGI; the parser is of no use afterwards
     */
    public boolean parse(ByteBuffer buffer, Listener listener) throws FastCGIException {
        while (true) {
            Step step = switch (state) {
                case HEADER -> readHeader(buffer);
                case OFFERED -> offer(listener);
                case CONTENT -> content(buffer, listener);
                case PADDING -> skipPadding(buffer);
            };
            if (step != Step.PROCEED) return step == Step.STOPPED;
        }
    }

    /**
     * Looks for a record among bytes that aren't parsed, the listener having stopped the parser.
     *
     * @param buffer the bytes; it stays as it is
     * @param type the type of the record
     * @param requestId its request id
     * @return whether its header is there
     * @throws FastCGIException when the bytes are no FastCGI
     */
    public boolean isAhead(ByteBuffer buffer, RecordType type, int requestId) throws FastCGIException {
        ByteBuffer ahead = buffer.duplicate();
        int skip = contentLeft + paddingLeft;
        while (ahead.remaining() - skip >= RecordHeader.LENGTH) {
            RecordHeader next = RecordHeader.readFrom(ahead.position(ahead.position() + skip));
            if (next.type() == type && next.requestId() == requestId) return true;
            skip = next.contentLength() + next.paddingLength();
        }
        return false;
    }

    /** {@return whether the next byte is the first of a record} */
    public boolean isBetweenRecords() {
        return state == State.HEADER ? partialHeader.position() == 0 : state == State.PADDING && paddingLeft == 0;
    }

    private Step readHeader(ByteBuffer buffer) throws FastCGIException {
        if (partialHeader.position() == 0 && buffer.remaining() >= RecordHeader.LENGTH) {
            header = RecordHeader.readFrom(buffer);
        } else {
            while (partialHeader.hasRemaining()) {
                if (!buffer.hasRemaining()) return Step.STARVED;
                partialHeader.put(buffer.get());
            }
            header = RecordHeader.readFrom(partialHeader.flip());
            partialHeader.clear();
        }
        state = State.OFFERED;
        return Step.PROCEED;
    }

    private Step offer(Listener listener) throws FastCGIException {
        if (!listener.onRecord(header)) return Step.STOPPED;
        contentLeft = header.contentLength();
        paddingLeft = header.paddingLength();
        state = State.CONTENT;
        return Step.PROCEED;
    }

    private Step content(ByteBuffer buffer, Listener listener) throws FastCGIException {
        if (contentLeft == 0) {
            state = State.PADDING;
            return listener.onRecordEnd() ? Step.PROCEED : Step.STOPPED;
        }
        int length = Math.min(contentLeft, buffer.remaining());
        if (length == 0) return Step.STARVED;
        int end = buffer.limit();
        int contentEnd = buffer.position() + length;
        contentLeft -= length;
        boolean proceeds = listener.onContent(buffer.limit(contentEnd));
        buffer.limit(end).position(contentEnd);
        return proceeds ? Step.PROCEED : Step.STOPPED;
    }

    private Step skipPadding(ByteBuffer buffer) {
        int length = Math.min(paddingLeft, buffer.remaining());
        buffer.position(buffer.position() + length);
        paddingLeft -= length;
        if (paddingLeft > 0) return Step.STARVED;
        state = State.HEADER;
        return Step.PROCEED;
    }
}

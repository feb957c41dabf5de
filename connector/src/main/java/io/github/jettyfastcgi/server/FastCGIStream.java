package io.github.jettyfastcgi.server;

import io.github.jettyfastcgi.cgi.CGIRequest;
import io.github.jettyfastcgi.cgi.MetaVariables;
import io.github.jettyfastcgi.cgi.ResponseHead;
import io.github.jettyfastcgi.protocol.EndRequest;
import io.github.jettyfastcgi.protocol.RecordEncoder;
import io.github.jettyfastcgi.protocol.RecordHeader;
import io.github.jettyfastcgi.protocol.RecordType;
import java.io.IOException;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.RetainableByteBuffer;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpStream;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.NanoTime;

/**
 * One request and its response.
 *
 * <p>Content goes to the application as slices of the connection's input buffer, retained; the application releases
 * them. {@link #read()} and {@link #demand()} are called by one application thread at a time, which owns the parser as
 * long as STDIN has not ended. {@link #consumeAvailable()} may be called beside them.
 *
 * <p>Nothing is read on behalf of a response: what the application leaves of STDIN is skipped by the connection when the
 * response is complete, so that an early answer never waits for the rest of an upload.
 */
final class FastCGIStream implements HttpStream {
    /** The longest buffer for framing and content: that of one record. */
    private static final int MAX_FRAMING = RecordHeader.LENGTH + RecordEncoder.MAX_STDOUT_CONTENT;

    /** Up to which length, in bytes, content outside of the heap is copied rather than gathered. */
    private static final int MAX_COPY = 4 * 1024;

    /** What a request is told whose content is longer than allowed. */
    static final String TOO_LARGE = "More content than allowed";

    private final FastCGIConnection connection;
    private final String id;
    private final int requestId;
    private final CGIRequest request;
    private MetaVariables variables; // guarded by this, as is the completion, which is made on demand
    private CompletableFuture<Void> completion;
    private final boolean isHead;
    private final AtomicReference<Content.Chunk> chunk = new AtomicReference<>();
    private volatile Content.Chunk failure;
    private volatile boolean ended;
    private volatile boolean discarding;
    private volatile boolean committed;
    private volatile boolean aborted;
    private boolean foundAborted;
    private volatile boolean endSent;
    private volatile boolean endsConnection;
    private volatile boolean givenUp;
    private volatile Thread handlingThread;
    private boolean handled;
    private boolean loggedAsSlow;
    private volatile boolean admitted;
    private volatile String askedContext;
    private boolean overloaded;
    private boolean hasContent;
    private boolean contentSent;
    private int status;
    private long missing;
    private long received;

    FastCGIStream(FastCGIConnection connection, String id, int requestId, CGIRequest request, MetaVariables variables) {
        this.connection = connection;
        this.id = id;
        this.requestId = requestId;
        this.request = request;
        this.variables = variables;
        this.isHead = HttpMethod.HEAD.is(request.getMethod());
    }

    CGIRequest request() {
        return request;
    }

    /** {@return the status of the response, 0 before it begins} */
    int status() {
        return status;
    }

    /** {@return whether the response tells of success without any content: perhaps the web server sends a file instead} */
    boolean isHandedOver() {
        return status == HttpStatus.OK_200 && !contentSent;
    }

    int requestId() {
        return requestId;
    }

    /**
     * Reads the variables of the request, by any thread. They are the connection's, which fills them anew for the next
     * request: when the exchange is over there is nothing to read.
     *
     * @param function reads, and keeps nothing of them
     * @return what it returns, or {@code null} when the exchange is over
     */
    synchronized <T> T fromVariables(Function<MetaVariables, T> function) {
        return variables == null ? null : function.apply(variables);
    }

    private synchronized void forgetVariables() {
        variables = null;
        if (completion != null) completion.complete(null);
    }

    /** {@return what is completed when the exchange is over} */
    synchronized CompletableFuture<Void> completion() {
        if (completion == null) completion = new CompletableFuture<>();
        if (variables == null) completion.complete(null);
        return completion;
    }

    /** Calls the handler, with a note of the thread for whoever looks at running requests. */
    void handle(Runnable handler) {
        handlingThread = Thread.currentThread();
        try {
            handler.run();
        } finally {
            handled = true;
            handlingThread = null; // publishes both
        }
    }

    /** {@return the thread that is in the handler now, or {@code null}} */
    Thread handlingThread() {
        return handlingThread;
    }

    /** {@return whether the handler has returned, to be asked behind a look at the thread} */
    boolean isHandled() {
        return handled;
    }

    /** {@return whether it is in the slow log already} Of the thread that writes that log. */
    boolean isLoggedAsSlow() {
        return loggedAsSlow;
    }

    void setLoggedAsSlow() {
        loggedAsSlow = true;
    }

    /** The request counts as a running one. */
    void admitted() {
        admitted = true;
    }

    boolean isAdmitted() {
        return admitted;
    }

    /** A context gets the request, perhaps by way of another. */
    void asks(String contextPath) {
        if (askedContext == null) askedContext = contextPath;
    }

    /** The answer is to be 503, with a Retry-After. */
    void overloaded() {
        overloaded = true;
    }

    /** The peer has sent ABORT_REQUEST. */
    void abort(Throwable cause) {
        aborted = true;
        fail(cause);
    }

    /** {@return whether it is found out for the first time that the peer doesn't wait for the response} */
    synchronized boolean isFoundAborted() {
        boolean first = !foundAborted;
        foundAborted = true;
        return first;
    }

    boolean isAborted() {
        return aborted;
    }

    /**
     * The connection is not kept behind the response: of what comes next it is not known where a request begins. It is too
     * late for that when the request is completed, and what it has left is skipped.
     */
    void endConnection() {
        endsConnection = true;
    }

    boolean endsConnection() {
        return endsConnection;
    }

    /** {@return whether the end of the response was sent} */
    boolean isEnded() {
        return endSent;
    }

    /** Lets reads fail, after what was read before. */
    void fail(Throwable cause) {
        if (failure == null) failure = Content.Chunk.from(cause, true);
    }

    /**
     * Takes content from the owner of the parser.
     *
     * @param slice the content
     * @param buffer the buffer that it is a slice of
     * @return whether the application has to see it before more is parsed
     */
    boolean onContent(ByteBuffer slice, RetainableByteBuffer buffer) {
        received += slice.remaining();
        long expected = request.getContentLength();
        if (expected >= 0 && received > expected) {
            mismatch("more than CONTENT_LENGTH " + expected);
            return true;
        }
        if (discarding || failure != null) return false;
        if (expected < 0 && isTooLarge()) {
            fail(new ContentException(HttpStatus.PAYLOAD_TOO_LARGE_413, TOO_LARGE));
            return true;
        }
        buffer.retain();
        chunk.set(Content.Chunk.asChunk(slice, false, buffer));
        if (discarding) releaseChunk(); // discarded by another thread meanwhile
        return true;
    }

    private boolean isTooLarge() {
        long most = connection.factory().getMaxContentLength();
        return most >= 0 && received > most;
    }

    /** STDIN has ended. */
    void onContentEnd() {
        long expected = request.getContentLength();
        if (expected >= 0 && received < expected)
            mismatch("content of " + received + " bytes (expected: CONTENT_LENGTH " + expected + ")");
        ended = true;
    }

    private void mismatch(String message) {
        if (failure != null) return;
        endConnection();
        connection.contentLengthMismatch();
        fail(new ContentException(HttpStatus.BAD_REQUEST_400, message));
    }

    /** {@return whether {@link #read()} has something to return without parsing} */
    boolean hasChunk() {
        return chunk.get() != null || failure != null || ended;
    }

    @Override
    public String getId() {
        return id;
    }

    @Override
    public Content.Chunk read() {
        if (!hasChunk()) connection.readContent(this);
        Content.Chunk next = chunk.getAndSet(null);
        if (next != null) return next;
        if (failure != null) return failure;
        return ended ? Content.Chunk.EOF : null;
    }

    @Override
    public void demand() {
        if (!hasChunk()) connection.readContent(this);
        if (hasChunk()) connection.contentAvailable();
        else connection.demandContent(this);
    }

    @Override
    public Throwable consumeAvailable() {
        discarding = true;
        releaseChunk();
        if (!ended) fail(CONTENT_NOT_CONSUMED);
        return null;
    }

    private void releaseChunk() {
        Content.Chunk unread = chunk.getAndSet(null);
        if (unread != null) unread.release();
    }

    @Override
    public void prepareResponse(HttpFields.Mutable headers) {
        if (overloaded) headers.put(HttpHeader.RETRY_AFTER, Replies.RETRY_SECONDS);
    }

    @Override
    public void send(
            MetaData.Request ignored, MetaData.Response response, boolean last, ByteBuffer content, Callback callback) {
        if (response != null) {
            int status = response.getStatus();
            if (HttpStatus.isInterim(status)) {
                callback.succeeded(); // CGI has no way to say it
                return;
            }
            if (committed || status < HttpStatus.OK_200) {
                callback.failed(
                        committed
                                ? new IllegalStateException("Committed")
                                : new HttpException.RuntimeException(
                                        HttpStatus.INTERNAL_SERVER_ERROR_500, "Status " + status + " over FastCGI"));
                return;
            }
            this.status = status;
            if (allows() && !mayAllow(response.getHttpFields())) {
                callback.failed(new HttpException.RuntimeException(
                        HttpStatus.INTERNAL_SERVER_ERROR_500, "No web application decides"));
                return;
            }
            hasContent = !isHead && ResponseHead.hasContent(status) && !allows();
            missing = hasContent ? response.getContentLength() : -1;
        }
        if (!hasContent) BufferUtil.clear(content);
        if (response == null && !last && BufferUtil.isEmpty(content)) {
            callback.succeeded();
            return;
        }
        if (missing > 0) missing -= BufferUtil.length(content);
        if (last && missing > 0) callback.failed(new IOException("Content-Length tells of " + missing + " bytes more"));
        else write(response, last, content, callback);
    }

    /** {@return whether the response allows another request} Its content would be nobody's (FastCGI specification, 6.3). */
    private boolean allows() {
        return status == HttpStatus.OK_200 && request.isAuthorization();
    }

    /**
     * {@return whether the response is that of who is to decide} One that means anything to a web server is meant for it;
     * else it may be that of whatever gets requests that nobody else gets, which knows nothing of the question.
     */
    private boolean mayAllow(HttpFields fields) {
        String asked = askedContext;
        boolean isElsewhere =
                asked != null && !asked.equals(connection.factory().getAuthorizerPath());
        return !isElsewhere || ResponseHead.hasVariable(fields);
    }

    private void write(MetaData.Response response, boolean last, ByteBuffer content, Callback callback) {
        HttpConfiguration configuration = connection.getHttpConfiguration();
        ByteBuffer report = last && status >= HttpStatus.INTERNAL_SERVER_ERROR_500 ? connection.report(this) : null;
        int endLength = RecordEncoder.END_LENGTH + BufferUtil.length(report);
        RetainableByteBuffer framing = frameHead(response, configuration.getResponseHeaderSize(), content, endLength);
        if (framing == null)
            framing = frameHead(response, configuration.getMaxResponseHeaderSize(), content, endLength);
        if (framing == null) {
            callback.failed(new HttpException.RuntimeException(
                    HttpStatus.INTERNAL_SERVER_ERROR_500, "Response Header Fields Too Large"));
            return;
        }
        if (response != null) begin(framing.getByteBuffer().position() - RecordHeader.LENGTH);
        if (!BufferUtil.isEmpty(content)) contentSent = true;
        if (last) endSent = true;
        frame(framing, last, content, report, callback);
    }

    private void begin(int headSize) {
        connection.counters().responseStarted(NanoTime.since(request.getBeginNanoTime()));
        connection.countHead(headSize);
        if (received > 0 && !ended && HttpStatus.isSuccess(status)) connection.countStreamed();
        committed = true;
    }

    /**
     * {@return a buffer with room for a record's header, then the head, then room for content and in any case the end of
     * the response, all in one record; or {@code null} if the head is larger than allowed}
     */
    private RetainableByteBuffer frameHead(
            MetaData.Response response, int maxHeadSize, ByteBuffer content, int endLength) {
        int headSize = response == null ? 0 : Math.min(maxHeadSize, MAX_FRAMING);
        int size = RecordHeader.LENGTH + headSize + copyLength(content) + endLength;
        RetainableByteBuffer framing = connection.acquire(Math.min(size, MAX_FRAMING));
        ByteBuffer buffer = framing.getByteBuffer();
        BufferUtil.clearToFill(buffer);
        int limit = Math.min(buffer.capacity(), MAX_FRAMING) - endLength;
        buffer.position(RecordHeader.LENGTH);
        try {
            buffer.limit(Math.min(limit, RecordHeader.LENGTH + headSize));
            if (response != null) putHead(response.getHttpFields(), buffer);
            buffer.limit(limit);
            return framing;
        } catch (BufferOverflowException x) {
            framing.release();
            return null;
        }
    }

    private void putHead(HttpFields fields, ByteBuffer buffer) {
        if (request.isAuthorization()) ResponseHead.putAuthorizationTo(status, fields, buffer);
        else ResponseHead.putTo(status, fields, buffer);
    }

    /**
     * {@return how much room to make for content} Memory outside of the heap is written from where it is, unless there is
     * little of it. What is on the heap has to be copied for a write in any case, all of it again for each write that
     * takes only a part; so it is copied here, once.
     */
    private static int copyLength(ByteBuffer content) {
        int length = BufferUtil.length(content);
        return length <= MAX_COPY || !content.isDirect() ? Math.min(length, MAX_FRAMING) : 0;
    }

    /** Completes the first record, whose head is in the buffer; content and end are put there too as far as they fit. */
    private void frame(
            RetainableByteBuffer framing, boolean last, ByteBuffer content, ByteBuffer report, Callback callback) {
        ByteBuffer buffer = framing.getByteBuffer();
        int length = BufferUtil.length(content);
        boolean fits = length <= buffer.remaining();
        int behind = 0;
        if (fits || !content.isDirect()) {
            RecordFlusher.move(content, Math.min(length, buffer.remaining()), buffer);
        } else {
            behind = Math.min(length, RecordEncoder.MAX_STDOUT_CONTENT - buffer.position() + RecordHeader.LENGTH);
        }

        int end = buffer.position();
        int contentLength = end - RecordHeader.LENGTH + behind;
        buffer.position(0);
        if (contentLength > 0) {
            RecordEncoder.putHeader(buffer, RecordType.STDOUT, requestId, contentLength);
            buffer.position(end);
        }
        buffer.limit(buffer.capacity());
        if (fits && last) putEnd(buffer, report);
        BufferUtil.flipToFlush(buffer, 0);
        if (fits) {
            connection.flusher().write(this, framing, null, 0, false, callback);
        } else if (report == null) {
            connection.flusher().write(this, framing, content, behind, last, callback);
        } else {
            connection.flusher().write(this, framing, content, behind, false, Callback.NOOP);
            ByteBuffer behindContent = ByteBuffer.allocate(report.remaining() + RecordEncoder.END_LENGTH);
            putEnd(behindContent, report);
            connection.flusher().write(this, RetainableByteBuffer.wrap(behindContent.flip()), null, 0, false, callback);
        }
    }

    /** Ends the response, behind what the web server is told of it on STDERR, which may be {@code null}. */
    private void putEnd(ByteBuffer buffer, ByteBuffer report) {
        if (report != null) buffer.put(report);
        RecordEncoder.putEnd(buffer, requestId, EndRequest.COMPLETE);
    }

    @Override
    public Runnable cancelSend(Throwable cause, Callback appCallback) {
        return () -> connection.flusher().cancel(this, cause, appCallback);
    }

    /** Nothing more is to be written of the response. */
    void giveUp() {
        givenUp = true;
    }

    boolean isGivenUp() {
        return givenUp;
    }

    @Override
    public long getIdleTimeout() {
        return connection.getEndPoint().getIdleTimeout();
    }

    @Override
    public void setIdleTimeout(long idleTimeoutMs) {
        connection.getEndPoint().setIdleTimeout(idleTimeoutMs);
    }

    @Override
    public boolean isCommitted() {
        return committed;
    }

    @Override
    public void succeeded() {
        forgetVariables();
        releaseChunk();
        connection.onCompleted(this, null);
    }

    @Override
    public void failed(Throwable x) {
        forgetVariables();
        releaseChunk();
        connection.onCompleted(this, x);
    }
}

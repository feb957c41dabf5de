package io.github.jettyfastcgi.server;

import io.github.jettyfastcgi.cgi.CGIRequest;
import io.github.jettyfastcgi.protocol.EndRequest;
import io.github.jettyfastcgi.protocol.FastCGIException;
import io.github.jettyfastcgi.protocol.RecordEncoder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.io.QuietException;
import org.eclipse.jetty.io.RetainableByteBuffer;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.NanoTime;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.Invocable;
import org.eclipse.jetty.util.thread.ThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection of a web server: one request after another, each handled on the thread that read it.
 *
 * <p><b>Threads.</b> {@link ParserOwnership} says who may fill and parse; {@code input}, {@code timeouts} and what
 * {@code reader} doesn't open to any thread are touched by that thread only. It is the attached one, in {@link #run()};
 * while a request with open STDIN runs it is the application's, in {@link #readContent}, or for a moment the scheduler's,
 * in {@link #checkRequest()}. Completion, timeouts and the close come from any thread. When no thread of the pool is free
 * the selector's reads, in Jetty's non-blocking mode: it hands a request over to the pool, where it waits for a thread, but
 * answers what is urgent, or refused, by itself.
 *
 * <p><b>Ends.</b> A request that can't be answered any more ends in {@link #reset(Throwable)}: the peer sees the
 * connection close without END_REQUEST, which tells a truncated response from a whole one. A connection that isn't kept,
 * or whose peer has miscounted, is <i>closing</i>: after the response it is closed, if the peer has sent all that it had to
 * send; else its output is shut down and its input read to the end, so that no RST overtakes the response.
 */
final class FastCGIConnection extends RequestConnection implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(FastCGIConnection.class);

    /** What web servers pass on as it comes in, they pass on in STDIN records below this: 8 to 16 KB. */
    private static final int GATHERED_STDIN = 32 * 1024;

    private final Callback fillable = new FillableCallback();
    private final Callback demanded = new DemandCallback();
    private final FastCGIConnectionFactory factory;
    private final ParserOwnership ownership;
    private final InputBuffer input;
    private final RecordFlusher flusher;
    private final Replies replies;
    private final ConnectionTimeouts timeouts;
    private final RequestChannel channel;
    private final Admission admission;
    private long requestsWhenChecked = -1;
    private RequestReader reader; // null while the connection is idle for long

    private volatile FastCGIStream stream;
    private volatile BooleanSupplier handedOver;
    private volatile boolean closing;
    private volatile boolean endOfInput;
    private volatile boolean failed;

    FastCGIConnection(FastCGIConnectionFactory factory, Connector connector, EndPoint endPoint) {
        super(connector, factory.getHttpConfiguration(), endPoint);
        this.factory = factory;
        this.channel = new RequestChannel(this);
        this.admission = new Admission(this, channel);
        this.flusher = new RecordFlusher(this);
        this.replies = new Replies(factory, flusher);
        this.ownership = new ParserOwnership(() -> reader.isComplete(), this::hasContent);
        this.input = new InputBuffer(endPoint, connector.getByteBufferPool(), getHttpConfiguration());
        this.timeouts = new ConnectionTimeouts(factory, endPoint);
    }

    FastCGIConnectionFactory factory() {
        return factory;
    }

    @Override
    Counters counters() {
        return factory.getCounters();
    }

    FastCGIStream activeStream() {
        return stream;
    }

    /** {@return the running request, unless it waits for its handler to be called, or {@code null}} */
    FastCGIStream handledStream() {
        boolean isWaiting = admission.isWaiting() || handedOver != null;
        FastCGIStream active = stream;
        return isWaiting ? null : active;
    }

    /** {@return whether a request was given to the application and isn't completed} */
    boolean isRunning(FastCGIStream request) {
        return ownership.isRunning() && stream == request;
    }

    @Override
    CGIRequest activeRequest() {
        FastCGIStream active = stream;
        return active == null ? null : active.request();
    }

    // ---- the attached thread

    @Override
    public void onOpen() {
        super.onOpen();
        factory.connections().opened(this);
        counters().openedConnections.increment();
        arm();
    }

    @Override
    public void onClose(Throwable cause) {
        factory.connections().closed(this);
        ConnectionEnd end = end(cause);
        counters().connectionClosed(end, getMessagesIn());
        if (end == ConnectionEnd.PEER_AT_ONCE && isLastHeadLarge())
            counters().largeHeadEnds.increment();
        super.onClose(cause);
    }

    private ConnectionEnd end(Throwable cause) {
        if (failed) return ConnectionEnd.FAILURE;
        if (isStopping() || !getConnector().isRunning()) return ConnectionEnd.STOPPED;
        if (closing) return ConnectionEnd.NOT_KEPT;
        if (cause instanceof TimeoutException) return ConnectionEnd.IDLE_TIMEOUT;
        if (!endOfInput) return ConnectionEnd.FAILURE;
        return isJustAnswered() && !reader.hasLeftovers() ? ConnectionEnd.PEER_AT_ONCE : ConnectionEnd.PEER;
    }

    @Override
    public void onFillable() {
        onFillable(true);
    }

    private void onFillable(boolean mayBlock) {
        switch (ownership.readable()) {
            case APPLICATION -> channel.contentAvailable();
            case CALLER -> {
                if (mayBlock) run();
                else execute();
            }
            case OTHER -> LOG.trace("Another thread reads {}", this);
        }
    }

    /** Reads and handles requests until there is nothing to read, or a request goes on without this thread. */
    @Override
    public void run() {
        try {
            if (reader == null) reader = newReader();
            if (handedOver != null && !runHandedOver()) return;
            while (true) {
                finishCompleted();
                if (input.hasRemaining()) {
                    if (isClosing() || !getEndPoint().isOpen()) input.clear();
                    else if (!act(reader.parse(input.bytes()))) return;
                } else {
                    if (isReadingVariables() && timeouts.isOver()) requestTimeout();
                    int filled = fill();
                    if (filled == 0) arm();
                    else if (filled < 0) endOfInput();
                    if (filled <= 0) return;
                }
            }
        } catch (FastCGIException x) {
            protocolError(x);
            stop(new EofException(x)); // the peer has caused it: no news for the log
        } catch (Throwable x) {
            unexpected(x);
            stop(x);
        }
    }

    private RequestReader newReader() {
        return new RequestReader(
                this,
                replies,
                getHttpConfiguration().getRequestHeaderSize(),
                factory.getMaxVariables(),
                factory.getAuthorizerPath());
    }

    /** {@return whether this thread is attached still} */
    private boolean act(RequestReader.Event event) throws FastCGIException {
        return switch (event) {
            case NONE, CONTENT -> true;
            case REQUEST -> handle();
            case ABORT -> stream.isEnded() || fail(abort(stream));
            case NEXT_REQUEST -> !ownership.detachWhileRunning();
        };
    }

    /** {@return whether this thread is attached still} */
    private boolean handle() throws FastCGIException {
        timeouts.adjust(ConnectionTimeouts.Wait.CONTENT);
        countRequest();
        CGIRequest request = reader.takeRequest(factory);
        FastCGIStream next =
                new FastCGIStream(this, Long.toString(getMessagesIn()), reader.activeId(), request, reader.variables());
        stream = next;
        if (request.isAuthorization()) next.onContentEnd();
        else if (!reader.keepsConnection()) counters().unkeptRequests.increment(); // no web server could keep the other
        if (!reader.keepsConnection() || !getHttpConfiguration().isPersistentConnectionsEnabled()) closing = true;
        if (parseToContent(next)) {
            next.consumeAvailable();
            stream = null;
            reader.finish();
            replies.aborted(next.requestId());
            if (closing || next.endsConnection()) closeUnstarted();
            return true;
        }
        ownership.requestStarts(next);
        Runnable task = admission.admit(next);
        if (task == null) return handlerReturned(); // it waits for its turn
        if (RequestChannel.mayRun(task) || factory.isUrgent(request)) return call(task);
        handOver(() -> call(task));
        return false;
    }

    /** Fails the running request, before anything else is read; {@return whether this thread is attached still} */
    private boolean fail(Throwable cause) {
        Runnable task = admission.isForChannel(cause) ? channel.remoteFailure(cause) : null;
        if (task == null) return true;
        if (!RequestChannel.mayRun(task)) {
            handOver(() -> {
                handedOver = null;
                channel.call(task);
                return true;
            });
            return false;
        }
        channel.call(task);
        return true;
    }

    /**
     * Lets a thread of the pool be attached instead of this one, which is a selector's. Until the handler begins no failure
     * is told to the channel, which would answer while the handler is about to be called.
     *
     * @param action what it does first, which answers whether it is attached still
     */
    private void handOver(BooleanSupplier action) {
        handedOver = action;
        counters().waitingForThread.incrementAndGet();
        execute();
    }

    /** {@return whether this thread is attached still} */
    private boolean runHandedOver() {
        counters().waitingForThread.decrementAndGet();
        return handedOver.getAsBoolean();
    }

    /** Calls the handler; {@return whether this thread is attached still} */
    private boolean call(Runnable task) {
        channel.handle(stream, task);
        if (handedOver != null) handedOver = null;
        return handlerReturned();
    }

    /** {@return whether this thread is attached still} */
    private boolean handlerReturned() {
        if (!ownership.handlerReturned()) return false;
        if (input.hasRemaining()) return true;
        arm();
        return false;
    }

    /**
     * Parses the STDIN that came along with the variables, up to its first content, so that a request without content
     * holds no buffer; {@return whether the request was aborted}
     */
    private boolean parseToContent(FastCGIStream next) throws FastCGIException {
        while (input.hasRemaining() && !next.hasChunk())
            if (reader.parse(input.bytes()) == RequestReader.Event.ABORT) return true;
        input.releaseIfEmpty();
        return false;
    }

    /** Calls the handler of a request that had to wait. */
    void execute(FastCGIStream waited, Runnable handler) {
        counters().waitingForThread.incrementAndGet();
        try {
            getExecutor().execute(() -> {
                counters().waitingForThread.decrementAndGet();
                channel.handle(waited, handler);
            });
        } catch (RejectedExecutionException x) {
            counters().waitingForThread.decrementAndGet();
            getEndPoint().close(x);
            channel.run(channel.remoteFailure(x));
        }
    }

    /** The handler is about to be called, unless this throws. */
    void handlerBegins() {
        if (handedOver != null) handedOver = null;
        admission.handlerBegins();
    }

    /** Makes the reader ready for the next request, if the active one is completed. */
    private void finishCompleted() {
        if (stream == null || !ownership.finishes()) return;
        stream = null;
        reader.finish();
        timeouts.requestEnds();
    }

    /** {@return whether all that is left to read is the end of input} */
    private boolean isClosing() {
        return closing && stream == null;
    }

    /** {@return whether what a finished request has left is waited for} */
    private boolean isDraining() {
        return isClosing() || reader != null && reader.hasLeftovers();
    }

    private boolean isReadingVariables() {
        return reader != null && reader.isReadingVariables();
    }

    private ConnectionTimeouts.Wait waitsFor() {
        if (isDraining()) return ConnectionTimeouts.Wait.LEFTOVERS;
        if (isReadingVariables()) return ConnectionTimeouts.Wait.VARIABLES;
        return stream == null ? ConnectionTimeouts.Wait.REQUEST : ConnectionTimeouts.Wait.CONTENT;
    }

    /** Detaches this thread and registers fill interest; the input buffer is empty. */
    private void arm() {
        do {
            finishCompleted();
            input.release();
            if (isClosing() && !getEndPoint().isOpen()) {
                ownership.detach();
                return;
            }
            timeouts.adjust(waitsFor());
            if (ownership.detachInterested()) fillInterested(fillable);
        } while (ownership.attachCompleted());
    }

    private int fill() {
        int filled = input.fill();
        if (filled <= 0) return filled;
        countReceived(filled);
        return isDraining() && timeouts.isOver() ? -1 : filled;
    }

    /** The peer has ended its output: a running request fails, and its completion closes. */
    private void endOfInput() {
        endOfInput = true;
        if (ownership.isRunning()) {
            failed = true;
            countAborted(stream);
            remoteFailure(ContentException.peerClosed());
        }
        input.release();
        if (!ownership.detachWhileRunning()) getEndPoint().close();
    }

    /** The variables of a request have not come in time. */
    private void requestTimeout() {
        replies.timeout(reader.activeId());
        reader.giveUp();
        closeUnstarted();
    }

    /** The connection is closed: a running request fails, nothing more is read. */
    private void stop(Throwable cause) {
        if (ownership.isRunning()) remoteFailure(cause);
        input.release();
        ownership.detach();
    }

    // ---- the application, through the stream

    /** Parses and fills until the stream has something to read, or there is nothing to read. */
    void readContent(FastCGIStream active) {
        if (!ownership.readingBegins(active)) return;
        try {
            while (!active.hasChunk()) {
                if (input.hasRemaining()) {
                    if (reader.parse(input.bytes()) == RequestReader.Event.ABORT) abort(active);
                } else {
                    int filled = fill();
                    if (filled == 0) break;
                    if (filled < 0) contentCutOff(active);
                }
            }
        } catch (FastCGIException x) {
            contentBroken(active, x);
        } finally {
            input.releaseIfEmpty();
            if (ownership.readingEnds()) proceed();
        }
    }

    private Throwable contentCutOff(FastCGIStream active) {
        endOfInput = true;
        countAborted(active);
        Throwable failure = ContentException.peerClosed();
        active.fail(failure);
        return failure;
    }

    private Throwable contentBroken(FastCGIStream active, FastCGIException x) {
        endOfInput = true;
        Throwable failure = new ContentException(HttpStatus.BAD_REQUEST_400, x.getMessage());
        active.fail(failure);
        protocolError(x);
        input.clear();
        return failure;
    }

    /** Tells the application when there is content, having found none. */
    void demandContent(FastCGIStream active) {
        switch (ownership.demand(active)) {
            case CONTENT -> contentAvailable();
            case INTEREST -> fillInterested(demanded);
            case ATTACHED, NOTHING -> LOG.trace("Another thread looks for content on {}", this);
        }
    }

    /** {@return whether the running request has content that it wasn't given} Asked by the owner of the parser. */
    private boolean hasContent() {
        FastCGIStream active = stream;
        return active != null && (active.hasChunk() || input.hasRemaining());
    }

    void contentAvailable() {
        channel.contentAvailable();
    }

    /** The exchange of a stream is over; called once, by any thread. */
    void onCompleted(FastCGIStream completed, Throwable failure) {
        countResponse(
                failure == null ? completed.status() : 0,
                completed.request().getBeginNanoTime(),
                completed.isHandedOver());
        if (failure != null && flusher.isPeerGone()) countAborted(completed);
        admission.completed(completed);
        channel.end(failure);
        if (failure != null) {
            if (completed.isAborted() && !completed.isEnded() && getEndPoint().isOpen())
                flusher.reply(RecordEncoder.endRequest(completed.requestId(), EndRequest.COMPLETE));
            else breakOff(completed, failure);
        }
        if (endOfInput) getEndPoint().close();
        else if (closing || completed.endsConnection()) closeAfterWrites();
        if (ownership.requestCompleted()) proceed();
    }

    /** {@return what the web server is told on STDERR of a request that is answered with an error, or {@code null}} */
    ByteBuffer report(FastCGIStream failed) {
        return factory.reportsErrors()
                ? ErrorReport.ofAnswer(failed.requestId(), failed.status(), failed.request(), channel.request())
                : null;
    }

    /** Closes without the end of the response, behind what the web server is told of why. */
    private void breakOff(FastCGIStream broken, Throwable failure) {
        boolean reports = factory.reportsErrors() && broken.isCommitted() && !broken.isEnded();
        if (!reports || failure instanceof QuietException || !getEndPoint().isOpen()) {
            reset(failure);
            return;
        }
        closing = true; // nothing more is read until then
        flusher.reply(ErrorReport.ofTruncation(broken.requestId(), broken.status(), broken.request(), failure));
        flusher.whenWritten(() -> reset(failure));
    }

    /** Goes on with what is buffered, on a thread of its own, or waits for more. */
    private void proceed() {
        if (input.hasRemaining()) execute();
        else arm();
    }

    private void execute() {
        try {
            getExecutor().execute(this);
        } catch (RejectedExecutionException x) {
            getEndPoint().close(x);
            if (handedOver == null) {
                run();
            } else {
                handedOver = null;
                counters().waitingForThread.decrementAndGet();
                stop(x);
            }
        }
    }

    // ---- events from the reader

    /** {@return whether the application has to see the content before more is parsed} */
    boolean onContent(ByteBuffer slice) {
        return stream.onContent(slice, input.retainable());
    }

    /** A request has begun. */
    void onBegin(long nanoTime) {
        timeouts.requestBegins(nanoTime);
    }

    void onContentEnd() {
        stream.onContentEnd();
    }

    /** The peer doesn't wait for a request any more, which may be found out in several ways. */
    private void countAborted(FastCGIStream aborted) {
        if (!aborted.isFoundAborted()) return;
        counters().abortedRequests.increment();
        if (!isResponseSent())
            counters().unansweredAborts.record(NanoTime.since(aborted.request().getBeginNanoTime()));
    }

    /** The active request is answered while its content is still coming in. */
    void countStreamed() {
        counters().streamedRequests.increment();
        if (reader.longestStdin() >= GATHERED_STDIN) counters().gatheredRequests.increment();
    }

    void contentLengthMismatch() {
        counters().contentLengthMismatches.increment();
        failed = true;
    }

    /** Closes a connection that isn't kept, whose request has not become one of the application's. */
    void closeUnstarted() {
        timeouts.requestEnds();
        closeAfterWrites();
    }

    /** The end of a response is about to be written; {@return whether the connection, that would be kept, ends behind it} */
    boolean endsBehindResponse() {
        if (closing || !isStopping()) return false;
        closing = true;
        return true;
    }

    private boolean isStopping() {
        return factory.connections().areEnding() || getConnector().isShutdown();
    }

    /** Closes once all is written, or ends the output, if the input has to be read to its end. */
    private void closeAfterWrites() {
        closing = true;
        EndPoint endPoint = getEndPoint();
        flusher.whenWritten(reader.isExhausted() ? endPoint::close : endPoint::shutdownOutput);
    }

    private EofException abort(FastCGIStream active) {
        EofException failure =
                new ContentException(HttpStatus.BAD_REQUEST_400, "The web server has aborted the request");
        countAborted(active);
        active.abort(failure);
        return failure;
    }

    private void protocolError(FastCGIException x) {
        if (LOG.isDebugEnabled()) LOG.debug("No FastCGI on {}: {}", this, x.getMessage());
        counters().protocolErrors.increment(x.reason());
        reset(x);
    }

    /** A fault of ours, which leaves nothing to rely on. */
    private void unexpected(Throwable x) {
        LOG.warn("Unexpected failure on {}", this, x);
        reset(x);
    }

    private void remoteFailure(Throwable x) {
        if (admission.isForChannel(x)) channel.run(channel.remoteFailure(x));
    }

    /** Closes so that the peer can tell: on TCP by RST. */
    void reset(Throwable cause) {
        failed = true;
        EndPoint endPoint = getEndPoint();
        if (endPoint.getTransport() instanceof SocketChannel socket
                && endPoint.getRemoteSocketAddress() instanceof InetSocketAddress) {
            try {
                socket.setOption(StandardSocketOptions.SO_LINGER, 0);
            } catch (IOException x) {
                LOG.trace("Already closed {}", endPoint, x);
            }
        }
        endPoint.close(cause);
    }

    // ---- output

    RetainableByteBuffer acquire(int size) {
        return getConnector()
                .getByteBufferPool()
                .acquire(size, getHttpConfiguration().isUseOutputDirectByteBuffers());
    }

    RecordFlusher flusher() {
        return flusher;
    }

    // ---- timeouts and close

    @Override
    public boolean onIdleExpired(TimeoutException timeout) {
        if (!ownership.isRunning()) return ownership.isInterested(); // else a thread is just reading
        if (admission.isWaiting() || handedOver != null) return false; // it isn't idle, the server is busy
        FastCGIStream stalled = stream;
        if (stalled != null && stalled.isEnded() && flusher.isWriting()) {
            ThreadPool.executeImmediately(getExecutor(), () -> flusher.fail(timeout));
        } else if (reader.isComplete() || stalled == null) {
            channel.idleTimeout(timeout);
        } else {
            stalled.endConnection();
            channel.contentTimeout(timeout, stalled);
        }
        return false;
    }

    /** Looks at the running request, in intervals, for what no event tells. */
    void checkRequest() {
        Runnable refusal = admission.giveUp();
        if (refusal != null) channel.execute(refusal);
        else if (!endOfInput && ownership.watchingBegins()) watch(stream);
    }

    /** Notices that the peer has gone, or aborts, while the application reads nothing, though content may wait for it. */
    private void watch(FastCGIStream active) {
        Throwable failure = peek(active);
        Runnable task = failure != null && admission.isForChannel(failure) ? channel.remoteFailure(failure) : null;
        input.releaseIfEmpty();
        ParserOwnership.Next next = ownership.watchingEnds();
        channel.execute(task);
        switch (next) {
            case CONTENT -> channel.execute(this::contentAvailable);
            case INTEREST -> fillInterested(demanded);
            case ATTACHED -> {
                if (ownership.isRunning()) channel.execute(this::contentAvailable); // it may have demanded the end
                proceed();
            }
            case NOTHING -> LOG.trace("Nobody waits for content on {}", this);
        }
    }

    /** Reads ahead, as far as the input buffer has room; {@return why the running request fails, or {@code null}} */
    private Throwable peek(FastCGIStream active) {
        try {
            int filled = input.fillBehind();
            if (filled < 0) return contentCutOff(active);
            countReceived(filled);
            while (input.hasRemaining() && !active.hasChunk())
                if (reader.parse(input.bytes()) == RequestReader.Event.ABORT) return abort(active);
            return input.hasRemaining() && reader.isAbortAhead(input.bytes()) ? abort(active) : null;
        } catch (FastCGIException x) {
            return contentBroken(active, x);
        } catch (Throwable x) {
            unexpected(x);
            input.clear();
            active.fail(x);
            return x;
        }
    }

    /** {@return whether a request was given to the channel and is not completed} */
    boolean isRunning() {
        return ownership.isRunning();
    }

    /** Closes, unless there is a request, or bytes of one have just come. */
    void closeIfIdle() {
        if (!ownership.attachIdle()) return;
        boolean hasBegun = reader != null && !reader.isAtRest() && !reader.hasLeftovers();
        if (!hasBegun && fill() == 0) getEndPoint().close();
        input.releaseIfEmpty();
        if (input.hasRemaining() || ownership.detachIdle()) execute();
    }

    /** Lets go of what speeds up the next request, if none has come since the last call. */
    void releaseIfIdle() {
        if (!ownership.attachIdle()) return;
        long requests = getMessagesIn();
        if (requestsWhenChecked == requests) {
            channel.release();
            if (reader != null && reader.isAtRest()) reader = null;
        }
        requestsWhenChecked = requests;
        if (ownership.detachIdle()) execute();
    }

    @Override
    public void onFillInterestedFailed(Throwable cause) {
        switch (ownership.interestFailed()) {
            case APPLICATION -> ThreadPool.executeImmediately(getExecutor(), () -> remoteFailure(cause));
            case CALLER -> {
                finishCompleted();
                if (cause instanceof TimeoutException && isReadingVariables()) {
                    requestTimeout();
                    arm();
                } else {
                    getEndPoint().close(cause);
                    stop(cause);
                }
            }
            case OTHER -> LOG.trace("Another thread reads {}", this, cause);
        }
    }

    @Override
    public void close() {
        try {
            if (ownership.isRunning() && handedOver == null && admission.isForChannel(new EofException("Closed")))
                channel.closed();
        } finally {
            super.close();
        }
    }

    @Override
    public boolean isPersistent() {
        return !closing;
    }

    /** Something to read, for a thread to be attached, which may call the application unless it is a selector's. */
    private class FillableCallback implements Callback {
        private final InvocationType invocationType = fillableType();

        @Override
        public void succeeded() {
            onFillable(true);
        }

        @Override
        public void failed(Throwable x) {
            onFillInterestedFailed(x);
        }

        @Override
        public InvocationType getInvocationType() {
            return invocationType;
        }
    }

    /** {@return how a thread reads} Of virtual threads there is always one. */
    private Invocable.InvocationType fillableType() {
        Invocable.InvocationType type = getConnector().getServer().getInvocationType();
        boolean mayLackThreads = !VirtualThreads.isUseVirtualThreads(getExecutor());
        return type == Invocable.InvocationType.BLOCKING && mayLackThreads ? Invocable.InvocationType.EITHER : type;
    }

    /** Content that the application demands, which blocks as much as what demands it. */
    private final class DemandCallback extends FillableCallback {
        @Override
        public void succeeded() {
            onFillable(false);
        }

        @Override
        public InvocationType getInvocationType() {
            return channel.invocationType();
        }
    }
}

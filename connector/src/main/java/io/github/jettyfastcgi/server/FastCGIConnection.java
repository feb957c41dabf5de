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
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.io.RetainableByteBuffer;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpChannel;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.Invocable;
import org.eclipse.jetty.util.thread.ThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection of a web server: one request after another, each handled on the thread that read it.
 *
 * <p><b>Threads.</b> {@link ParserOwnership} says who may fill and parse; {@code input}, {@code reader} and the fields
 * marked below are touched by that thread only. Completion comes from any thread. When no thread of the pool is free the
 * selector's reads, in Jetty's non-blocking mode: it hands a request over to the pool, where it waits for a thread, but
 * answers what is urgent, or refused, by itself.
 *
 * <p><b>Ends.</b> A request that can't be answered any more ends in {@link #reset(Throwable)}: the peer sees the
 * connection close without END_REQUEST, which tells a truncated response from a whole one. A connection that isn't kept,
 * or whose peer has miscounted, is <i>closing</i>: after the response its output is shut down and its input read to the
 * end, so that no RST overtakes the response.
 */
final class FastCGIConnection extends RequestConnection implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(FastCGIConnection.class);
    private static final HttpChannel.Factory CHANNELS = new HttpChannel.DefaultFactory();

    private final Callback fillable = new FillableCallback();
    private final Callback demanded = new DemandCallback();
    private final FastCGIConnectionFactory factory;
    private final RequestReader reader;
    private final ParserOwnership ownership;
    private final InputBuffer input;
    private final RecordFlusher flusher;
    private final Replies replies;
    private final ConnectionTimeouts timeouts;
    private long requestsWhenChecked = -1;
    private BooleanSupplier handedOver;

    private volatile HttpChannel channel;
    private volatile FastCGIStream stream;
    private volatile boolean closing;
    private volatile boolean endOfInput;
    private volatile boolean failed;

    FastCGIConnection(FastCGIConnectionFactory factory, Connector connector, EndPoint endPoint) {
        super(connector, factory.getHttpConfiguration(), endPoint);
        this.factory = factory;
        this.flusher = new RecordFlusher(this);
        this.replies = new Replies(factory, flusher);
        this.reader = new RequestReader(this, replies, getHttpConfiguration().getRequestHeaderSize());
        this.ownership = new ParserOwnership(reader::isComplete);
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
        counters().connectionClosed(end(cause), getMessagesIn());
        super.onClose(cause);
    }

    private ConnectionEnd end(Throwable cause) {
        if (failed) return ConnectionEnd.FAILURE;
        if (!getConnector().isRunning() || getConnector().isShutdown()) return ConnectionEnd.STOPPED;
        if (closing) return ConnectionEnd.NOT_KEPT;
        if (cause instanceof TimeoutException) return ConnectionEnd.IDLE_TIMEOUT;
        if (!endOfInput) return ConnectionEnd.FAILURE;
        return isJustAnswered() ? ConnectionEnd.PEER_AT_ONCE : ConnectionEnd.PEER;
    }

    @Override
    public void onFillable() {
        onFillable(true);
    }

    private void onFillable(boolean mayBlock) {
        switch (ownership.readable()) {
            case APPLICATION -> contentAvailable();
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
            if (handedOver != null && !takeHandedOver().getAsBoolean()) return;
            while (true) {
                finishCompleted();
                if (input.hasRemaining()) {
                    if (isClosing() || !getEndPoint().isOpen()) input.clear();
                    else if (!act(reader.parse(input.bytes()))) return;
                } else {
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
            LOG.warn("Unexpected failure on {}", this, x);
            reset(x);
            stop(x);
        }
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
        timeouts.adjust(isDraining());
        countRequest();
        CGIRequest request = reader.takeRequest(factory.requestMapper());
        FastCGIStream next =
                new FastCGIStream(this, Long.toString(getMessagesIn()), reader.activeId(), request, reader.variables());
        stream = next;
        if (!reader.keepsConnection()) counters().unkeptRequests.increment();
        if (!reader.keepsConnection() || !getHttpConfiguration().isPersistentConnectionsEnabled()) closing = true;
        if (parseToContent(next)) {
            next.consumeAvailable();
            stream = null;
            reader.finish();
            replies.aborted(next.requestId());
            if (closing) closeUnstarted();
            return true;
        }
        Runnable task = accept(next);
        ownership.requestStarts(next);
        if (mayRun(task) || factory.isUrgent(request)) return call(task);
        handOver(() -> !ownership.isRunning() || call(task)); // it may be completed while it waits
        return false;
    }

    /** Fails the running request, before anything else is read; {@return whether this thread is attached still} */
    private boolean fail(Throwable cause) {
        HttpChannel active = channel;
        Runnable task = active == null ? null : active.onRemoteFailure(cause);
        if (task == null) return true;
        if (!mayRun(task)) {
            handOver(() -> {
                task.run();
                return true;
            });
            return false;
        }
        task.run();
        return true;
    }

    /**
     * Lets a thread of the pool be attached instead of this one, which is a selector's.
     *
     * @param action what it does first, which answers whether it is attached still
     */
    private void handOver(BooleanSupplier action) {
        handedOver = action;
        counters().queuedRequests.incrementAndGet();
        execute();
    }

    private BooleanSupplier takeHandedOver() {
        BooleanSupplier action = handedOver;
        handedOver = null;
        counters().queuedRequests.decrementAndGet();
        return action;
    }

    /**
     * Calls the handler. What the channel throws after it has completed the request, such as a bad form, is no news.
     *
     * @return whether this thread is attached still
     */
    private boolean call(Runnable task) {
        try {
            stream.handle(task);
        } catch (RuntimeException x) {
            if (ownership.isRunning()) throw x;
            if (LOG.isDebugEnabled()) LOG.debug("Failure behind a completed request on {}", this, x);
        }
        if (!ownership.handlerReturned()) return false;
        if (input.hasRemaining()) return true;
        arm();
        return false;
    }

    /** {@return whether this thread may run a task of the channel} A selector's may not if the task can block. */
    private static boolean mayRun(Runnable task) {
        return !Invocable.isNonBlockingInvocation()
                || Invocable.getInvocationType(task) != Invocable.InvocationType.BLOCKING;
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

    /** {@return what calls the handler, or answers instead of it} */
    private Runnable accept(FastCGIStream next) {
        boolean withinLimit = factory.requestStarted();
        if (channel == null) channel = CHANNELS.newHttpChannel(this);
        channel.setHttpStream(next);
        Runnable handler = channel.onRequest(next.request());
        HttpException.RuntimeException failure = next.request().failure();
        if (failure != null) {
            counters().refusedRequests.increment(RequestRefusal.BAD_REQUEST);
            return refuse(failure.getCode(), failure.getReason());
        }
        if (withinLimit) return handler;
        counters().refusedRequests.increment(RequestRefusal.OVERLOAD);
        next.overloaded();
        return refuse(HttpStatus.SERVICE_UNAVAILABLE_503, "Too many requests at the same time");
    }

    /** {@return what answers instead of the handler, at once, be all threads busy} */
    private Runnable refuse(int status, String reason) {
        Runnable task = channel.onFailure(new QuietHttpException(status, reason));
        return Invocable.from(Invocable.InvocationType.NON_BLOCKING, task);
    }

    /** Makes the reader ready for the next request, if the active one is completed. */
    private void finishCompleted() {
        if (stream == null || ownership.isRunning()) return;
        stream = null;
        reader.finish();
        timeouts.drainFromNow();
    }

    /** {@return whether all that is left to read is the end of input} */
    private boolean isClosing() {
        return closing && stream == null;
    }

    /** {@return whether what a finished request has left is waited for} */
    private boolean isDraining() {
        return isClosing() || reader.hasLeftovers();
    }

    /** Detaches this thread and registers fill interest; the input buffer is empty. */
    private void arm() {
        finishCompleted();
        input.release();
        timeouts.adjust(isDraining());
        if (ownership.detachInterested()) fillInterested(fillable);
    }

    private int fill() {
        int filled = input.fill();
        if (filled <= 0) return filled;
        countReceived(filled);
        return isDraining() && timeouts.isDrainOver() ? -1 : filled;
    }

    /** The peer has ended its output: a running request fails, and its completion closes. */
    private void endOfInput() {
        endOfInput = true;
        if (ownership.isRunning()) {
            failed = true;
            if (!stream.isAborted()) counters().abortedRequests.increment();
            remoteFailure(ContentException.peerClosed());
        }
        input.release();
        if (!ownership.detachWhileRunning()) getEndPoint().close();
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
                    if (filled < 0) {
                        endOfInput = true;
                        counters().abortedRequests.increment();
                        active.fail(ContentException.peerClosed());
                    }
                }
            }
        } catch (FastCGIException x) {
            active.fail(new ContentException(HttpStatus.BAD_REQUEST_400, x.getMessage()));
            protocolError(x);
            endOfInput = true;
            input.clear();
        } finally {
            input.releaseIfEmpty();
            if (ownership.readingEnds()) proceed();
        }
    }

    void demandContent() {
        if (ownership.demand()) fillInterested(demanded);
    }

    void contentAvailable() {
        HttpChannel active = channel;
        if (active != null) runTask(active.onContentAvailable());
    }

    /** The exchange of a stream is over; called once, by any thread. */
    void onCompleted(FastCGIStream completed, Throwable failure) {
        factory.requestEnded();
        countResponse(
                failure == null ? completed.status() : 0, completed.request().getBeginNanoTime());
        if (failure == null) {
            channel.recycle();
        } else {
            channel = null; // it remembers its failure
            if (completed.isAborted() && !completed.isEnded() && getEndPoint().isOpen())
                flusher.reply(RecordEncoder.endRequest(completed.requestId(), EndRequest.COMPLETE));
            else reset(failure);
        }
        if (endOfInput) getEndPoint().close();
        else if (closing || getConnector().isShutdown()) closeAfterWrites();
        if (ownership.requestCompleted()) proceed();
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
                takeHandedOver();
                stop(x);
            }
        }
    }

    // ---- events from the reader

    /** {@return whether the application has to see the content before more is parsed} */
    boolean onContent(ByteBuffer slice) {
        return stream.onContent(slice, input.retainable());
    }

    void onContentEnd() {
        stream.onContentEnd();
    }

    void contentLengthMismatch() {
        counters().contentLengthMismatches.increment();
        closing = true;
        failed = true;
    }

    /** Closes a connection that isn't kept, whose request has not become one of the application's. */
    void closeUnstarted() {
        timeouts.drainFromNow();
        closeAfterWrites();
    }

    /** Ends the output once all is written; the input is read to its end. */
    private void closeAfterWrites() {
        closing = true;
        flusher.whenWritten(getEndPoint()::shutdownOutput);
    }

    private EofException abort(FastCGIStream active) {
        EofException failure =
                new ContentException(HttpStatus.BAD_REQUEST_400, "The web server has aborted the request");
        if (!active.isAborted()) counters().abortedRequests.increment();
        active.abort(failure);
        return failure;
    }

    private void protocolError(FastCGIException x) {
        if (LOG.isDebugEnabled()) LOG.debug("No FastCGI on {}: {}", this, x.getMessage());
        counters().protocolErrors.increment(x.reason());
        reset(x);
    }

    private void remoteFailure(Throwable x) {
        HttpChannel active = channel;
        if (active != null) runTask(active.onRemoteFailure(x));
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

    /** Runs a task of the channel, which may call the application. */
    private void runTask(Runnable task) {
        if (task == null) return;
        if (mayRun(task)) task.run();
        else ThreadPool.executeImmediately(getExecutor(), task);
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
        HttpChannel active = channel;
        if (active == null || !ownership.isRunning()) return true;
        Runnable task;
        if (reader.isComplete()) {
            task = active.onIdleTimeout(timeout).action();
        } else {
            closing = true;
            FastCGIStream stalled = stream;
            task = active.onContentAvailable();
            if (task != null && stalled != null)
                stalled.fail(new ContentException(HttpStatus.REQUEST_TIMEOUT_408, timeout.getMessage()));
            else
                task = active.onIdleTimeout(new ContentTimeoutException(timeout))
                        .action();
        }
        ThreadPool.executeImmediately(getExecutor(), task);
        return false;
    }

    /** Lets go of what speeds up the next request, if none has come since the last call. */
    void releaseIfIdle() {
        if (!ownership.attachIdle()) return;
        long requests = getMessagesIn();
        if (requestsWhenChecked == requests) {
            channel = null;
            reader.release();
        }
        requestsWhenChecked = requests;
        if (ownership.detachIdle()) execute();
    }

    @Override
    public void onFillInterestedFailed(Throwable cause) {
        switch (ownership.interestFailed()) {
            case APPLICATION -> {
                HttpChannel active = channel;
                if (active != null) ThreadPool.executeImmediately(getExecutor(), active.onRemoteFailure(cause));
            }
            case CALLER -> {
                finishCompleted();
                if (cause instanceof TimeoutException
                        && reader.isReadingVariables()
                        && getEndPoint().isOpen()) {
                    replies.timeout(reader.activeId());
                    flusher.whenWritten(getEndPoint()::close);
                } else {
                    getEndPoint().close(cause);
                }
                stop(cause);
            }
            case OTHER -> LOG.trace("Another thread reads {}", this, cause);
        }
    }

    @Override
    public void close() {
        try {
            HttpChannel active = channel;
            if (active != null && ownership.isRunning()) runTask(active.onClose());
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
            return Invocable.getInvocationType(channel);
        }
    }
}

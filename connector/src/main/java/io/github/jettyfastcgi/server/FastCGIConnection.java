package io.github.jettyfastcgi.server;

import io.github.jettyfastcgi.cgi.CGIRequest;
import io.github.jettyfastcgi.protocol.EndRequest;
import io.github.jettyfastcgi.protocol.FastCGIException;
import io.github.jettyfastcgi.protocol.NameValuePairs;
import io.github.jettyfastcgi.protocol.RecordEncoder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.io.RetainableByteBuffer;
import org.eclipse.jetty.server.AbstractMetaDataConnection;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpChannel;
import org.eclipse.jetty.util.Attributes;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.HostPort;
import org.eclipse.jetty.util.NanoTime;
import org.eclipse.jetty.util.thread.Invocable;
import org.eclipse.jetty.util.thread.ThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection of a web server: one request after another, each handled on the thread that read it.
 *
 * <p><b>Who may parse.</b> Parser and input buffer have one owner at a time. Four facts, guarded by one lock which is
 * never held while anything else is called, tell who:
 *
 * <ul>
 *   <li><i>running</i>: a request was given to the channel and is not completed.
 *   <li><i>attached</i>: a thread is in {@link #run()}. It fills and parses, but not while the request that it has
 *       called the handler with is running and has open STDIN.
 *   <li><i>reading</i>: the application does, for content of the running request.
 *   <li><i>interested</i>: fill interest is registered. The input buffer is empty then, and released.
 * </ul>
 *
 * <pre>
 *                     readable                        variables complete
 *   idle, interested ----------> attached --------------------------------> attached, running
 *    ^                              ^  |                                      |           |
 *    |   nothing more to read       |  |    completed before the handler      |           | handler returned,
 *    +---------------------------------+ <- returned: the same thread goes on +           | not completed
 *    ^                              ^                                                     v
 *    |                              |              STDIN open: the application reads; running, or
 *    |                              |                          running, interested: it has demand
 *    |                              | readable     STDIN ended: running, interested, to notice ABORT_REQUEST and EOF,
 *    |                              +------------- or running alone, while the next BEGIN_REQUEST waits in the buffer
 *    |                                                                                    |
 *    +--------- completed by any thread: it takes over, unless one is attached <----------+
 *               or interest is registered; then that one finds the request complete
 * </pre>
 *
 * A completion that meets an attached or a reading thread, or registered interest, does nothing more: whoever comes
 * there next sees that the request no longer runs. So no two threads ever parse at the same time, and no connection is
 * left without one that will.
 *
 * <p><b>Failures.</b> Whatever can't be answered ends in {@link #reset(Throwable)}: the peer sees the connection close
 * without END_REQUEST, which tells a truncated response from a whole one.
 */
final class FastCGIConnection extends AbstractMetaDataConnection implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(FastCGIConnection.class);
    private static final HttpChannel.Factory CHANNELS = new HttpChannel.DefaultFactory();
    private static final String UNLIMITED = "1000";

    private final Object lock = new Object();
    private final Callback fillable = new FillableCallback();
    private final Callback demanded = new DemandCallback();
    private final Attributes attributes = new Attributes.Lazy();
    private final FastCGIConnectionFactory factory;
    private final RequestReader reader;
    private final RecordFlusher flusher;
    private final int minBufferSpace;

    // guarded by the lock
    private boolean attached;
    private boolean running;
    private boolean reading;
    private boolean interested;

    // of the owner of the parser
    private RetainableByteBuffer input;
    private boolean endOfInput;
    private long drainDeadline;
    private long idleTimeout;

    private volatile HttpChannel channel;
    private volatile FastCGIStream stream;
    private volatile boolean closing;
    private volatile long bytesIn;
    private volatile long bytesOut;
    private volatile long requests;
    private volatile long responses;

    FastCGIConnection(FastCGIConnectionFactory factory, Connector connector, EndPoint endPoint) {
        super(connector, factory.getHttpConfiguration(), endPoint);
        this.factory = factory;
        this.reader = new RequestReader(this, getHttpConfiguration().getRequestHeaderSize());
        this.flusher = new RecordFlusher(this);
        this.minBufferSpace = Math.max(0, getHttpConfiguration().getMinInputBufferSpace());
    }

    // ---- the attached thread

    @Override
    public void onOpen() {
        super.onOpen();
        synchronized (lock) {
            attached = true;
        }
        arm();
    }

    @Override
    public void onFillable() {
        onFillable(true);
    }

    /** Fill interest has fired: content for the application that demands it, or work for an attached thread. */
    private void onFillable(boolean mayBlock) {
        boolean forApplication;
        synchronized (lock) {
            interested = false;
            forApplication = running && !reader.isComplete();
            if (!forApplication) {
                if (attached || reading) return; // who will look for more, now that there is no interest
                attached = true;
            }
        }
        if (forApplication) contentAvailable();
        else if (mayBlock) run();
        else execute();
    }

    /** Reads and handles requests until there is nothing to read, or a request goes on without this thread. */
    @Override
    public void run() {
        try {
            while (true) {
                finishCompleted();
                if (input != null && input.hasRemaining()) {
                    if (isClosing()) BufferUtil.clear(input.getByteBuffer());
                    else if (act(reader.parse(input.getByteBuffer()))) return;
                    continue;
                }
                int filled = fill();
                if (filled == 0) {
                    arm();
                    return;
                }
                if (filled < 0) {
                    endOfInput();
                    return;
                }
            }
        } catch (FastCGIException x) {
            protocolError(x);
            stop(x);
        } catch (Throwable x) {
            LOG.warn("Unexpected failure on {}", this, x);
            reset(x);
            stop(x);
        }
    }

    /** The connection is closed: nothing more is read, a running request fails. */
    private void stop(Throwable x) {
        if (isRunning()) remoteFailure(x);
        detach();
    }

    /** {@return whether this thread is no longer attached} */
    private boolean act(RequestReader.Event event) throws FastCGIException {
        switch (event) {
            case NONE, CONTENT -> {
                return false;
            }
            case REQUEST -> {
                return handle();
            }
            case ABORT -> {
                remoteFailure(abort(stream));
                return false;
            }
            case NEXT_REQUEST -> {
                synchronized (lock) {
                    if (running) attached = false; // the completion goes on with it
                    return running;
                }
            }
        }
        throw new AssertionError(event);
    }

    /** {@return whether this thread is no longer attached} */
    private boolean handle() throws FastCGIException {
        adjustIdleTimeout();
        CGIRequest request = reader.takeRequest(factory.requestMapper());
        requests++;
        FastCGIStream next = new FastCGIStream(this, Long.toString(requests), reader.activeId(), request);
        stream = next;
        if (parseToContent(next)) {
            abortedBeforeStart(next.requestId(), reader.keepsConnection());
            next.consumeAvailable();
            stream = null;
            reader.finish();
            return false;
        }
        if (!reader.keepsConnection() || !getHttpConfiguration().isPersistentConnectionsEnabled()) closing = true;

        boolean withinLimit = factory.requestStarted();
        Runnable task = accept(next, withinLimit);
        synchronized (lock) {
            running = true;
        }
        task.run();

        synchronized (lock) {
            if (reading || running && !reader.isComplete()) {
                attached = false;
                return true;
            }
        }
        if (input != null) return false;
        arm();
        return true;
    }

    /**
     * Parses the STDIN that came along with the variables, up to its first content, so that a request without content
     * holds no buffer; {@return whether the request was aborted}
     */
    private boolean parseToContent(FastCGIStream next) throws FastCGIException {
        while (input.hasRemaining() && !next.hasChunk())
            if (reader.parse(input.getByteBuffer()) == RequestReader.Event.ABORT) return true;
        if (!input.hasRemaining()) releaseInput();
        return false;
    }

    private Runnable accept(FastCGIStream next, boolean withinLimit) {
        if (channel == null) channel = CHANNELS.newHttpChannel(this);
        channel.setHttpStream(next);
        Runnable task = channel.onRequest(next.request());
        HttpException.RuntimeException failure = next.request().failure();
        if (failure != null) {
            factory.getCounters().badRequests.increment();
            return channel.onFailure(new QuietHttpException(failure.getCode(), failure.getReason()));
        }
        if (!withinLimit) {
            factory.getCounters().overloads.increment();
            next.overloaded();
            return channel.onFailure(
                    new QuietHttpException(HttpStatus.SERVICE_UNAVAILABLE_503, "Too many requests at the same time"));
        }
        return task;
    }

    /** Makes the reader ready for the next request, if the active one is complete. */
    private void finishCompleted() {
        if (stream == null || isRunning()) return;
        stream = null;
        reader.finish();
        drainDeadline = NanoTime.now() + TimeUnit.MILLISECONDS.toNanos(factory.getDrainTimeout());
    }

    /** {@return whether all that is left to read is the end of input} */
    private boolean isClosing() {
        return closing && stream == null;
    }

    /** {@return whether leftovers of a finished request are waited for} */
    private boolean isDraining() {
        return isClosing() || reader.hasLeftovers();
    }

    private boolean isRunning() {
        synchronized (lock) {
            return running;
        }
    }

    /** Detaches this thread and registers fill interest; the input buffer is empty. */
    private void arm() {
        finishCompleted();
        releaseInput();
        adjustIdleTimeout();
        boolean register;
        synchronized (lock) {
            attached = false;
            register = !interested;
            interested = true;
        }
        if (register) fillInterested(fillable);
    }

    private void detach() {
        releaseInput();
        synchronized (lock) {
            attached = false;
        }
    }

    /** Leftovers of a finished request are waited for, but no longer than the drain timeout. */
    private void adjustIdleTimeout() {
        boolean draining = isDraining();
        boolean shortened = idleTimeout != 0;
        if (draining == shortened) return;
        if (draining) {
            idleTimeout = getEndPoint().getIdleTimeout();
            long drainTimeout = factory.getDrainTimeout();
            if (idleTimeout <= 0 || drainTimeout < idleTimeout) getEndPoint().setIdleTimeout(drainTimeout);
        } else {
            getEndPoint().setIdleTimeout(idleTimeout);
            idleTimeout = 0;
        }
    }

    /** The peer has ended its output. */
    private void endOfInput() {
        endOfInput = true;
        if (isRunning()) {
            factory.getCounters().abortedRequests.increment();
            remoteFailure(new EofException("The web server has closed the connection"));
            finishCompleted();
        }
        boolean close;
        synchronized (lock) {
            attached = false;
            close = !running; // else the completion closes
        }
        releaseInput();
        if (close) getEndPoint().close();
    }

    // ---- the application, through the stream

    /** Parses and fills until the stream has something to read, or there is nothing to read. */
    void readContent(FastCGIStream active) {
        synchronized (lock) {
            if (!running || stream != active) return;
            reading = true;
        }
        try {
            while (!active.hasChunk()) {
                if (input != null && input.hasRemaining()) {
                    if (reader.parse(input.getByteBuffer()) == RequestReader.Event.ABORT) abort(active);
                    continue;
                }
                int filled = fill();
                if (filled == 0) break;
                if (filled < 0) {
                    endOfInput = true;
                    factory.getCounters().abortedRequests.increment();
                    active.fail(new EofException("The web server has closed the connection"));
                }
            }
        } catch (FastCGIException x) {
            active.fail(x);
            protocolError(x);
            BufferUtil.clear(input.getByteBuffer());
        } finally {
            if (input != null && !input.hasRemaining()) releaseInput();
            readingEnds();
        }
    }

    /** After the end of STDIN, or of the request, an attached thread reads: to hear of an abort, or the next request. */
    private void readingEnds() {
        synchronized (lock) {
            reading = false;
            if (attached || interested || running && !reader.isComplete()) return;
            attached = true;
        }
        proceed();
    }

    void demandContent() {
        boolean register;
        synchronized (lock) {
            register = !interested;
            interested = true;
        }
        if (register) fillInterested(demanded);
    }

    void contentAvailable() {
        HttpChannel active = channel;
        if (active != null) runTask(active.onContentAvailable());
    }

    /** The exchange of a stream is over; called once, by any thread. */
    void onCompleted(FastCGIStream completed, Throwable failure) {
        factory.requestEnded();
        responses++;
        if (failure == null) {
            channel.recycle();
        } else {
            channel = null; // it remembers its failure
            if (completed.isAborted() && !completed.isEnded() && getEndPoint().isOpen())
                write(RecordEncoder.endRequest(completed.requestId(), EndRequest.COMPLETE));
            else reset(failure);
        }
        if (endOfInput) getEndPoint().close();
        else if (closing || getConnector().isShutdown()) closeAfterWrites();

        synchronized (lock) {
            running = false;
            if (attached || reading || interested) return;
            attached = true;
        }
        proceed();
    }

    /** Goes on with what is buffered, on a thread of its own, or waits for more. */
    private void proceed() {
        if (input == null) arm();
        else execute();
    }

    private void execute() {
        try {
            getExecutor().execute(this);
        } catch (RejectedExecutionException x) {
            getEndPoint().close(x);
            run();
        }
    }

    // ---- events from the reader

    /** {@return whether the application has to see the content before more is parsed} */
    boolean onContent(ByteBuffer slice) {
        return stream.onContent(slice, input);
    }

    void onContentEnd() {
        stream.onContentEnd();
    }

    void contentLengthMismatch() {
        factory.getCounters().contentLengthMismatches.increment();
        closing = true;
    }

    void abortedBeforeStart(int requestId, boolean keepConnection) {
        factory.getCounters().abortedRequests.increment();
        write(RecordEncoder.endRequest(requestId, EndRequest.COMPLETE));
        if (!keepConnection) closeAfterWrites();
    }

    void refuse(ByteBuffer records) {
        factory.getCounters().refusedRequests.increment();
        write(records);
    }

    /** Answers GET_VALUES: the names asked for that are known, once each. */
    void answerValues(NameValuePairs names) {
        String limit = factory.getMaxRequests() == 0 ? UNLIMITED : Integer.toString(factory.getMaxRequests());
        Map<String, String> known = Map.of("FCGI_MAX_CONNS", limit, "FCGI_MAX_REQS", limit, "FCGI_MPXS_CONNS", "0");
        Map<String, String> values = new LinkedHashMap<>();
        names.forEach((bytes, nameOffset, nameLength, valueOffset, valueLength) -> {
            String name = new String(bytes, nameOffset, nameLength, StandardCharsets.ISO_8859_1);
            if (known.containsKey(name)) values.put(name, known.get(name));
        });
        write(RecordEncoder.getValuesResult(values));
    }

    void write(ByteBuffer records) {
        flusher.reply(records);
    }

    /** Ends the output once all is written; the input is read to its end. */
    void closeAfterWrites() {
        closing = true;
        flusher.whenWritten(getEndPoint()::shutdownOutput);
    }

    private EofException abort(FastCGIStream active) {
        EofException failure = new EofException("The web server has aborted the request");
        if (!active.isAborted()) factory.getCounters().abortedRequests.increment();
        active.abort(failure);
        return failure;
    }

    private void protocolError(FastCGIException x) {
        if (LOG.isDebugEnabled()) LOG.debug("No FastCGI on {}: {}", this, x.getMessage());
        factory.getCounters().protocolError(x.reason());
        reset(x);
    }

    private void remoteFailure(Throwable x) {
        HttpChannel active = channel;
        if (active != null) runTask(active.onRemoteFailure(x));
    }

    /** Closes so that the peer can tell: on TCP by RST. */
    void reset(Throwable cause) {
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

    private static void runTask(Runnable task) {
        if (task != null) task.run();
    }

    // ---- buffers

    /** {@return the number of bytes filled, -1 at the end of input} */
    private int fill() {
        boolean append = prepareInput();
        ByteBuffer buffer = input.getByteBuffer();
        int parsed = buffer.limit();
        if (append) buffer.position(0); // keeps what is retained by the application from being overwritten
        int filled;
        try {
            filled = getEndPoint().fill(buffer);
        } catch (IOException x) {
            LOG.trace("Could not read from {}", this, x);
            filled = -1;
        }
        if (append) buffer.position(parsed);
        if (filled > 0) bytesIn += filled;
        boolean tooLate = filled > 0 && isDraining() && NanoTime.isBefore(drainDeadline, NanoTime.now());
        return tooLate ? -1 : filled;
    }

    /** Makes sure of a buffer with room; {@return whether its first bytes are still in use} */
    private boolean prepareInput() {
        if (input != null && input.isRetained()) {
            ByteBuffer buffer = input.getByteBuffer();
            if (minBufferSpace > 0 && BufferUtil.space(buffer) >= minBufferSpace) return true;
            releaseInput();
        }
        if (input == null)
            input = getConnector()
                    .getByteBufferPool()
                    .acquire(getInputBufferSize(), getHttpConfiguration().isUseInputDirectByteBuffers());
        return false;
    }

    private void releaseInput() {
        if (input != null) input.release();
        input = null;
    }

    RetainableByteBuffer acquire(int size) {
        return getConnector()
                .getByteBufferPool()
                .acquire(size, getHttpConfiguration().isUseOutputDirectByteBuffers());
    }

    RecordFlusher flusher() {
        return flusher;
    }

    void onWrite(List<ByteBuffer> buffers) {
        long size = 0;
        for (ByteBuffer buffer : buffers) size += buffer.remaining();
        bytesOut += size;
    }

    // ---- timeouts and close

    @Override
    public boolean onIdleExpired(TimeoutException timeout) {
        HttpChannel active;
        synchronized (lock) {
            if (!running) return true;
            active = channel;
        }
        boolean stalled = !reader.isComplete();
        if (stalled) closing = true;
        HttpChannel.IdleTimeoutTask task =
                active.onIdleTimeout(stalled ? new ContentTimeoutException(timeout) : timeout);
        ThreadPool.executeImmediately(getExecutor(), task.action());
        return false;
    }

    @Override
    public void onFillInterestedFailed(Throwable cause) {
        boolean wasRunning;
        synchronized (lock) {
            interested = false;
            wasRunning = running;
            if (attached || reading) return;
            if (!wasRunning) attached = true;
        }
        if (wasRunning) {
            remoteFailure(cause);
            return;
        }
        finishCompleted();
        boolean stalled = cause instanceof TimeoutException
                && reader.isReadingVariables()
                && getEndPoint().isOpen();
        if (stalled) {
            write(Refusal.timeout(reader.activeId()));
            flusher.whenWritten(getEndPoint()::close);
        } else {
            getEndPoint().close(cause);
        }
        detach();
    }

    @Override
    public void close() {
        try {
            HttpChannel active = channel;
            if (active != null && isRunning()) runTask(active.onClose());
        } finally {
            super.close();
        }
    }

    // ---- what the channel asks

    @Override
    public String getId() {
        return Integer.toHexString(hashCode());
    }

    @Override
    public HttpVersion getHttpVersion() {
        FastCGIStream active = stream;
        return active == null ? HttpVersion.HTTP_1_1 : active.request().getHttpVersion();
    }

    /** {@inheritDoc} It is the client's, as the web server tells. */
    @Override
    public String getProtocol() {
        FastCGIStream active = stream;
        return active == null
                ? HttpVersion.HTTP_1_1.asString()
                : active.request().serverProtocol();
    }

    /** {@inheritDoc} While a request is active it is that of its client: a kept connection serves many. */
    @Override
    public SocketAddress getRemoteSocketAddress() {
        FastCGIStream active = stream;
        SocketAddress client = active == null ? null : active.request().remoteAddress();
        return client == null ? super.getRemoteSocketAddress() : client;
    }

    /** {@inheritDoc} While a request is active it is the one that its client has connected to. */
    @Override
    public SocketAddress getLocalSocketAddress() {
        FastCGIStream active = stream;
        SocketAddress local = active == null ? null : active.request().localAddress();
        return local == null ? super.getLocalSocketAddress() : local;
    }

    /** {@inheritDoc} The path of a Unix-domain socket is no authority. */
    @Override
    public HostPort getServerAuthority() {
        HostPort configured = getHttpConfiguration().getServerAuthority();
        if (configured != null || !(getLocalSocketAddress() instanceof InetSocketAddress)) return configured;
        return super.getServerAuthority();
    }

    @Override
    public boolean isPersistent() {
        return !closing;
    }

    @Override
    public Object getAttribute(String name) {
        return attributes.getAttribute(name);
    }

    @Override
    public Object setAttribute(String name, Object attribute) {
        return attributes.setAttribute(name, attribute);
    }

    @Override
    public Object removeAttribute(String name) {
        return attributes.removeAttribute(name);
    }

    @Override
    public Set<String> getAttributeNameSet() {
        return attributes.getAttributeNameSet();
    }

    @Override
    public void clearAttributes() {
        attributes.clearAttributes();
    }

    @Override
    public long getMessagesIn() {
        return requests;
    }

    @Override
    public long getMessagesOut() {
        return responses;
    }

    @Override
    public long getBytesIn() {
        return bytesIn;
    }

    @Override
    public long getBytesOut() {
        return bytesOut;
    }

    /** Something to read: the attached thread's to be, which may call the application. */
    private class FillableCallback implements Callback {
        private final InvocationType invocationType = getConnector().getServer().getInvocationType();

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

    /** Content that the application demands: as blocking as what it demands it for. */
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

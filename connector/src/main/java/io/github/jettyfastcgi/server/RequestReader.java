package io.github.jettyfastcgi.server;

import io.github.jettyfastcgi.cgi.CGIRequest;
import io.github.jettyfastcgi.cgi.MetaVariables;
import io.github.jettyfastcgi.cgi.SharedSecret;
import io.github.jettyfastcgi.cgi.VariableCache;
import io.github.jettyfastcgi.protocol.BeginRequest;
import io.github.jettyfastcgi.protocol.FastCGIException;
import io.github.jettyfastcgi.protocol.NameValuePairs;
import io.github.jettyfastcgi.protocol.RecordHeader;
import io.github.jettyfastcgi.protocol.RecordParser;
import io.github.jettyfastcgi.protocol.RecordType;
import io.github.jettyfastcgi.protocol.Role;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.util.NanoTime;

/**
 * Makes sense of the records of one connection: one request after another, each BEGIN_REQUEST, PARAMS and STDIN, with
 * management records, aborts and what doesn't belong there in between. What needs no request is answered from here.
 *
 * <pre>
 *          BEGIN            end of PARAMS       end of STDIN, ABORT
 *   IDLE ---------> PARAMS ---------------> STDIN ---------------> COMPLETE
 *    ^               |                        |                       |
 *    +---- ABORT ----+                        +------- finish() ------+---> IDLE
 * </pre>
 *
 * A request of the Authorizer role is COMPLETE at the end of PARAMS: it has no STDIN, and one that comes is skipped.
 *
 * <p>In COMPLETE the next BEGIN_REQUEST is left in the parser until {@link #finish()}; in PARAMS and STDIN one for another
 * request is refused. Records for any other id than the active one are skipped, which includes the rest of the STDIN of a
 * request that was answered early.
 *
 * <p>Used by one thread at a time, the owner of the parser, see {@link FastCGIConnection}; {@link #isComplete()} and
 * {@link #isExhausted()} may be asked by any.
 */
final class RequestReader implements RecordParser.Listener {
    /** Why parsing stopped. */
    enum Event {
        /** More bytes are needed. */
        NONE,
        /** The variables of a request are complete: {@link #takeRequest(FastCGIConnectionFactory)}. */
        REQUEST,
        /** The active request's STDIN has brought content, or its end. */
        CONTENT,
        /** The active request was aborted. */
        ABORT,
        /** The next request waits for the end of the active one. */
        NEXT_REQUEST
    }

    private enum Phase {
        IDLE,
        PARAMS,
        STDIN,
        COMPLETE
    }

    /** What is done with the content of the record at hand. */
    private enum Use {
        BEGIN,
        PARAMS,
        STDIN,
        VALUES,
        UNKNOWN,
        SKIP
    }

    private final FastCGIConnection connection;
    private final Replies replies;
    private final RecordParser parser = new RecordParser();
    private final ByteBuffer beginBody = ByteBuffer.allocate(BeginRequest.LENGTH);
    private final NameValuePairs pairs;
    private final MetaVariables variables = new MetaVariables();
    private final VariableCache cache = new VariableCache();
    private final String authorizerPath;
    private NameValuePairs values;
    private RecordHeader header;
    private Use use;
    private Event event = Event.NONE;
    private volatile Phase phase = Phase.IDLE;
    private volatile boolean exhausted;
    private int activeId;
    private boolean keepConnection;
    private boolean authorizes;
    private boolean leftovers;
    private int longestStdin;
    private long beginNanoTime;

    /**
     * Creates a reader.
     *
     * @param connection takes content
     * @param replies answer what needs no request
     * @param requestHeaderSize the most bytes of variables that one request may have
     * @param maxVariables the most variables that one request may have
     * @param authorizerPath the path of who decides whether requests are allowed, or {@code null} if nobody does
     */
    RequestReader(
            FastCGIConnection connection,
            Replies replies,
            int requestHeaderSize,
            int maxVariables,
            String authorizerPath) {
        this.connection = connection;
        this.replies = replies;
        this.authorizerPath = authorizerPath;
        this.pairs = new NameValuePairs(requestHeaderSize, maxVariables);
    }

    /**
     * Parses until something happens that the connection has to act on, or the buffer is empty.
     *
     * @param buffer the bytes
     * @return what happened
     * @throws FastCGIException when the bytes are no FastCGI
     */
    Event parse(ByteBuffer buffer) throws FastCGIException {
        event = Event.NONE;
        parser.parse(buffer, this);
        return event;
    }

    /**
     * Maps the variables that are complete.
     *
     * @param factory maps them; its secret has to be among them, and isn't from then on
     * @return the request; {@link CGIRequest#failure()} when it can't be served
     */
    CGIRequest takeRequest(FastCGIConnectionFactory factory) {
        variables.clear();
        pairs.forEach(variables::add);
        if (!keepConnection) cache.endWithNextRequest();
        SharedSecret secret = factory.sharedSecret();
        boolean isAllowed = secret == null || secret.takeFrom(variables);
        if (!isAllowed && pairs.isComplete()) factory.lacksSecret();
        CGIRequest request = factory.requestMapper().map(beginNanoTime, variables, cache, failure(isAllowed));
        return authorizes ? request.authorization(authorizerPath, variables) : request;
    }

    private HttpException.RuntimeException failure(boolean isAllowed) {
        if (pairs.isComplete())
            return isAllowed
                    ? null
                    : new HttpException.RuntimeException(HttpStatus.FORBIDDEN_403, "No right to connect");
        return pairs.isOverflow()
                ? new HttpException.RuntimeException(
                        HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE_431, "More variables than allowed")
                : new HttpException.RuntimeException(HttpStatus.BAD_REQUEST_400, "A variable is cut off");
    }

    /** {@return the variables of the request taken last, until the next one} */
    MetaVariables variables() {
        return variables;
    }

    /** {@return the id of the active request} */
    int activeId() {
        return activeId;
    }

    /** {@return whether the web server keeps the connection after the active request} */
    boolean keepsConnection() {
        return keepConnection;
    }

    /** {@return whether a request has begun whose variables aren't complete} */
    boolean isReadingVariables() {
        return phase == Phase.PARAMS;
    }

    /** Gives up the request whose variables aren't complete: what still comes for it is skipped. */
    void giveUp() {
        phase = Phase.IDLE;
        if (use == Use.PARAMS) use = Use.SKIP;
        pairs.clear();
    }

    /** {@return whether the abort of the active request, of whose STDIN there are bytes to parse, is among them} */
    boolean isAbortAhead(ByteBuffer buffer) throws FastCGIException {
        return parser.isAhead(buffer, RecordType.ABORT_REQUEST, activeId);
    }

    /** {@return whether nothing more comes for the active request: its STDIN has ended, or it was aborted} */
    boolean isComplete() {
        return phase == Phase.COMPLETE;
    }

    /** {@return whether the active request has come to the last byte: its STDIN has ended, without padding} */
    boolean isExhausted() {
        return exhausted;
    }

    /** {@return the length of the longest STDIN record of the active request so far, in bytes} */
    int longestStdin() {
        return longestStdin;
    }

    /** {@return whether STDIN of a request that was answered early may still come} */
    boolean hasLeftovers() {
        return leftovers;
    }

    /** The active request is answered. */
    void finish() {
        leftovers = phase == Phase.STDIN;
        if (use == Use.STDIN) use = Use.SKIP; // the rest of a record that has begun
        phase = Phase.IDLE;
        exhausted = false;
        pairs.clear();
    }

    /** {@return whether another reader could take over, since nothing has begun} */
    boolean isAtRest() {
        return phase == Phase.IDLE && !leftovers && parser.isBetweenRecords();
    }

    @Override
    public boolean onRecord(RecordHeader next) throws FastCGIException {
        header = next;
        if (next.type() == RecordType.BEGIN_REQUEST && phase == Phase.COMPLETE && !next.isManagement()) {
            event = Event.NEXT_REQUEST;
            return false;
        }
        RecordLog.received(next, connection);
        use = next.isManagement() ? beginManagement(next) : beginApplication(next);
        return true;
    }

    private Use beginManagement(RecordHeader next) {
        if (next.type() != RecordType.GET_VALUES) return Use.UNKNOWN;
        values = new NameValuePairs(RecordHeader.MAX_CONTENT_LENGTH);
        return Use.VALUES;
    }

    private Use beginApplication(RecordHeader next) throws FastCGIException {
        RecordType type = next.type();
        if (type == RecordType.BEGIN_REQUEST) {
            checkBegin(next);
            beginBody.clear();
            return Use.BEGIN;
        }
        boolean isActive = phase != Phase.IDLE && next.requestId() == activeId;
        if (type == RecordType.PARAMS && isActive && phase == Phase.PARAMS) return Use.PARAMS;
        if (type == RecordType.STDIN && isActive && phase == Phase.STDIN) {
            longestStdin = Math.max(longestStdin, next.contentLength());
            return Use.STDIN;
        }
        if (type == RecordType.STDIN && isActive && phase == Phase.PARAMS)
            throw new FastCGIException(
                    FastCGIException.Reason.UNEXPECTED_RECORD, "STDIN before the end of PARAMS, id " + activeId);
        return Use.SKIP;
    }

    private void checkBegin(RecordHeader next) throws FastCGIException {
        if (next.contentLength() != BeginRequest.LENGTH)
            throw new FastCGIException(
                    FastCGIException.Reason.BAD_BEGIN_REQUEST,
                    "BEGIN_REQUEST of " + next.contentLength() + " bytes (expected: " + BeginRequest.LENGTH + ")");
        if (phase != Phase.IDLE && next.requestId() == activeId)
            throw new FastCGIException(
                    FastCGIException.Reason.BAD_BEGIN_REQUEST, "BEGIN_REQUEST of the active request, id " + activeId);
    }

    @Override
    public boolean onContent(ByteBuffer content) {
        switch (use) {
            case BEGIN -> beginBody.put(content);
            case PARAMS -> pairs.append(content);
            case VALUES -> values.append(content);
            case STDIN -> {
                if (connection.onContent(content.slice())) {
                    event = Event.CONTENT;
                    return false;
                }
            }
            case UNKNOWN, SKIP -> {
                // nothing is kept of it
            }
        }
        return true;
    }

    @Override
    public boolean onRecordEnd() throws FastCGIException {
        switch (use) {
            case BEGIN -> begin(BeginRequest.readFrom(beginBody.flip()));
            case VALUES -> replies.values(takeNames());
            case UNKNOWN -> replies.unknownType(header.typeCode());
            case PARAMS -> {
                if (header.contentLength() == 0) {
                    phase = authorizes ? Phase.COMPLETE : Phase.STDIN;
                    event = Event.REQUEST;
                }
            }
            case STDIN -> {
                if (header.contentLength() == 0) {
                    exhausted = header.paddingLength() == 0;
                    phase = Phase.COMPLETE;
                    connection.onContentEnd();
                    event = Event.CONTENT;
                }
            }
            case SKIP -> skipped();
        }
        return event == Event.NONE;
    }

    private void begin(BeginRequest begin) {
        int id = header.requestId();
        if (phase != Phase.IDLE) {
            replies.multiplexed(id);
        } else if (!serves(begin.role())) {
            leftovers = false;
            replies.unknownRole(id);
            if (!begin.keepConnection()) connection.closeUnstarted();
        } else {
            leftovers = false;
            phase = Phase.PARAMS;
            activeId = id;
            longestStdin = 0;
            keepConnection = begin.keepConnection();
            authorizes = begin.role() == Role.AUTHORIZER;
            beginNanoTime = NanoTime.now();
            connection.onBegin(beginNanoTime);
        }
    }

    private boolean serves(Role role) {
        return role == Role.RESPONDER || role == Role.AUTHORIZER && authorizerPath != null;
    }

    /** An abort matters, of the active request; so does the end of what a request left over. */
    private void skipped() {
        boolean isActiveId = header.requestId() == activeId;
        RecordType type = header.type();
        boolean isEnd = type == RecordType.STDIN && header.contentLength() == 0 || type == RecordType.ABORT_REQUEST;
        if (isActiveId && isEnd) leftovers = false;
        if (phase == Phase.IDLE || !isActiveId || type != RecordType.ABORT_REQUEST) return;
        if (phase == Phase.PARAMS) {
            giveUp();
            replies.aborted(activeId);
            if (!keepConnection) connection.closeUnstarted();
        } else {
            phase = Phase.COMPLETE; // nothing more comes for it
            event = Event.ABORT;
        }
    }

    private NameValuePairs takeNames() throws FastCGIException {
        NameValuePairs names = values;
        values = null;
        if (!names.isComplete())
            throw new FastCGIException(FastCGIException.Reason.BAD_GET_VALUES, "GET_VALUES isn't a list of names");
        return names;
    }
}

package io.github.jettyfastcgi.server;

import java.util.function.BooleanSupplier;

/**
 * Who may fill and parse the input of a connection: one thread at a time. Five facts tell, guarded by one lock that is
 * never held while anything else happens:
 *
 * <ul>
 *   <li><i>running</i>: a request was given to the channel and is not completed.
 *   <li><i>attached</i>: a thread is in {@link FastCGIConnection#run()}. It owns the parser, but not while the request
 *       whose handler it has called is running and has open STDIN.
 *   <li><i>reading</i>: the application owns the parser, for content of the running request.
 *   <li><i>watching</i>: a thread owns the parser, for a moment, to look whether the peer of a request is still there that
 *       runs without reading. What the application demands meanwhile, and the completion, wait for it: whoever watches goes
 *       on for them. What it has found is remembered until the application reads.
 *   <li><i>interested</i>: fill interest is registered; the input buffer is empty then.
 * </ul>
 *
 * <pre>
 *                     readable                        variables complete
 *   interested ----------------> attached --------------------------------> attached, running
 *    ^                              ^  |                                      |           |
 *    |   nothing more to read       |  |    completed before the handler      |           | handler returned,
 *    +---------------------------------+ &lt;- returned: the same thread goes on +           | not completed
 *    ^                              ^                                                     v
 *    |                              |           STDIN open: the application reads; running, perhaps
 *    |                              |                       reading, or interested, since it has demand
 *    |                              | readable  STDIN ended: running, interested, to notice ABORT_REQUEST and EOF,
 *    |                              +---------- or running alone, while the next BEGIN_REQUEST waits in the buffer
 *    |                                                                                    |
 *    +--------- completed by any thread, which attaches unless another one is &lt;---------+
 *               attached or reading: then that one finds the request completed
 * </pre>
 *
 * So no two threads ever parse at the same time, and no connection is left without one that will. Methods that answer
 * whether the caller is attached oblige it to go on if so.
 */
final class ParserOwnership {
    /** Whom an event of the socket is for. */
    enum Recipient {
        /** The running request, whose content is demanded, or which is to fail. */
        APPLICATION,
        /** The caller, which is attached now. */
        CALLER,
        /** Whoever is attached or reading, who will see for itself; or nobody. */
        OTHER
    }

    /** What the caller has to do for an application that waits for content, or whose request was looked at. */
    enum Next {
        /** To tell the application, for which there is content. */
        CONTENT,
        /** To register fill interest, on behalf of the application. */
        INTEREST,
        /** To go on, attached. */
        ATTACHED,
        /** Nothing: nobody waits, or another thread sees to it. */
        NOTHING
    }

    private final Object lock = new Object();
    private final BooleanSupplier contentComplete;
    private final BooleanSupplier contentAvailable;
    private Object running;
    private boolean completed; // by a thread that could not attach, and the attached one hasn't finished with it
    private boolean attached;
    private boolean reading;
    private boolean watching;
    private boolean demanded; // while watching
    private boolean found; // by whoever watched last, and not looked for since by the application
    private boolean interested;

    /**
     * Creates the ownership of a new connection, with the caller attached.
     *
     * @param contentComplete whether STDIN of the running request has ended; it changes with the parser's owner
     * @param contentAvailable whether content of the running request was read that it has not been given; only who is
     *     watching, and so owns the parser, is asked
     */
    ParserOwnership(BooleanSupplier contentComplete, BooleanSupplier contentAvailable) {
        this.contentComplete = contentComplete;
        this.contentAvailable = contentAvailable;
        this.attached = true;
    }

    boolean isRunning() {
        synchronized (lock) {
            return running != null;
        }
    }

    boolean isInterested() {
        synchronized (lock) {
            return interested;
        }
    }

    /** Fill interest has fired. */
    Recipient readable() {
        synchronized (lock) {
            interested = false;
            if (running != null && !contentComplete.getAsBoolean()) return Recipient.APPLICATION;
            return attach() ? Recipient.CALLER : Recipient.OTHER;
        }
    }

    /** Fill interest has failed: the connection is closed, or idle for too long. */
    Recipient interestFailed() {
        synchronized (lock) {
            interested = false;
            if (running != null) return Recipient.APPLICATION;
            return attach() ? Recipient.CALLER : Recipient.OTHER;
        }
    }

    /**
     * The application demands content, having found none; {@return what for} A watching thread may have read some since, or
     * is about to. For a request that is completed nobody waits.
     */
    Next demand(Object request) {
        synchronized (lock) {
            if (running != request) return Next.NOTHING;
            if (!watching) return await();
            demanded = true;
            return Next.NOTHING;
        }
    }

    private Next await() {
        if (found) return Next.CONTENT;
        return addInterest() ? Next.INTEREST : Next.NOTHING;
    }

    /** {@return whether the caller owns the parser now, of a request with open STDIN that reads nothing and demands nothing} */
    boolean watchingBegins() {
        synchronized (lock) {
            if (running == null || contentComplete.getAsBoolean()) return false;
            if (attached || reading || watching || interested) return false;
            watching = true;
            return true;
        }
    }

    /**
     * The caller of {@link #watchingBegins()} is done; {@return how it has to go on} It does so for an application that has
     * demanded content meanwhile. It is attached if the request has been completed meanwhile, or its STDIN has ended, which
     * the application may have demanded.
     */
    Next watchingEnds() {
        synchronized (lock) {
            boolean isDemanded = demanded;
            demanded = false;
            found = contentAvailable.getAsBoolean();
            watching = false;
            if (running == null || contentComplete.getAsBoolean()) return attach() ? Next.ATTACHED : Next.NOTHING;
            return isDemanded ? await() : Next.NOTHING;
        }
    }

    /** The attached caller is done; {@return whether it has to register fill interest} */
    boolean detachInterested() {
        synchronized (lock) {
            attached = false;
            return addInterest();
        }
    }

    /**
     * The caller of {@link #detachInterested()} looks back; {@return whether it is attached once more, for a request that
     * was completed between its {@link #finishes()} and its end, by a thread that could not attach}
     */
    boolean attachCompleted() {
        synchronized (lock) {
            boolean attaches = completed && attach();
            completed = false;
            return attaches;
        }
    }

    /** The attached caller is done, and nothing more is to be read. */
    void detach() {
        synchronized (lock) {
            attached = false;
        }
    }

    /** {@return whether the caller is attached now, to a connection that waits for its next request} */
    boolean attachIdle() {
        synchronized (lock) {
            return running == null && interested && attach();
        }
    }

    /** The caller of {@link #attachIdle()} is done; {@return whether it is attached still, since interest has fired} */
    boolean detachIdle() {
        synchronized (lock) {
            attached = !interested;
            return attached;
        }
    }

    /** The attached caller can't go on before the request is completed; {@return whether it still runs} */
    boolean detachWhileRunning() {
        synchronized (lock) {
            if (running != null) attached = false;
            return running != null;
        }
    }

    /** The attached caller is about to call the handler. */
    void requestStarts(Object request) {
        synchronized (lock) {
            running = request;
            found = false;
        }
    }

    /** The handler has returned to the attached caller; {@return whether it is attached still} */
    boolean handlerReturned() {
        synchronized (lock) {
            if (reading || running != null && !contentComplete.getAsBoolean()) attached = false;
            return attached;
        }
    }

    /** The application wants to parse; {@return whether it may: what a completed request would read is another's} */
    boolean readingBegins(Object request) {
        synchronized (lock) {
            if (running != request || watching) return false;
            reading = true;
            found = false;
            return true;
        }
    }

    /**
     * The application has parsed; {@return whether the caller is attached now} So it is, too, where interest is registered,
     * which may never fire for what was read in spite of it: the next request.
     */
    boolean readingEnds() {
        synchronized (lock) {
            reading = false;
            return (running == null || contentComplete.getAsBoolean()) && attach();
        }
    }

    /**
     * The request is completed; {@return whether the caller is attached now} It is also where interest is registered, to
     * finish with the request; what fires meanwhile is for it, too.
     */
    boolean requestCompleted() {
        synchronized (lock) {
            running = null;
            completed = !attach();
            return !completed;
        }
    }

    /** {@return whether no request runs, so that the attached caller may finish with the one that has been completed} */
    boolean finishes() {
        synchronized (lock) {
            if (running == null) completed = false;
            return running == null;
        }
    }

    private boolean attach() {
        if (attached || reading || watching) return false;
        attached = true;
        return true;
    }

    private boolean addInterest() {
        if (interested) return false;
        interested = true;
        return true;
    }
}

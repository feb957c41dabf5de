package io.github.jettyfastcgi.session;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.eclipse.jetty.session.DefaultSessionCache;
import org.eclipse.jetty.session.ManagedSession;
import org.eclipse.jetty.session.NullSessionDataStore;
import org.eclipse.jetty.session.SessionManager;
import org.eclipse.jetty.util.NanoTime;
import org.eclipse.jetty.util.annotation.ManagedAttribute;
import org.eclipse.jetty.util.annotation.ManagedObject;
import org.eclipse.jetty.util.thread.AutoLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session cache that holds no more sessions of its context than it is told, and those that requests use at the moment,
 * so that a flood of requests without a cookie, each of which makes a session, can't fill the heap.
 *
 * <p>When a request has left a session that is one too many, the one that {@link IdleSessions} says is evicted. With a
 * session data store it is passivated and written, and comes back with the next request for it. Without one it ends as if
 * it had expired: the listeners hear of it. So does a session that the store fails to take.
 *
 * <p><b>Threads.</b> A session is evicted by the thread of a request that leaves another, in the scope of the same
 * context. The lock of a session guards what becomes of it, as everywhere in Jetty's session module; of two sessions
 * never both are locked. Listeners of the end of a session are called without a lock, those of passivation with that of
 * the session, as Jetty does.
 */
@ManagedObject("Session cache with a bound")
@SuppressWarnings("exports") // requires static transitive would make each module need jetty-session
public final class BoundedSessionCache extends DefaultSessionCache {
    private static final Logger LOG = LoggerFactory.getLogger(BoundedSessionCache.class);
    private static final long WARNING_INTERVAL = TimeUnit.MINUTES.toNanos(1);

    private final int maxSessions;
    private final IdleSessions idle;
    private final LongAdder unreturnedEvicted = new LongAdder();
    private final LongAdder returnedEvicted = new LongAdder();
    private final AtomicLong nextWarning = new AtomicLong(NanoTime.now());

    /**
     * Creates a cache.
     *
     * @param manager manages the sessions of a context
     * @param maxSessions how many sessions are held that no request uses
     */
    public BoundedSessionCache(SessionManager manager, int maxSessions) {
        super(manager);
        this.maxSessions = maxSessions;
        this.idle = new IdleSessions(maxSessions);
    }

    /** {@return how many sessions are held that no request uses} */
    @ManagedAttribute(value = "maximum number of sessions held that no request uses", readonly = true)
    public int getMaxSessions() {
        return maxSessions;
    }

    /** {@return how many sessions were evicted that only one request had used} */
    @ManagedAttribute(value = "evicted sessions that only one request had used", readonly = true)
    public long getUnreturnedSessionsEvicted() {
        return unreturnedEvicted.sum();
    }

    /** {@return how many sessions were evicted whose visitors had come back} */
    @ManagedAttribute(value = "evicted sessions of visitors who had come back", readonly = true)
    public long getReturnedSessionsEvicted() {
        return returnedEvicted.sum();
    }

    @Override
    protected ManagedSession getAndEnter(String id, boolean enter) throws Exception {
        boolean wasCached = contains(id);
        ManagedSession session = super.getAndEnter(id, enter);
        if (session == null && wasCached) session = super.getAndEnter(id, enter); // evicted meanwhile: load it
        if (session != null && enter) idle.remove(session);
        return session;
    }

    @Override
    public void release(ManagedSession session) throws Exception {
        try {
            super.release(session);
        } finally {
            ManagedSession excess = session == null ? null : addIfIdle(session);
            if (excess != null) evict(excess);
        }
    }

    @SuppressWarnings("try") // javac misses a use of the lock
    private ManagedSession addIfIdle(ManagedSession session) {
        try (AutoLock ignored = session.lock()) {
            return isIdle(session) ? idle.add(session, session.isNew()) : null;
        }
    }

    private static boolean isIdle(ManagedSession session) {
        return session.isValid() && session.isResident() && session.getRequests() <= 0;
    }

    @Override
    public ManagedSession doDelete(String id) {
        ManagedSession deleted = super.doDelete(id);
        if (deleted != null) idle.remove(deleted);
        return deleted;
    }

    @SuppressWarnings("try") // javac misses a use of the lock
    private void evict(ManagedSession session) {
        boolean isNew;
        boolean isStored;
        try (AutoLock ignored = session.lock()) {
            if (!isIdle(session) || idle.contains(session)) return; // a request uses it, or has used it meanwhile
            isNew = session.isNew();
            isStored = store(session);
            if (!isStored) session.beginInvalidate();
            session.setResident(false);
            doDelete(session.getId());
        }
        (isNew ? unreturnedEvicted : returnedEvicted).increment();
        if (isStored) return;
        end(session);
        if (!isNew) warnOfLoss();
    }

    /** {@return whether the session can be loaded again} */
    private boolean store(ManagedSession session) {
        if (getSessionDataStore() instanceof NullSessionDataStore) return false;
        try {
            if (getSessionDataStore().isPassivating()) session.onSessionPassivation();
            getSessionDataStore().store(session.getId(), session.getSessionData());
            return true;
        } catch (Exception x) {
            LOG.warn("The store doesn't take {}, which is to be evicted: it ends", session, x);
            return false;
        }
    }

    private void end(ManagedSession session) {
        try {
            getSessionManager().onSessionDestroyed(session);
            session.finishInvalidate();
        } catch (RuntimeException x) {
            LOG.warn("A listener failed at the end of {}", session, x);
        }
    }

    private void warnOfLoss() {
        long now = NanoTime.now();
        long next = nextWarning.get();
        if (NanoTime.isBefore(now, next) || !nextWarning.compareAndSet(next, now + WARNING_INTERVAL)) return;
        LOG.warn("Visitors lose their sessions of {}: jetty.fastcgi.sessions.maxSessions={}", _context, maxSessions);
    }
}

package io.github.jettyfastcgi.session;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.eclipse.jetty.session.ManagedSession;

/**
 * The sessions that no request uses at the moment, up to a number, and which of them is to go when there is one more: of
 * those that no second request has used the oldest, else the least recently used.
 *
 * <p>Sessions with a second request never fill all places. A tenth, but one at least, is left to new ones, so that a visitor who comes for
 * the first time has a session until his second request, however many others there are.
 *
 * <p>Any thread may call; the lock is held for a few steps, whatever the number of sessions, and nothing else is called
 * meanwhile.
 */
final class IdleSessions {
    private static final int PART_FOR_NEW = 10;

    private final int maxSessions;
    private final int maxReturned;
    private final Set<ManagedSession> unreturned = new LinkedHashSet<>();
    private final Set<ManagedSession> returned = new LinkedHashSet<>();

    IdleSessions(int maxSessions) {
        this.maxSessions = maxSessions;
        this.maxReturned = maxSessions - (maxSessions + PART_FOR_NEW - 1) / PART_FOR_NEW;
    }

    /**
     * Adds a session, which is the last to go of its kind.
     *
     * @param session the session
     * @param isNew whether one request alone has used it
     * @return the session that goes for it, or {@code null} if there is room
     */
    synchronized ManagedSession add(ManagedSession session, boolean isNew) {
        remove(session);
        (isNew ? unreturned : returned).add(session);
        if (unreturned.size() + returned.size() <= maxSessions) return null;
        Iterator<ManagedSession> sessions = (returned.size() > maxReturned ? returned : unreturned).iterator();
        ManagedSession first = sessions.next();
        sessions.remove();
        return first;
    }

    synchronized void remove(ManagedSession session) {
        if (!unreturned.remove(session)) returned.remove(session);
    }

    synchronized boolean contains(ManagedSession session) {
        return unreturned.contains(session) || returned.contains(session);
    }
}

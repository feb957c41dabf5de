package io.github.jettyfastcgi.session;

import io.github.jettyfastcgi.server.ConfigurationException;
import org.eclipse.jetty.session.DefaultSessionCacheFactory;
import org.eclipse.jetty.session.SessionCache;
import org.eclipse.jetty.session.SessionManager;

/**
 * Gives each context a {@link BoundedSessionCache}. Jetty asks the one that is a bean of the server.
 */
@SuppressWarnings("exports") // requires static transitive would make each module need jetty-session
public final class BoundedSessionCacheFactory extends DefaultSessionCacheFactory {
    private int maxSessions = 10_000;

    /** Creates a factory with the default bound. */
    public BoundedSessionCacheFactory() {
        // nothing to do
    }

    /** {@return how many sessions of one context are held that no request uses} */
    public int getMaxSessions() {
        return maxSessions;
    }

    /**
     * @param maxSessions how many sessions of one context are held that no request uses, at least 1; the default is
     *     10,000
     */
    public void setMaxSessions(int maxSessions) {
        if (maxSessions < 1)
            throw new ConfigurationException(
                    "jetty.fastcgi.sessions.maxSessions: " + maxSessions + " (expected: >= 1)");
        this.maxSessions = maxSessions;
    }

    @Override
    public SessionCache newSessionCache(SessionManager manager) {
        return new BoundedSessionCache(manager, maxSessions);
    }
}

package io.github.jettyfastcgi.status.advice;

/** Most sessions are begun for nothing, by clients that never come back with the cookie, such as robots and monitors. */
final class UnusedSessions implements Rule {
    private static final int MIN_SESSIONS = 50;
    private static final int MIN_PERCENT = 80;

    @Override
    public Advice check(Observations seen) {
        long percent = seen.percent(Figure.SEEN_UNUSED_SESSIONS, Figure.SEEN_SESSIONS);
        if (seen.get(Figure.SEEN_SESSIONS) < MIN_SESSIONS || percent < MIN_PERCENT) return null;
        return new Advice(
                Severity.HINT,
                "Most sessions are begun for nothing.",
                percent + " % of " + seen.get(Figure.SEEN_SESSIONS)
                        + " sessions looked at were never used by a second request. Each takes memory until it times out."
                        + " Jetty's module fastcgi-sessions bounds their number.",
                "In each JSP that needs no session, and for servlets: getSession(false) where none is needed:",
                "<%@ page session=\"false\" %>");
    }
}

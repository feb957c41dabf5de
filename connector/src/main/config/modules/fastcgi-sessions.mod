[description]
Enables a first level session cache that bounds the number of sessions, against floods of requests without a cookie.
Sessions that no second request has used are evicted first, then the least recently used.
With a session store module (session-store-file, session-store-jdbc, ...) evicted sessions come back from the store.

[tags]
session
fastcgi

[provides]
session-cache

[depend]
fastcgi
sessions

[xml]
etc/jetty-fastcgi-sessions.xml

[ini-template]
### Session cache with a bound

## The maximum number of sessions of one web application that are held in memory.
## Multiplied by the size of a session it has to fit into the heap, for all web applications together.
# jetty.fastcgi.sessions.maxSessions=10000

## The settings of Jetty's session-cache-hash module, which this one replaces.
# jetty.session.evictionPolicy=-1
# jetty.session.saveOnInactiveEviction=false
# jetty.session.saveOnCreate=false
# jetty.session.removeUnloadableSessions=false
# jetty.session.flushOnResponseCommit=true
# jetty.session.invalidateOnShutdown=false

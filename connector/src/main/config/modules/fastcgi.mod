[description]
Holds the FastCGI library, and the configuration that the FastCGI connectors share.
A web server such as nginx, Apache httpd or HAProxy passes requests over FastCGI instead of HTTP.
This module opens no connector: enable fastcgi-unix, fastcgi-tcp or both.

[tags]
connector
fastcgi

[depend]
server
graceful
security

[lib]
lib/fastcgi/jetty-fastcgi-connector-@project.version@.jar
# A superclass of the library is in there, so it is needed for TCP as well.
lib/jetty-unixdomain-server-${jetty.version}.jar

[xml]
etc/jetty-fastcgi.xml

[ini-template]
### Configuration that the FastCGI connectors share

## The maximum time a connection is idle between requests, in milliseconds.
## Keep it above the time for which the web server pools idle connections (nginx: 60 seconds),
## so that no request meets a connection that is just being closed.
# jetty.fastcgi.idleTimeout=90000

## The maximum time for all variables of a request to come in, in milliseconds.
## Later the answer is status 408, and the connection ends. 0 means no limit but the idle timeout.
# jetty.fastcgi.requestTimeout=30000

## The maximum time in which nothing is read or written while a request runs, in milliseconds:
## its content does not come, its response is not taken, or an asynchronous application waits that set no timeout.
## -1 means the idle timeout, 0 means no limit.
# jetty.fastcgi.contentTimeout=-1

## The maximum time for what still comes in after a response, in milliseconds: request content after
## an early response, and the web server's close of a connection that is not kept.
# jetty.fastcgi.drainTimeout=5000

## How long idle connections stay open for a last request when the server stops, in milliseconds.
## The time in which running requests may finish, jetty.server.stopTimeout, begins after it.
# jetty.fastcgi.shutdownDrainTimeout=3000

## The maximum size of a request's variables, header fields included, in bytes.
## A request above it is answered with status 431. The default is what nginx can send.
# jetty.fastcgi.requestHeaderSize=65536

## The maximum number of a request's variables, header fields included.
## A request above it is answered with status 431.
# jetty.fastcgi.maxVariables=1024

## The maximum size of a request's content, in bytes. A request above it is answered with status 413.
## -1 means no limit: content streams, and takes no memory here.
# jetty.fastcgi.maxContentLength=-1

## The maximum number of connections, counted over all FastCGI connectors.
## Further ones wait in the queue of the socket (acceptQueueSize) until others end. 0 means no limit.
# jetty.fastcgi.maxConnections=8192

## The maximum number of requests handled at the same time, asynchronous ones included, counted over all
## FastCGI connectors. Further ones wait for others to end. 0 means no limit.
# jetty.fastcgi.maxRequests=1024

## The maximum number of requests that wait for others to end.
## Further ones are answered with status 503 and a Retry-After field.
# jetty.fastcgi.maxQueuedRequests=1024

## The maximum time a request waits for others to end, in milliseconds.
## Later the answer is status 503 with a Retry-After field. Keep it below the time a web server waits (nginx: 60 seconds).
# jetty.fastcgi.queueTimeout=10000

## The size of the buffer a connection reads from the network with, in bytes.
# jetty.fastcgi.inputBufferSize=65536

## The size of the buffer an application's response content is gathered in, in bytes.
## The default is jetty.httpConfig.outputBufferSize.
# jetty.fastcgi.outputBufferSize=32768

## Whether to send a Date field. The web server sends its own.
# jetty.fastcgi.sendDateHeader=false

## Whether to send a Server field. The web server sends its own.
# jetty.fastcgi.sendServerVersion=false

## Which variables lead to the path of the request:
## "request-uri": REQUEST_URI, the path as the client sent it;
## "script-name": SCRIPT_NAME and PATH_INFO, the path as the web server rewrote and decoded it.
# jetty.fastcgi.pathSource=request-uri

## The path of the web application or handler that decides whether requests are allowed, for web servers that ask
## (the Authorizer role of FastCGI), such as /authorize. Nobody decides by default, and such requests are refused.
# jetty.fastcgi.authorizerPath=

## What to do with REMOTE_USER and AUTH_TYPE:
## "ignore", or "trust" where the web server authenticates every request that it passes on with a REMOTE_USER.
## nginx and HAProxy, unless they authenticate, fill REMOTE_USER with a name the client merely claims.
## A trusted user has the roles that the web application's realm knows, whatever password stands there.
# jetty.fastcgi.remoteUser=ignore

## The variable that has further roles of a trusted user, separated by commas or blanks.
# jetty.fastcgi.remoteUser.roles=

## The variables that become request attributes of the same name: names separated by commas,
## each with an optional "*" at its end as wildcard, such as MY_VARIABLE,GEOIP_*
## All variables but HTTP_*, which are fields, are in the map that is the attribute io.github.jettyfastcgi.variables.
# jetty.fastcgi.attributes=

## A secret that the web server has to tell with each request, in a variable; others are answered with status 403.
## The application doesn't get to see it. Let nobody read this file but the user that runs Jetty.
# jetty.fastcgi.secret=

## The name of that variable. It can't be one that clients have a say in, such as HTTP_*.
# jetty.fastcgi.secretVariable=FASTCGI_SECRET

## What goes into the error log of the web server:
## "off", or "errors" for one line about each request that is answered with a status of 500 or more, or whose answer
## breaks off.
# jetty.fastcgi.stderr=off

## From which age on a request that is still running is logged, in milliseconds, once, with the stack of the thread
## that handles it. The logger is io.github.jettyfastcgi.slowlog. 0 means never.
# jetty.fastcgi.slowlog.threshold=0

## Whether that log has the queries of requests, in which there may be passwords.
# jetty.fastcgi.slowlog.query=false

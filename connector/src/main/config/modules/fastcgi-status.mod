[description]
Tells what the FastCGI connectors do, and what to change: a page with charts and advice at /fastcgi-status,
the same as JSON (?json), OpenMetrics (?openmetrics) and text (?full), and /fastcgi-status/ping, which answers "pong".
Through the web server it is for clients of this machine only, unless others are allowed.

[tags]
fastcgi
handler

[depend]
fastcgi

# It has to be in front of all of these: of what may block, let wait or count.
[after]
compression
cross-origin
debuglog
delayed
dos
eager-content
graceful
gzip
min-data-rate
qos
rewrite
secure-redirect
size-limit
state-tracking
statistics
thread-limit

[xml]
etc/jetty-fastcgi-status.xml

[ini-template]
### The status of the FastCGI connectors

## The path of the page. The web server has to pass it on.
# jetty.fastcgi.status.path=/fastcgi-status

## Which clients may see the status besides those of this machine: addresses, ranges (10.0.0.1-10.0.0.9)
## and networks (10.0.0.0/8), separated by commas. Over FastCGI the web server's REMOTE_ADDR counts.
# jetty.fastcgi.status.allow=

## Whether the queries of running requests are shown. They may hold what is nobody's business.
# jetty.fastcgi.status.showQueries=false

## How often figures are taken for the charts, in milliseconds. The charts hold 300 of them: ten minutes.
# jetty.fastcgi.status.interval=2000

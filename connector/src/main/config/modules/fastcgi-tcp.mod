[description]
Enables a FastCGI connector on a TCP port.
Whoever can connect to the port is taken for the web server, so let nobody else reach it.

[tags]
connector
fastcgi

[depend]
fastcgi

[xml]
etc/jetty-fastcgi-tcp.xml

[ini-template]
### FastCGI connector on a TCP port

## The host/address to bind the connector to.
## FastCGI knows no authentication: bind to another address only in a network that is closed to all but the web server.
# jetty.fastcgi.tcp.host=127.0.0.1

## The port the connector listens on.
# jetty.fastcgi.tcp.port=9000

## The name of the connector. A context with the virtual host "@" and this name is served through it alone.
# jetty.fastcgi.tcp.name=fastcgi-tcp

## The number of acceptors (-1 picks a default value based on number of cores).
# jetty.fastcgi.tcp.acceptors=1

## The number of selectors (-1 picks a default value based on number of cores).
# jetty.fastcgi.tcp.selectors=-1

## The ServerSocketChannel accept queue backlog, in connections (0 picks the platform default, 50).
## When it is full, web servers wait a second or more. The system may have a lower limit (net.core.somaxconn).
# jetty.fastcgi.tcp.acceptQueueSize=1024

## The thread priority delta to give to acceptor threads.
# jetty.fastcgi.tcp.acceptorPriorityDelta=-2

## Whether to enable the SO_REUSEADDR socket option.
# jetty.fastcgi.tcp.reuseAddress=true

## Whether to enable the SO_REUSEPORT socket option.
# jetty.fastcgi.tcp.reusePort=false

## Whether to enable the TCP_NODELAY socket option on accepted sockets.
# jetty.fastcgi.tcp.acceptedTcpNoDelay=true

## The SO_RCVBUF socket option to set on accepted sockets, in bytes.
## A value of -1 indicates that the platform default is used.
# jetty.fastcgi.tcp.acceptedReceiveBufferSize=-1

## The SO_SNDBUF socket option to set on accepted sockets, in bytes.
## A value of -1 indicates that the platform default is used.
# jetty.fastcgi.tcp.acceptedSendBufferSize=-1

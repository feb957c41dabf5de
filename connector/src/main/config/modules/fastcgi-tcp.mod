[description]
Enables a FastCGI connector on a TCP port.
Whoever may connect is taken for the web server: see jetty.fastcgi.tcp.allow and jetty.fastcgi.secret.

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
## FastCGI encrypts nothing: bind to another address only in a network that nobody else listens to.
# jetty.fastcgi.tcp.host=127.0.0.1

## The port the connector listens on.
# jetty.fastcgi.tcp.port=9000

## From where the web server may connect: addresses, networks such as 10.0.0.0/8 and ranges such as 10.0.0.1-10.0.0.9,
## separated by commas; no names. Other connections are closed at once, counted, and logged once a minute.
## When it is not set: loopback addresses (127.0.0.0/8,::1). Jetty doesn't start on any other address without this or jetty.fastcgi.secret;
## with that alone, peers may connect from anywhere.
# jetty.fastcgi.tcp.allow=

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

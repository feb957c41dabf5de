[description]
Enables a FastCGI connector on a Unix-domain socket.

[tags]
connector
fastcgi
unixdomain

[depend]
fastcgi

[files]
run/

[xml]
etc/jetty-fastcgi-unix.xml

[ini-template]
### FastCGI connector on a Unix-domain socket

## The path of the socket, relative to ${jetty.base} or absolute, of at most 107 bytes altogether, 102 of them for its directory.
## Its directory must exist; that of the default does.
# jetty.fastcgi.unix.path=run/fastcgi.sock

## The permissions of the socket, in octal. The web server needs write permission.
# jetty.fastcgi.unix.mode=0660

## The owner of the socket. When empty, it is the user that runs Jetty; to name another takes root.
# jetty.fastcgi.unix.owner=

## The group of the socket. When empty, it is the group of the user that runs Jetty.
## Name the web server's group (Debian: www-data) to let it in; the user must be a member of it, or root.
# jetty.fastcgi.unix.group=

## Whether to replace a socket that another process still listens on, to take over from it.
## When false, Jetty refuses to start then. A socket that nobody listens on is replaced either way.
# jetty.fastcgi.unix.takeOver=false

## Whether to use a socket that Jetty was started with, as systemd does it (fastcgi-examples/systemd):
## "off"; "prefer": where there is one, and else bind the path; "require": refuse to start where there is none.
## It has to be file descriptor 0. The settings above don't count for it, and its file is left alone.
# jetty.fastcgi.unix.inherit=off

## The name of the connector. A context with the virtual host "@" and this name is served through it alone.
# jetty.fastcgi.unix.name=fastcgi-unix

## The number of acceptors (-1 picks a default value based on number of cores).
# jetty.fastcgi.unix.acceptors=1

## The number of selectors (-1 picks a default value based on number of cores).
# jetty.fastcgi.unix.selectors=-1

## The ServerSocketChannel accept queue backlog, in connections (0 picks the platform default, 50).
## When it is full, nginx answers at once with status 502. The system may have a lower limit (net.core.somaxconn).
# jetty.fastcgi.unix.acceptQueueSize=1024

## The SO_RCVBUF option for accepted sockets, in bytes (0 picks the platform default).
# jetty.fastcgi.unix.acceptedReceiveBufferSize=0

## The SO_SNDBUF option for accepted sockets, in bytes (0 picks the platform default).
## The kernel limits it to net.core.wmem_max. A large one saves CPU where responses are large.
# jetty.fastcgi.unix.acceptedSendBufferSize=524288

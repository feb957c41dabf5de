#!/bin/sh
# mod_fcgid starts its FastCGI application by itself, and gives it a socket to listen on. This one hands all that comes
# over to Jetty; the program is a part of systemd.
exec 3<&0
export LISTEN_FDS=1 LISTEN_PID=$$
exec /lib/systemd/systemd-socket-proxyd /srv/jetty/run/fastcgi.sock

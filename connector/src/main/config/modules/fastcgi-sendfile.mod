[description]
Lets the web server send files instead of Jetty: static files, and those with which applications mark a response.
Every web server that reaches a FastCGI connector has to know of it.

[tags]
fastcgi
handler

[depend]
fastcgi

# It has to be inside of these: what they could change on its way is never left to the web server.
[before]
compression
gzip

[xml]
etc/jetty-fastcgi-sendfile.xml

[ini-template]
### Files that the web server sends

## The field that tells the web server of a file: "X-Accel-Redirect" for nginx, "X-Sendfile" for Apache httpd with
## mod_xsendfile, "X-LIGHTTPD-send-file" for lighttpd.
# jetty.fastcgi.sendfile.field=X-Accel-Redirect

## The folders whose files the web server may send, and where it has them, separated by semicolons:
## /srv/files=/internal/files;/srv/media=/internal/media
## For nginx the second is an internal location; for the others a path, which can be left out if it is the same.
# jetty.fastcgi.sendfile.mapping=

## The size from which on files are left to the web server, in bytes: below, it costs more than it saves.
# jetty.fastcgi.sendfile.minSize=131072

## nginx passes on the fields Cache-Control, Content-Disposition, Content-Type, Expires and Set-Cookie of a response.
## If a response has others, Jetty sends the file. These are further ones that nginx was told to pass on, separated by
## commas, such as by: add_header X-Content-Type-Options $upstream_http_x_content_type_options;
# jetty.fastcgi.sendfile.keptFields=

[description]
Lets web applications log users in by the certificates that the web server has verified
(<auth-method>CLIENT-CERT</auth-method>), without a trust store and revocation lists of Jetty's own.
The web server has to verify each certificate that it passes on, or to pass SSL_CLIENT_VERIFY.
Where Jetty shall verify them once more, enable ssl-context instead, with a trust store; both together are one too many.

[tags]
connector
fastcgi
security

[depend]
fastcgi

[xml]
etc/jetty-fastcgi-client-cert.xml

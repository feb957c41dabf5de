/**
 * A FastCGI connector for Jetty: {@link io.github.jettyfastcgi.server.FastCGIConnectionFactory}.
 */
module io.github.jettyfastcgi {
    requires transitive org.eclipse.jetty.server;
    requires transitive org.eclipse.jetty.unixdomain.server;
    requires org.eclipse.jetty.security;
    requires static org.eclipse.jetty.session;
    requires org.slf4j;

    exports io.github.jettyfastcgi.sendfile;
    exports io.github.jettyfastcgi.server;
    exports io.github.jettyfastcgi.session;
    exports io.github.jettyfastcgi.status;

    provides org.eclipse.jetty.security.Authenticator.Factory with
            io.github.jettyfastcgi.server.RemoteUserAuthenticator.Factory;
}

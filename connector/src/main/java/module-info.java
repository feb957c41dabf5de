/**
 * A FastCGI connector for Jetty: {@link io.github.jettyfastcgi.server.FastCGIConnectionFactory}.
 */
module io.github.jettyfastcgi {
    requires transitive org.eclipse.jetty.server;
    requires transitive org.eclipse.jetty.unixdomain.server;
    requires org.slf4j;

    exports io.github.jettyfastcgi.server;
}

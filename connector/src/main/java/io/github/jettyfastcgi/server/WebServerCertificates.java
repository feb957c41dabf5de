package io.github.jettyfastcgi.server;

import java.security.cert.X509Certificate;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/**
 * Lets web applications with {@code <auth-method>CLIENT-CERT</auth-method>} take the web server's word for the
 * certificates of its clients, as a bean of the server: Jetty's authenticator asks such a factory to verify them, against
 * a trust store and lists of revoked certificates, which are the web server's business here. Where the web server tells
 * that it could not verify a certificate, there is none to ask about.
 */
public final class WebServerCertificates extends SslContextFactory.Server {
    /** Creates it without keys: it is for no connection of Jetty's own. */
    public WebServerCertificates() {}

    /** {@inheritDoc} The web server has done it. */
    @Override
    public void validateCerts(X509Certificate[] certificates) {
        // whatever comes here has been verified
    }
}

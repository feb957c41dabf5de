package io.github.jettyfastcgi.server;

import io.github.jettyfastcgi.cgi.ClientCertificates;
import io.github.jettyfastcgi.cgi.TLSSession;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLSession;
import org.eclipse.jetty.io.EndPoint;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TLS session between the client and the web server. Certificates are read when they are asked for.
 */
final class WebServerTLS implements EndPoint.SslSessionData {
    private static final Logger LOG = LoggerFactory.getLogger(WebServerTLS.class);
    private static final X509Certificate[] NONE = {};

    private final TLSSession session;
    private X509Certificate[] certificates;

    WebServerTLS(TLSSession session) {
        this.session = session;
    }

    /** {@return the protocol's version, or {@code null}} */
    String protocol() {
        return session.protocol();
    }

    /** {@return {@code null}: the session is the web server's} */
    @Override
    public SSLSession sslSession() {
        return null;
    }

    @Override
    public String sslSessionId() {
        return session.id();
    }

    @Override
    public String cipherSuite() {
        return session.cipherSuite();
    }

    @Override
    public int keySize() {
        return session.keySize();
    }

    @Override
    public X509Certificate[] peerCertificates() {
        if (certificates == null) certificates = parse();
        return certificates.length == 0 ? null : certificates;
    }

    private X509Certificate[] parse() {
        try {
            return ClientCertificates.parse(session.certificates());
        } catch (CertificateException x) {
            if (LOG.isDebugEnabled()) LOG.debug("Unreadable client certificate", x);
            return NONE;
        }
    }
}

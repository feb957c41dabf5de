package io.github.jettyfastcgi.server;

import java.util.Set;
import org.eclipse.jetty.server.ForwardedRequestCustomizer;
import org.eclipse.jetty.server.HostHeaderCustomizer;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.ProxyCustomizer;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.util.annotation.Name;

/**
 * The HTTP configuration of FastCGI connectors: what a server's HTTP connectors have, but for what FastCGI itself does.
 *
 * <p>Customizers that believe fields of the request (X-Forwarded-For and its kin) are left out: the web server tells the
 * client's address and TLS in variables, and a client can send such fields itself. Whoever wants one adds it to this
 * configuration. No Date and no Server field is sent, since the web server writes its own.
 */
public class FastCGIHttpConfiguration extends HttpConfiguration {
    /** The default of {@link #getRequestHeaderSize()}, in bytes: what nginx can send in one record. */
    public static final int DEFAULT_REQUEST_HEADER_SIZE = 64 * 1024;

    /** The largest that the pool keeps: an upload takes a third fewer reads than with 16 KB. */
    private static final int INPUT_BUFFER_SIZE = 64 * 1024;

    private static final Set<Class<? extends Customizer>> LEFT_OUT = Set.of(
            ForwardedRequestCustomizer.class,
            HostHeaderCustomizer.class,
            ProxyCustomizer.class,
            SecureRequestCustomizer.class);

    /** Creates a configuration with the defaults of FastCGI. */
    public FastCGIHttpConfiguration() {
        this(new HttpConfiguration());
    }

    /**
     * Copies a server's configuration.
     *
     * @param source the configuration of its HTTP connectors
     */
    public FastCGIHttpConfiguration(@Name("source") HttpConfiguration source) {
        super(source);
        getCustomizers().removeIf(customizer -> LEFT_OUT.stream().anyMatch(type -> type.isInstance(customizer)));
        setRequestHeaderSize(DEFAULT_REQUEST_HEADER_SIZE);
        setInputBufferSize(INPUT_BUFFER_SIZE);
        setSendDateHeader(false);
        setSendServerVersion(false);
    }
}

package io.github.jettyfastcgi.spring;

import io.github.jettyfastcgi.server.ConfigurationException;
import org.springframework.boot.jetty.ForwardHeadersCustomizer;
import org.springframework.boot.jetty.JettyWebServerFactory;
import org.springframework.boot.web.server.ConfigurableWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.core.Ordered;

/**
 * Lets the server of an application have FastCGI connectors. It comes after Spring Boot's own customizers, so that what
 * they set for HTTP connectors isn't set for these.
 */
final class FastCGIServerFactoryCustomizer
        implements WebServerFactoryCustomizer<ConfigurableWebServerFactory>, Ordered {
    private final FastCGIProperties properties;

    FastCGIServerFactoryCustomizer(FastCGIProperties properties) {
        this.properties = properties;
    }

    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    public void customize(ConfigurableWebServerFactory factory) {
        if (!properties.hasUnix() && !properties.hasTcp()) return;
        if (!(factory instanceof JettyWebServerFactory jetty))
            throw new ConfigurationException("fastcgi: the web server is made by "
                    + factory.getClass().getSimpleName()
                    + " (expected: Jetty; exclude spring-boot-starter-tomcat from the other starters)");
        boolean withHTTP = jetty.getPort() >= 0;
        if (!withHTTP) jetty.setPort(0); // below 0 Spring Boot starts no connector, whatever it is
        boolean believesForwarded = jetty.isUseForwardHeaders();
        jetty.setUseForwardHeaders(false); // it would be for all connectors
        jetty.addServerCustomizers(server -> {
            if (believesForwarded) new ForwardHeadersCustomizer().customize(server);
            new FastCGIConnectors(properties).addTo(server, withHTTP);
        });
    }
}

package io.github.jettyfastcgi.spring;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** Adds FastCGI connectors to the Jetty of a Spring Boot application, as its properties {@code fastcgi.*} say. */
@AutoConfiguration
@ConditionalOnWebApplication
@EnableConfigurationProperties(FastCGIProperties.class)
public final class FastCGIAutoConfiguration {
    /** Creates the configuration. */
    public FastCGIAutoConfiguration() {}

    @Bean
    FastCGIServerFactoryCustomizer fastcgiServerFactoryCustomizer(FastCGIProperties properties) {
        return new FastCGIServerFactoryCustomizer(properties);
    }
}

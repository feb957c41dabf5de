package io.github.jettyfastcgi.spring;

import io.github.jettyfastcgi.server.ConfigurationException;
import io.github.jettyfastcgi.server.FastCGIConnectionFactory;
import io.github.jettyfastcgi.server.FastCGIHttpConfiguration;
import io.github.jettyfastcgi.server.FastCGITCPConnector;
import io.github.jettyfastcgi.server.FastCGIUnixConnector;
import java.time.Duration;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Server;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.util.unit.DataSize;

/** The connectors that an application's properties ask for. What isn't set is left at the connector's default. */
final class FastCGIConnectors {
    private static final PropertyMapper MAP = PropertyMapper.get();

    private final FastCGIProperties properties;

    FastCGIConnectors(FastCGIProperties properties) {
        this.properties = properties;
    }

    /**
     * Adds them.
     *
     * @param server has its HTTP connectors, whose configuration is theirs, too
     * @param withHTTP whether it keeps these
     */
    void addTo(Server server, boolean withHTTP) {
        FastCGIConnectionFactory factory = connectionFactory(server);
        server.addBean(factory); // so that its life isn't that of a connector
        if (!withHTTP) server.setConnectors(null);
        if (properties.hasUnix()) server.addConnector(unixConnector(server, factory));
        if (properties.hasTcp()) server.addConnector(tcpConnector(server, factory));
    }

    private FastCGIConnectionFactory connectionFactory(Server server) {
        FastCGIConnectionFactory factory = new FastCGIConnectionFactory(httpConfiguration(server));
        MAP.from(properties.requestTimeout()).as(Duration::toMillis).to(factory::setRequestTimeout);
        MAP.from(properties.contentTimeout()).as(Duration::toMillis).to(factory::setContentTimeout);
        MAP.from(properties.drainTimeout()).as(Duration::toMillis).to(factory::setDrainTimeout);
        MAP.from(properties.queueTimeout()).as(Duration::toMillis).to(factory::setQueueTimeout);
        MAP.from(properties.maxVariables()).to(factory::setMaxVariables);
        MAP.from(properties.maxContentLength()).as(DataSize::toBytes).to(factory::setMaxContentLength);
        MAP.from(properties.maxConnections()).to(factory::setMaxConnections);
        MAP.from(properties.maxRequests()).to(factory::setMaxRequests);
        MAP.from(properties.maxQueuedRequests()).to(factory::setMaxQueuedRequests);
        MAP.from(properties.pathSource()).to(factory::setPathSource);
        MAP.from(properties.authorizerPath()).to(factory::setAuthorizerPath);
        factory.setRemoteUser(properties.remoteUser().trust() ? "trust" : "ignore");
        MAP.from(properties.remoteUser().roles()).to(factory::setRemoteUserRoles);
        MAP.from(properties.attributes()).to(factory::setAttributes);
        MAP.from(properties.secret()).to(factory::setSecret);
        MAP.from(properties.secretVariable()).to(factory::setSecretVariable);
        MAP.from(properties.stderr()).to(factory::setStderr);
        MAP.from(properties.slowlog().threshold()).as(Duration::toMillis).to(factory::setSlowLogThreshold);
        factory.setSlowLogQuery(properties.slowlog().query());
        return factory;
    }

    private HttpConfiguration httpConfiguration(Server server) {
        HttpConfiguration configuration = new FastCGIHttpConfiguration(httpConfigurationOf(server));
        MAP.from(properties.requestHeaderSize()).asInt(DataSize::toBytes).to(configuration::setRequestHeaderSize);
        MAP.from(properties.inputBufferSize()).asInt(DataSize::toBytes).to(configuration::setInputBufferSize);
        MAP.from(properties.outputBufferSize()).asInt(DataSize::toBytes).to(configuration::setOutputBufferSize);
        MAP.from(properties.sendDateHeader()).to(configuration::setSendDateHeader);
        MAP.from(properties.sendServerVersion()).to(configuration::setSendServerVersion);
        return configuration;
    }

    private static HttpConfiguration httpConfigurationOf(Server server) {
        for (Connector connector : server.getConnectors()) {
            HttpConfiguration.ConnectionFactory http =
                    connector.getConnectionFactory(HttpConfiguration.ConnectionFactory.class);
            if (http != null) return http.getHttpConfiguration();
        }
        return new HttpConfiguration();
    }

    private FastCGIUnixConnector unixConnector(Server server, FastCGIConnectionFactory factory) {
        FastCGIProperties.Unix unix = properties.unix();
        FastCGIUnixConnector connector = new FastCGIUnixConnector(server, 1, -1, factory);
        MAP.from(unix.path()).to(connector::setPath);
        MAP.from(unix.mode()).as(FastCGIConnectors::octal).to(connector::setMode);
        MAP.from(unix.owner()).to(connector::setOwner);
        MAP.from(unix.group()).to(connector::setGroup);
        connector.setTakeOver(unix.takeOver());
        MAP.from(unix.inherit()).to(connector::setInherit);
        MAP.from(unix.name()).to(connector::setName);
        MAP.from(properties.idleTimeout()).as(Duration::toMillis).to(connector::setIdleTimeout);
        return connector;
    }

    /** YAML takes 0660 without quotes for the number 432, which is a mode as well, but not the one that was meant. */
    private static String octal(String mode) {
        if (!mode.startsWith("0"))
            throw new ConfigurationException("jetty.fastcgi.unix.mode: '" + mode
                    + "' (expected: a 0 and three octal digits, such as 0660, in quotes where the file is YAML)");
        return mode;
    }

    private FastCGITCPConnector tcpConnector(Server server, FastCGIConnectionFactory factory) {
        FastCGIProperties.Tcp tcp = properties.tcp();
        FastCGITCPConnector connector = new FastCGITCPConnector(server, 1, -1, factory);
        connector.setPort(tcp.port());
        MAP.from(tcp.host()).to(connector::setHost);
        MAP.from(tcp.allow()).to(connector::setAllow);
        MAP.from(tcp.name()).to(connector::setName);
        MAP.from(properties.idleTimeout()).as(Duration::toMillis).to(connector::setIdleTimeout);
        return connector;
    }
}

package io.github.jettyfastcgi.server;

import io.github.jettyfastcgi.cgi.CGIRequest;
import io.github.jettyfastcgi.cgi.PathSource;
import io.github.jettyfastcgi.cgi.RequestMapper;
import io.github.jettyfastcgi.cgi.SharedSecret;
import io.github.jettyfastcgi.cgi.VariableFilter;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.NanoTime;
import org.eclipse.jetty.util.annotation.ManagedAttribute;
import org.eclipse.jetty.util.annotation.ManagedObject;
import org.eclipse.jetty.util.annotation.Name;

/**
 * Creates the connections of a connector to which web servers speak FastCGI: in a
 * {@link org.eclipse.jetty.server.ServerConnector} over TCP, in a {@link FastCGIUnixConnector} over a Unix-domain socket.
 *
 * <p>Settings are made before it starts. One factory may serve several connectors; its limits and its counters are then
 * theirs together.
 */
@ManagedObject("Creates FastCGI connections")
public class FastCGIConnectionFactory extends LimitedConnectionFactory
        implements HttpConfiguration.ConnectionFactory, ConnectionFactory.Configuring {
    /** The name of the protocol. */
    public static final String PROTOCOL = "fastcgi";

    /**
     * The request attribute that has the variables of a request, as an immutable {@code Map<String, String>}. Fields of
     * the request (HTTP_*) are not in it; of a repeated name the last value is.
     */
    public static final String VARIABLES_ATTRIBUTE = "io.github.jettyfastcgi.variables";

    /**
     * The request attribute that is {@code "AUTHORIZER"} where the web server asks whether another request is allowed, see
     * {@link #setAuthorizerPath(String)}. An ordinary request doesn't have it.
     */
    public static final String ROLE_ATTRIBUTE = "io.github.jettyfastcgi.role";

    /** The default of {@link #getSecretVariable()}. */
    public static final String DEFAULT_SECRET_VARIABLE = "FASTCGI_SECRET";

    private static final String IGNORE = "ignore";
    private static final String TRUST = "trust";
    private static final String OFF = "off";
    private static final String ERRORS = "errors";

    /** Segments of letters, digits and what else is the same encoded or not, none of which is {@code .} or {@code ..} */
    private static final Pattern CONTEXT_PATH = Pattern.compile("(/(?!\\.\\.?(/|$))[A-Za-z0-9._~-]+)+");

    private final HttpConfiguration configuration;
    private final Counters counters = new Counters();
    private final SlowLog slowLog = new SlowLog();
    private final Connections connections = new Connections(slowLog);
    private final RefusedPeers refusedPeers = new RefusedPeers(NanoTime::now);
    private final GracefulChange gracefulChange = new GracefulChange(this, connections);
    private final List<String> urgentPaths = new CopyOnWriteArrayList<>();
    private RequestMapper requestMapper;
    private String authorizerPath;
    private PathSource pathSource = PathSource.REQUEST_URI;
    private String attributes = "";
    private VariableFilter attributeFilter = VariableFilter.NONE;
    private boolean trustsRemoteUser;
    private String remoteUserRoles;
    private String secret = "";
    private String secretVariable = DEFAULT_SECRET_VARIABLE;
    private SharedSecret sharedSecret;
    private boolean reportsErrors;

    /** Creates a factory with a {@link FastCGIHttpConfiguration}. */
    public FastCGIConnectionFactory() {
        this(new FastCGIHttpConfiguration());
    }

    /**
     * Creates a factory.
     *
     * @param configuration is used as it is; {@link FastCGIHttpConfiguration} has the defaults that suit FastCGI
     */
    public FastCGIConnectionFactory(@Name("configuration") HttpConfiguration configuration) {
        super(PROTOCOL);
        this.configuration = Objects.requireNonNull(configuration);
        installBean(configuration);
        installBean(counters);
        super.setInputBufferSize(configuration.getInputBufferSize());
    }

    @Override
    public HttpConfiguration getHttpConfiguration() {
        return configuration;
    }

    /** {@inheritDoc} It is the configuration's. */
    @Override
    public int getInputBufferSize() {
        return configuration.getInputBufferSize();
    }

    @Override
    public void setInputBufferSize(int size) {
        super.setInputBufferSize(size);
        configuration.setInputBufferSize(size);
    }

    /** {@return which variables lead to the URI of a request: {@code request-uri} or {@code script-name}} */
    @ManagedAttribute("Which variables lead to the URI: request-uri or script-name")
    public String getPathSource() {
        return pathSource.toString();
    }

    /**
     * Sets which variables lead to the URI of a request.
     *
     * @param pathSource {@code request-uri}, the default, or {@code script-name}
     * @throws IllegalArgumentException for any other value
     */
    public void setPathSource(String pathSource) {
        try {
            this.pathSource = PathSource.from(pathSource);
        } catch (IllegalArgumentException x) {
            throw new ConfigurationException("jetty.fastcgi.pathSource: " + x.getMessage());
        }
    }

    /** {@return the path of who decides whether requests are allowed, or {@code null} if nobody does} */
    @ManagedAttribute("The path of who decides whether requests are allowed")
    public String getAuthorizerPath() {
        return authorizerPath;
    }

    /**
     * Sets who decides whether requests are allowed, for web servers that ask (the Authorizer role of FastCGI). The
     * handler or web application at this path gets requests for the path followed by the path that the web server asks
     * about, with method, query and fields, but without content. It allows with status 200, and gives variables to the
     * web server by response fields such as {@code Variable-AUTH_METHOD: token}; with any other status it refuses. With a
     * 200 nothing else is sent, neither content nor other fields. A 200 of a web application at another path, which Jetty
     * asks while there is none at this one, allows only with such a field, and is a 500 without.
     *
     * @param path a path such as {@code /authorize}; {@code null} or empty, the default, for nobody: the role is refused
     */
    public void setAuthorizerPath(String path) {
        String trimmed = path == null ? "" : path.strip();
        if (!trimmed.isEmpty() && !CONTEXT_PATH.matcher(trimmed).matches())
            throw new ConfigurationException(
                    "jetty.fastcgi.authorizerPath: '" + path + "' (expected: a path such as /authorize)");
        authorizerPath = trimmed.isEmpty() ? null : trimmed;
    }

    /** {@return which variables are request attributes of the same name} */
    @ManagedAttribute("Which variables are request attributes of the same name")
    public String getAttributes() {
        return attributes;
    }

    /**
     * Sets which variables are request attributes of the same name, beside {@link #VARIABLES_ATTRIBUTE}.
     * A variable is never an attribute that the container knows: the names that begin with {@code jakarta.servlet.},
     * {@code javax.servlet.}, {@code org.eclipse.jetty.} don't match.
     *
     * @param attributes names separated by commas, each with an optional {@code *} at its end as wildcard; empty for none
     */
    public void setAttributes(String attributes) {
        try {
            attributeFilter = VariableFilter.parse(attributes);
        } catch (IllegalArgumentException x) {
            throw new ConfigurationException("jetty.fastcgi.attributes: " + x.getMessage());
        }
        this.attributes = attributes;
    }

    VariableFilter attributeFilter() {
        return attributeFilter;
    }

    /** {@return what REMOTE_USER and AUTH_TYPE are taken for: {@code ignore} or {@code trust}} */
    @ManagedAttribute("What REMOTE_USER and AUTH_TYPE are taken for: ignore or trust")
    public String getRemoteUser() {
        return trustsRemoteUser ? TRUST : IGNORE;
    }

    /**
     * Sets what REMOTE_USER and AUTH_TYPE are taken for. Web servers that don't authenticate fill REMOTE_USER with what
     * the client claims.
     *
     * @param remoteUser {@code ignore}, the default, for nothing; {@code trust} for the user whom the web server has
     *     authenticated, which needs jetty-security
     */
    public void setRemoteUser(String remoteUser) {
        if (!IGNORE.equals(remoteUser) && !TRUST.equals(remoteUser))
            throw new ConfigurationException(
                    "jetty.fastcgi.remoteUser: '" + remoteUser + "' (expected: ignore or trust)");
        trustsRemoteUser = TRUST.equals(remoteUser);
        if (trustsRemoteUser) checkSecurity();
    }

    private static void checkSecurity() {
        try {
            Objects.requireNonNull(RemoteUser.class); // which loads it, and what it extends
        } catch (NoClassDefFoundError x) {
            throw new ConfigurationException(
                    "jetty.fastcgi.remoteUser: trust needs jetty-security, Jetty's module security");
        }
    }

    /** {@return the variable that has the roles of a trusted remote user, or {@code null}} */
    @ManagedAttribute("The variable that has the roles of a trusted remote user")
    public String getRemoteUserRoles() {
        return remoteUserRoles;
    }

    /**
     * Sets the variable that has the roles of a trusted remote user, separated by commas or blanks. A web application's
     * realm may know further ones.
     *
     * @param variable its name, or {@code null} or empty for none
     */
    public void setRemoteUserRoles(String variable) {
        String name = variable == null ? "" : variable.strip();
        if (VariableFilter.isField(name))
            throw new ConfigurationException("jetty.fastcgi.remoteUser.roles: '" + name
                    + "' (expected: the name of a variable, which a client can't set)");
        remoteUserRoles = name.isEmpty() ? null : name;
    }

    /** {@return the age, in milliseconds, from which on a running request is logged as slow; 0 for none} */
    @ManagedAttribute("The age from which on a running request is logged as slow, in milliseconds, 0 for none")
    public long getSlowLogThreshold() {
        return slowLog.threshold();
    }

    /**
     * Sets from which age on a running request is logged as slow, once, with the stack of the thread that handles it, by
     * the logger {@code io.github.jettyfastcgi.slowlog}. Requests are looked through every half of this time, but not
     * more often than a hundred times in a second and not more seldom than once.
     *
     * @param threshold the age in milliseconds, 0, the default, for none
     */
    public void setSlowLogThreshold(long threshold) {
        if (threshold < 0)
            throw new ConfigurationException("jetty.fastcgi.slowlog.threshold: " + threshold + " (expected: >= 0)");
        slowLog.setThreshold(threshold);
    }

    /** {@return whether the slow log has the queries of requests} */
    @ManagedAttribute("Whether the slow log has the queries of requests")
    public boolean isSlowLogQuery() {
        return slowLog.isWithQuery();
    }

    /**
     * Sets whether the slow log has the queries of requests, in which there may be passwords and the like.
     *
     * @param query {@code false} by default
     */
    public void setSlowLogQuery(boolean query) {
        slowLog.setWithQuery(query);
    }

    /** {@return what is sent on STDERR, to the error log of the web server: {@code off} or {@code errors}} */
    @ManagedAttribute("What is sent to the error log of the web server: off or errors")
    public String getStderr() {
        return reportsErrors ? ERRORS : OFF;
    }

    /**
     * Sets what is sent on STDERR, which web servers write into their error log.
     *
     * @param stderr {@code off}, the default, for nothing; {@code errors} for one line about each request that is answered
     *     with a status of 500 or more, or whose answer breaks off
     */
    public void setStderr(String stderr) {
        if (!OFF.equals(stderr) && !ERRORS.equals(stderr))
            throw new ConfigurationException("jetty.fastcgi.stderr: '" + stderr + "' (expected: off or errors)");
        reportsErrors = ERRORS.equals(stderr);
    }

    boolean reportsErrors() {
        return reportsErrors;
    }

    boolean trustsRemoteUser() {
        return trustsRemoteUser;
    }

    /**
     * Sets what the web server has to tell with each request, so that it is served; anything else is answered with 403.
     * The application doesn't get to see it.
     *
     * @param secret the secret, in UTF-8 on the wire; empty or {@code null} for none
     */
    public void setSecret(String secret) {
        this.secret = secret == null ? "" : secret;
    }

    /** {@return the variable in which the web server tells the secret} */
    @ManagedAttribute("The variable in which the web server tells the secret")
    public String getSecretVariable() {
        return secretVariable;
    }

    /**
     * Sets the variable in which the web server tells the secret.
     *
     * @param variable its name, not one that clients have a say in, such as HTTP_*
     */
    public void setSecretVariable(String variable) {
        try {
            secretVariable = SharedSecret.checkVariable(variable);
        } catch (IllegalArgumentException x) {
            throw new ConfigurationException("jetty.fastcgi.secretVariable: " + x.getMessage());
        }
    }

    /** {@return whether requests are served only with a secret} */
    @ManagedAttribute("Whether requests are served only with a secret")
    public boolean isSecretRequired() {
        return !secret.isEmpty();
    }

    /** {@return the secret that requests have to have, or {@code null}} */
    SharedSecret sharedSecret() {
        return sharedSecret;
    }

    /** A request was refused for want of the secret. */
    void lacksSecret() {
        refusedPeers.lacksSecret(secretVariable);
    }

    @Override
    public void configure(Connector connector) {
        sharedSecret = isSecretRequired() ? new SharedSecret(secretVariable, secret) : null;
        List<HttpConfiguration.Customizer> customizers = configuration.getCustomizers();
        if (!customizers.contains(FastCGIRequest.CUSTOMIZER)) customizers.add(0, FastCGIRequest.CUSTOMIZER);
        connectionLimit().applyTo(connector);
        gracefulChange.applyTo(connector);
        requestMapper =
                new RequestMapper(pathSource, configuration.getHttpCompliance(), configuration.getServerAuthority());
        if (trustsRemoteUser) NestedRemoteUser.listenTo(connector.getServer());
        if (authorizerPath != null) AskedContexts.listenTo(connector.getServer());
    }

    /**
     * {@return the address of a request's client as the web server tells it in REMOTE_ADDR, whatever wraps the request; or
     * {@code null} if it doesn't, or if the request came over another protocol}
     *
     * @param request a request that is running
     */
    public static InetSocketAddress clientOf(Request request) {
        ConnectionMetaData connection = Request.unWrap(request).getConnectionMetaData();
        CGIRequest active = connection instanceof FastCGIConnection fastcgi ? fastcgi.activeRequest() : null;
        return active == null ? null : active.remoteAddress();
    }

    /** {@return the requests that are running now} */
    public List<RunningRequest> runningRequests() {
        return connections.runningRequests();
    }

    /** {@return what was counted since the factory was created} */
    public Counters getCounters() {
        return counters;
    }

    @Override
    public Connection newConnection(Connector connector, EndPoint endPoint) {
        return configure(new FastCGIConnection(this, connector, endPoint), connector, endPoint);
    }

    @Override
    protected void doStop() throws Exception {
        super.doStop();
        connections().stop();
    }

    /** {@return the open connections} */
    Connections connections() {
        return connections;
    }

    RequestMapper requestMapper() {
        return requestMapper;
    }

    /**
     * Lets requests be answered even when all threads are busy: by the thread that reads them, which may be a selector's.
     * May be called at any time.
     *
     * @param path the path of the URI, and all below it; its handler never blocks, nor does any in front of it
     */
    public void addUrgentPath(String path) {
        urgentPaths.add(path);
    }

    /**
     * Takes back {@link #addUrgentPath(String)}.
     *
     * @param path the path
     */
    public void removeUrgentPath(String path) {
        urgentPaths.remove(path);
    }

    boolean isUrgent(MetaData.Request request) {
        String path = request.getHttpURI().getCanonicalPath();
        for (String urgent : urgentPaths) {
            if (path != null
                    && path.startsWith(urgent)
                    && (path.length() == urgent.length() || path.charAt(urgent.length()) == '/')) return true;
        }
        return false;
    }
}

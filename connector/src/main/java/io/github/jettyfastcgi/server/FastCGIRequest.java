package io.github.jettyfastcgi.server;

import io.github.jettyfastcgi.cgi.MetaVariables;
import io.github.jettyfastcgi.cgi.TLSSession;
import io.github.jettyfastcgi.protocol.Role;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpScheme;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Attributes;

/**
 * A request with attributes for what the web server tells beside HTTP. They are made when they are asked for, until the
 * request is completed; what was made stays, what wasn't is absent then. A web application may replace and remove them.
 */
final class FastCGIRequest extends Request.Wrapper {
    /** Wraps the requests of FastCGI connections, whatever else has the same configuration. */
    static final HttpConfiguration.Customizer CUSTOMIZER = FastCGIRequest::customize;

    // Servlet 6.1, section 3.11
    private static final String PROTOCOL_ATTRIBUTE = "jakarta.servlet.request.secure_protocol";
    private static final String JAVAX_PROTOCOL_ATTRIBUTE = "javax.servlet.request.secure_protocol";
    private static final String AUTHENTICATION_ATTRIBUTE = AuthenticationState.class.getName();

    private final FastCGIStream stream;
    private final FastCGIConnectionFactory factory;
    private volatile Attributes layer;
    private Map<String, String> variables;
    private WebServerTLS tls;
    private AuthenticationState user;

    private FastCGIRequest(Request wrapped, FastCGIStream stream, FastCGIConnectionFactory factory) {
        super(wrapped);
        this.stream = stream;
        this.factory = factory;
    }

    private static Request customize(Request request, HttpFields.Mutable responseFields) {
        if (!(request.getConnectionMetaData() instanceof FastCGIConnection connection)) return request;
        connection.handlerBegins();
        return new FastCGIRequest(request, connection.activeStream(), connection.factory());
    }

    /** {@return the user that the web server has authenticated, if it is to be believed, else {@code null}} */
    AuthenticationState user() {
        if (user == null && factory.trustsRemoteUser())
            user = stream.fromVariables(all -> RemoteUser.of(all, factory.getRemoteUserRoles()));
        return user;
    }

    /** Jetty gives the request to a context; the first one decides. */
    void asks(String contextPath) {
        stream.asks(contextPath);
    }

    private String role() {
        return stream.request().isAuthorization() ? Role.AUTHORIZER.name() : null;
    }

    private Map<String, String> variables() {
        if (variables == null) variables = stream.fromVariables(MetaVariables::toMap);
        return variables;
    }

    private WebServerTLS tls() {
        if (tls == null && HttpScheme.HTTPS.is(getHttpURI().getScheme())) {
            TLSSession session = stream.fromVariables(TLSSession::of);
            if (session != null) tls = new WebServerTLS(session);
        }
        return tls;
    }

    private Object made(String name) {
        return switch (name) {
            case FastCGIConnectionFactory.VARIABLES_ATTRIBUTE -> variables();
            case FastCGIConnectionFactory.ROLE_ATTRIBUTE -> role();
            case EndPoint.SslSessionData.ATTRIBUTE -> tls();
            case PROTOCOL_ATTRIBUTE, JAVAX_PROTOCOL_ATTRIBUTE -> tls() == null ? null : tls().protocol();
            default -> factory.attributeFilter().matches(name) ? stream.fromVariables(all -> all.get(name)) : null;
        };
    }

    private Set<String> namesMade() {
        Set<String> names = new HashSet<>();
        names.add(FastCGIConnectionFactory.VARIABLES_ATTRIBUTE);
        if (role() != null) names.add(FastCGIConnectionFactory.ROLE_ATTRIBUTE);
        if (tls() != null) {
            names.add(EndPoint.SslSessionData.ATTRIBUTE);
            names.add(PROTOCOL_ATTRIBUTE);
            names.add(JAVAX_PROTOCOL_ATTRIBUTE);
        }
        if (variables() != null)
            names.addAll(factory.attributeFilter().matching(variables().keySet()));
        return names;
    }

    @Override
    public Object getAttribute(String name) {
        if (AUTHENTICATION_ATTRIBUTE.equals(name)) {
            Object state = super.getAttribute(name);
            return state == null ? user() : state;
        }
        if (layer != null) return layer.getAttribute(name);
        Object made = made(name);
        return made == null ? super.getAttribute(name) : made;
    }

    @Override
    public Object setAttribute(String name, Object attribute) {
        return isMade(name) ? layer().setAttribute(name, attribute) : super.setAttribute(name, attribute);
    }

    @Override
    public Object removeAttribute(String name) {
        return isMade(name) ? layer().removeAttribute(name) : super.removeAttribute(name);
    }

    @Override
    public Set<String> getAttributeNameSet() {
        return layer().getAttributeNameSet();
    }

    @Override
    public Map<String, Object> asAttributeMap() {
        return layer().asAttributeMap();
    }

    @Override
    public void clearAttributes() {
        layer().clearAttributes();
    }

    private boolean isMade(String name) {
        return made(name) != null;
    }

    /** {@return what keeps the changes that the application makes to attributes made here} */
    private synchronized Attributes layer() {
        if (layer == null) layer = new Layer(getWrapped());
        return layer;
    }

    private final class Layer extends Attributes.Synthetic {
        Layer(Attributes base) {
            super(base);
        }

        @Override
        protected Object getSyntheticAttribute(String name) {
            return made(name);
        }

        @Override
        protected Set<String> getSyntheticNameSet() {
            return namesMade();
        }
    }
}

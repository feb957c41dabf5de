package io.github.jettyfastcgi.server;

import java.util.Arrays;
import java.util.Collection;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.eclipse.jetty.security.AuthenticationState;
import org.eclipse.jetty.security.Authenticator;
import org.eclipse.jetty.security.Constraint;
import org.eclipse.jetty.security.EmptyLoginService;
import org.eclipse.jetty.security.SecurityHandler;
import org.eclipse.jetty.security.ServerAuthException;
import org.eclipse.jetty.security.UserIdentity;
import org.eclipse.jetty.security.authentication.LoginAuthenticator;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Context;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.Session;
import org.eclipse.jetty.util.Callback;

/**
 * Takes the web server's word for who the user is, and leaves all requests without it (those of other connectors, too) to
 * the authenticator that the web application would have otherwise.
 */
final class RemoteUserAuthenticator extends LoginAuthenticator {
    private final Authenticator otherwise;

    private RemoteUserAuthenticator(Authenticator otherwise) {
        this.otherwise = otherwise;
    }

    @Override
    public void setConfiguration(Configuration configuration) {
        otherwise.setConfiguration(configuration);
        if (configuration.getLoginService() == null) setLoginService(new EmptyLoginService());
        super.setConfiguration(configuration);
    }

    @Override
    public String getAuthenticationType() {
        return otherwise.getAuthenticationType();
    }

    @Override
    public Constraint.Authorization getConstraintAuthentication(
            String pathInContext, Constraint.Authorization existing, Function<Boolean, Session> getSession) {
        return otherwise.getConstraintAuthentication(pathInContext, existing, getSession);
    }

    @Override
    public AuthenticationState validateRequest(Request request, Response response, Callback callback)
            throws ServerAuthException {
        RemoteUser user = user(request);
        if (user == null) return otherwise.validateRequest(request, response, callback);
        updateSession(request, response);
        return user;
    }

    /** {@inheritDoc} The user is known where no constraint asks for one as well. */
    @Override
    public Request prepareRequest(Request request, AuthenticationState state) {
        if (state instanceof RemoteUser) return request;
        RemoteUser user = state instanceof AuthenticationState.Succeeded ? null : user(request);
        if (user == null) return otherwise.prepareRequest(request, state);
        AuthenticationState.setAuthenticationState(request, user);
        return request;
    }

    @Override
    public UserIdentity login(String username, Object password, Request request, Response response) {
        return otherwise instanceof LoginAuthenticator login
                ? login.login(username, password, request, response)
                : null;
    }

    @Override
    public void logout(Request request, Response response) {
        if (otherwise instanceof LoginAuthenticator login) login.logout(request, response);
    }

    private RemoteUser user(Request request) {
        FastCGIRequest outer = Request.as(request, FastCGIRequest.class);
        return outer != null && outer.user() instanceof RemoteUser user ? user.within(_loginService) : null;
    }

    /**
     * Puts the authenticator before the one that a web application has, in a server with a connector whose web servers
     * are trusted; elsewhere it does nothing. Jetty finds it as a service.
     */
    public static final class Factory implements Authenticator.Factory {
        @Override
        public Authenticator getAuthenticator(Server server, Context context, Configuration configuration) {
            // A part of a multiple authenticator has another configuration
            if (!(configuration instanceof SecurityHandler handler) || !trustsRemoteUser(server)) return null;
            Authenticator otherwise = handler.getKnownAuthenticatorFactories().stream()
                    .filter(factory -> !(factory instanceof Factory))
                    .map(factory -> factory.getAuthenticator(server, context, configuration))
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElseGet(Authenticator.NoOp::new);
            return new RemoteUserAuthenticator(otherwise);
        }

        private static boolean trustsRemoteUser(Server server) {
            return Arrays.stream(server.getConnectors())
                    .map(Connector::getConnectionFactories)
                    .flatMap(Collection::stream)
                    .flatMap(factory ->
                            factory instanceof FastCGIConnectionFactory fastcgi ? Stream.of(fastcgi) : Stream.empty())
                    .anyMatch(FastCGIConnectionFactory::trustsRemoteUser);
        }
    }
}

package io.github.jettyfastcgi.server;

import io.github.jettyfastcgi.cgi.MetaVariables;
import java.io.Serializable;
import java.security.Principal;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import javax.security.auth.Subject;
import org.eclipse.jetty.security.AbstractLoginService;
import org.eclipse.jetty.security.AuthenticationState;
import org.eclipse.jetty.security.LoginService;
import org.eclipse.jetty.security.UserIdentity;
import org.eclipse.jetty.security.authentication.LoginAuthenticator;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.security.Credential;

/**
 * The user whom the web server has authenticated: REMOTE_USER and AUTH_TYPE. Roles come from a variable and, within a web
 * application that has a realm, from there, where the user is looked up when a role is asked for.
 */
final class RemoteUser implements AuthenticationState.Succeeded, UserIdentity {
    /** The authentication type where the web server tells none, by the name that SASL has for it. */
    static final String EXTERNAL = "EXTERNAL";

    private static final AuthenticationState LOGGED_OUT = new AuthenticationState() {};

    private final Principal principal;
    private final String authenticationType;
    private final Set<String> roles;
    private final LoginService realm;
    private UserIdentity realmIdentity;

    private RemoteUser(Principal principal, String authenticationType, Set<String> roles, LoginService realm) {
        this.principal = principal;
        this.authenticationType = authenticationType;
        this.roles = roles;
        this.realm = realm;
    }

    /**
     * Finds the user.
     *
     * @param variables the variables of the request
     * @param rolesVariable the variable with the user's roles, or {@code null}
     * @return the user, or {@code null} when there is none
     */
    static RemoteUser of(MetaVariables variables, String rolesVariable) {
        String name = variables.get("REMOTE_USER");
        if (name == null || name.isEmpty()) return null;
        String type = variables.get("AUTH_TYPE");
        String roles = rolesVariable == null ? null : variables.get(rolesVariable);
        return new RemoteUser(
                new WebServerPrincipal(name), type == null || type.isEmpty() ? EXTERNAL : type, split(roles), null);
    }

    private static Set<String> split(String roles) {
        if (roles == null) return Set.of();
        return Arrays.stream(roles.split("[,\\s]+"))
                .filter(role -> !role.isEmpty())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** {@return the user with the roles that a realm has for it as well; the realm may be {@code null}} */
    RemoteUser within(LoginService service) {
        return new RemoteUser(principal, authenticationType, roles, service);
    }

    @Override
    public String getAuthenticationType() {
        return authenticationType;
    }

    @Override
    public UserIdentity getUserIdentity() {
        return this;
    }

    @Override
    public Principal getUserPrincipal() {
        return principal;
    }

    @Override
    public Subject getSubject() {
        return new Subject(true, Set.of(principal), Set.of(), Set.of());
    }

    @Override
    public boolean isUserInRole(String role) {
        if (roles.contains(role)) return true;
        if (realm != null && realmIdentity == null) realmIdentity = lookUp();
        return realmIdentity != null && realmIdentity.isUserInRole(role);
    }

    private UserIdentity lookUp() {
        String name = principal.getName();
        // The realms of Jetty let a credential decide itself. Others would take an unknown one for a failed login.
        UserIdentity known =
                realm instanceof AbstractLoginService ? realm.login(name, Vouched.FOR, null, create -> null) : null;
        return known == null ? realm.getUserIdentity(getSubject(), principal, false) : known;
    }

    /** Logs out for the rest of the request; it is the web server that could do more. */
    @Override
    public void logout(Request request, Response response) {
        new LoginAuthenticator.UserAuthenticationSucceeded(authenticationType, this).logout(request, response);
        if (AuthenticationState.getAuthenticationState(request) instanceof RemoteUser)
            AuthenticationState.setAuthenticationState(request, LOGGED_OUT);
    }

    @Override
    public String toString() {
        return principal + " by " + authenticationType;
    }

    private record WebServerPrincipal(String name) implements Principal, Serializable {
        @Override
        public String getName() {
            return name;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** Instead of a password that only the web server has seen. */
    private static final class Vouched extends Credential {
        private static final long serialVersionUID = 1L;
        private static final Credential FOR = new Vouched();

        @Override
        public boolean check(Object credentials) {
            return true;
        }
    }
}

package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.security.auth.Subject;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.ee10.servlet.security.ConstraintMapping;
import org.eclipse.jetty.ee10.servlet.security.ConstraintSecurityHandler;
import org.eclipse.jetty.security.AuthenticationState;
import org.eclipse.jetty.security.Authenticator;
import org.eclipse.jetty.security.Constraint;
import org.eclipse.jetty.security.HashLoginService;
import org.eclipse.jetty.security.IdentityService;
import org.eclipse.jetty.security.LoginService;
import org.eclipse.jetty.security.UserIdentity;
import org.eclipse.jetty.security.UserStore;
import org.eclipse.jetty.security.authentication.BasicAuthenticator;
import org.eclipse.jetty.server.CustomRequestLog;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Session;
import org.eclipse.jetty.server.handler.ContextHandler;
import org.eclipse.jetty.server.handler.ContextHandlerCollection;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.security.Credential;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** REMOTE_USER as the user of core handlers and of servlets. */
class RemoteUserTest extends ConnectionTestBase {
    private static final String NOBODY = "null, null, null, false";

    private final ContextHandlerCollection contexts = new ContextHandlerCollection();
    private final LocalConnector connector = new LocalConnector(server, factory);
    private final BlockingQueue<String> accessLog = new LinkedBlockingQueue<>();
    private LocalPeer peer;

    @BeforeEach
    void trust() {
        factory.setRemoteUser("trust");
        server.setRequestLog(new CustomRequestLog(accessLog::add, "%u"));
        server.addConnector(connector);
        server.setHandler(contexts);
    }

    private void start() throws Exception {
        server.start();
        peer = new LocalPeer(connector);
    }

    private Answer get(String uri, String... namesAndValues) throws Exception {
        peer.get(1, uri, namesAndValues).send();
        return peer.readAnswer(1);
    }

    // ---- the setting

    @Test
    void isIgnoredByDefault() throws Exception {
        FastCGIConnectionFactory ignoring = new FastCGIConnectionFactory(configuration);
        LocalConnector second = new LocalConnector(server, ignoring);
        server.addConnector(second);
        contexts.addHandler(new UserHandler("/core"));
        contexts.addHandler(servlets("/ee10"));
        start();
        peer = new LocalPeer(second);

        assertThat(ignoring.getRemoteUser()).isEqualTo("ignore");
        for (String uri : new String[] {"/core/", "/ee10/"}) {
            get(uri, "REMOTE_USER", "alice", "AUTH_TYPE", "Basic").assertText(NOBODY);
            assertThat(Await.next("log", accessLog)).isEqualTo("-");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "yes", "Trust"})
    void otherValueIsNamedWithItsProperty(String value) {
        assertThatThrownBy(() -> factory.setRemoteUser(value))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("jetty.fastcgi.remoteUser: '" + value + "' (expected: ignore or trust)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP_X_ROLES", " HTTP_X_ROLES "})
    void clientCannotBeAskedForRoles(String variable) {
        assertThatThrownBy(() -> factory.setRemoteUserRoles(variable))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith("jetty.fastcgi.remoteUser.roles: 'HTTP_X_ROLES' (");
    }

    @Test
    void noVariableForRolesIsGivenByAnEmptyName() {
        factory.setRemoteUserRoles(" MY_ROLES ");
        assertThat(factory.getRemoteUserRoles()).isEqualTo("MY_ROLES");

        factory.setRemoteUserRoles("");
        assertThat(factory.getRemoteUserRoles()).isNull();
    }

    // ---- without security of the application's own

    static Stream<Handler> openContexts() {
        return Stream.of(new UserHandler("/app"), servlets("/app"), NestedApplications.open("/app"));
    }

    @ParameterizedTest
    @MethodSource("openContexts")
    void isTheUserAndIsLogged(Handler context) throws Exception {
        factory.setRemoteUserRoles("MY_ROLES");
        contexts.addHandler(context);
        start();

        get("/app/", "REMOTE_USER", "alice", "AUTH_TYPE", "Basic").assertText("alice, alice, Basic, false");
        assertThat(Await.next("log", accessLog)).isEqualTo("alice");
        get("/app/", "REMOTE_USER", "bob", "MY_ROLES", "guest admin").assertText("bob, bob, EXTERNAL, true");
        assertThat(Await.next("log", accessLog)).isEqualTo("bob");
        get("/app/", "REMOTE_USER", "", "AUTH_TYPE", "Basic").assertText(NOBODY);
        assertThat(Await.next("log", accessLog)).isEqualTo("-");
        get("/app/", "HTTP_REMOTE_USER", "alice", "HTTP_MY_ROLES", "admin").assertText(NOBODY);
        assertThat(Await.next("log", accessLog)).isEqualTo("-");
    }

    @ParameterizedTest
    @CsvSource({
        "admin, true",
        "'a,admin', true",
        "' admin ,b', true",
        "'a\tadmin', true",
        "administrator, false",
        "'', false"
    })
    void rolesAreSeparatedByCommasAndBlanks(String roles, boolean isAdmin) throws Exception {
        factory.setRemoteUserRoles("MY_ROLES");
        contexts.addHandler(servlets("/app"));
        start();

        get("/app/", "REMOTE_USER", "alice", "MY_ROLES", roles).assertText("alice, alice, EXTERNAL, " + isAdmin);
    }

    @Test
    void nameMayBeUTF8() throws Exception {
        contexts.addHandler(servlets("/app"));
        start();

        get("/app/", "REMOTE_USER", "j\u00c3\u00bcrgen").assertText("j\u00fcrgen, j\u00fcrgen, EXTERNAL, false");
    }

    @Test
    void principalsOfTheSameUserAreEqual() throws Exception {
        BlockingQueue<Principal> principals = new LinkedBlockingQueue<>();
        server.setHandler(new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                principals.add(AuthenticationState.getUserPrincipal(request));
                return answer(response, callback, "");
            }
        });
        start();

        for (String user : new String[] {"alice", "alice", "bob"}) get("/", "REMOTE_USER", user);

        Principal alice = principals.remove();
        assertThat(alice).hasToString("alice").isEqualTo(principals.remove()).isNotEqualTo(principals.remove());
    }

    @ParameterizedTest
    @MethodSource("openContexts")
    void isLoggedOutForTheRestOfTheRequest(Handler context) throws Exception {
        contexts.addHandler(context);
        start();

        get("/app/logout", "REMOTE_USER", "alice").assertText(NOBODY);
        get("/app/", "REMOTE_USER", "alice").assertText("alice, alice, EXTERNAL, false");
    }

    // ---- with it

    static Stream<Handler> securedContexts() {
        return Stream.of(
                secured("/app", realm(), Authenticator.BASIC_AUTH),
                NestedApplications.secured("/app", realm(), "BASIC"));
    }

    @ParameterizedTest
    @MethodSource("securedContexts")
    void rolesAreTheRealms(Handler context) throws Exception {
        contexts.addHandler(context);
        start();

        for (String path : new String[] {"/app/", "/app/admin/", "/app/any/"}) {
            get(path, "REMOTE_USER", "alice", "AUTH_TYPE", "Basic").assertText("alice, alice, Basic, true");
            get(path, "REMOTE_USER", "hash", "AUTH_TYPE", "Basic").assertText("hash, hash, Basic, true");
            get(path, "REMOTE_USER", "empty", "AUTH_TYPE", "Basic").assertText("empty, empty, Basic, true");
        }
        for (String user : new String[] {"bob", "unknown"}) {
            get("/app/", "REMOTE_USER", user).assertText(user + ", " + user + ", EXTERNAL, false");
            get("/app/any/", "REMOTE_USER", user).assertText(user + ", " + user + ", EXTERNAL, false");
            get("/app/admin/", "REMOTE_USER", user).assertStatus(403);
        }
    }

    @ParameterizedTest
    @MethodSource("securedContexts")
    void rolesAreTheVariablesAsWell(Handler context) throws Exception {
        factory.setRemoteUserRoles("MY_ROLES");
        contexts.addHandler(context);
        start();

        get("/app/admin/", "REMOTE_USER", "unknown", "MY_ROLES", "admin")
                .assertText("unknown, unknown, EXTERNAL, true");
        get("/app/admin/", "REMOTE_USER", "alice", "MY_ROLES", "guest").assertText("alice, alice, EXTERNAL, true");
    }

    @ParameterizedTest
    @MethodSource("securedContexts")
    void requestsWithoutItAreTheApplications(Handler context) throws Exception {
        contexts.addHandler(context);
        start();

        assertThat(get("/app/admin/").assertStatus(401).field("WWW-Authenticate"))
                .startsWith("Basic");
        get("/app/").assertText(NOBODY);
        get("/app/admin/", "HTTP_AUTHORIZATION", basic("alice", "secret")).assertText("alice, alice, BASIC, true");
        get("/app/", "HTTP_AUTHORIZATION", basic("alice", "secret")).assertText("alice, alice, BASIC, true");
        get("/app/admin/", "HTTP_AUTHORIZATION", basic("alice", "wrong")).assertStatus(401);
        get("/app/admin/", "HTTP_AUTHORIZATION", basic("bob", "secret")).assertStatus(403);
    }

    @ParameterizedTest
    @MethodSource("securedContexts")
    void applicationMayLogInAUserItself(Handler context) throws Exception {
        contexts.addHandler(context);
        start();

        assertThat(get("/app/login").assertStatus(200).text())
                .startsWith("alice, alice, ")
                .endsWith(", true");
    }

    @ParameterizedTest
    @MethodSource("securedContexts")
    void otherConnectorsAreTheApplications(Handler context) throws Exception {
        LocalConnector http = new LocalConnector(server, new HttpConnectionFactory());
        server.addConnector(http);
        contexts.addHandler(context);
        start();

        String request = "GET /app/admin/ HTTP/1.1\r\nHost: h\r\nConnection: close\r\nRemote-User: alice\r\n";
        assertThat(http.getResponse(request + "\r\n")).startsWith("HTTP/1.1 401 ");
        assertThat(http.getResponse(request + "Authorization: " + basic("alice", "secret") + "\r\n\r\n"))
                .endsWith("alice, alice, BASIC, true");
    }

    @ParameterizedTest
    @MethodSource("securedContexts")
    void isLoggedOutOfASecuredApplication(Handler context) throws Exception {
        contexts.addHandler(context);
        start();

        get("/app/logout", "REMOTE_USER", "alice").assertText(NOBODY);
    }

    @ParameterizedTest
    @MethodSource("securedContexts")
    void applicationMayBeDeployedAndRestartedLater(Handler context) throws Exception {
        start();
        contexts.addHandler(context);
        context.start();
        get("/app/admin/", "REMOTE_USER", "alice").assertText("alice, alice, EXTERNAL, true");

        context.stop();
        context.start();

        get("/app/admin/", "REMOTE_USER", "alice").assertText("alice, alice, EXTERNAL, true");
        get("/app/admin/").assertStatus(401);
    }

    @Test
    void constraintsWithoutALoginConfigurationAreMetByRolesOfTheVariable() throws Exception {
        factory.setRemoteUserRoles("MY_ROLES");
        contexts.addHandler(secured("/app", null, null));
        start();

        get("/app/admin/", "REMOTE_USER", "alice", "MY_ROLES", "admin").assertText("alice, alice, EXTERNAL, true");
        get("/app/admin/", "REMOTE_USER", "alice").assertStatus(403);
        get("/app/admin/").assertStatus(403);
        get("/app/").assertText(NOBODY);
    }

    @Test
    void formIsNotShownToAUser() throws Exception {
        contexts.addHandler(secured("/app", realm(), Authenticator.FORM_AUTH));
        start();

        get("/app/admin/", "REMOTE_USER", "alice").assertText("alice, alice, EXTERNAL, true");
        assertThat(get("/app/admin/").status()).isIn(302, 303);
    }

    @Test
    void authenticatorOfTheApplicationItselfIsLeftAlone() throws Exception {
        ServletContextHandler context = secured("/app", realm(), null);
        context.getSecurityHandler().setAuthenticator(new BasicAuthenticator());
        contexts.addHandler(context);
        start();

        get("/app/admin/", "REMOTE_USER", "alice").assertStatus(401);
        get("/app/", "REMOTE_USER", "alice").assertText(NOBODY);
    }

    @Test
    void serverWithoutTrustHasTheApplicationsAuthenticator() throws Exception {
        factory.setRemoteUser("ignore");
        ServletContextHandler context = secured("/app", realm(), Authenticator.BASIC_AUTH);
        contexts.addHandler(context);
        start();

        assertThat(context.getSecurityHandler().getAuthenticator()).isExactlyInstanceOf(BasicAuthenticator.class);
        get("/app/admin/", "REMOTE_USER", "alice").assertStatus(401);
    }

    /** A failed login may lock an account: a realm that may not take a word for a password isn't asked to. */
    @Test
    void realmOfAnotherKindIsAskedForRolesWithoutALogin() throws Exception {
        OtherRealm realm = new OtherRealm();
        contexts.addHandler(secured("/app", realm, Authenticator.BASIC_AUTH));
        start();

        get("/app/admin/", "REMOTE_USER", "alice").assertText("alice, alice, EXTERNAL, true");
        get("/app/admin/", "REMOTE_USER", "bob").assertStatus(403);

        assertThat(realm.logins).isEmpty();
    }

    private static final class OtherRealm implements LoginService {
        private final BlockingQueue<String> logins = new LinkedBlockingQueue<>();
        private IdentityService identityService;

        @Override
        public String getName() {
            return "other";
        }

        @Override
        public UserIdentity login(
                String username, Object credentials, Request request, Function<Boolean, Session> getOrCreateSession) {
            logins.add(username);
            return null;
        }

        @Override
        public UserIdentity getUserIdentity(Subject subject, Principal userPrincipal, boolean create) {
            return userPrincipal.getName().equals("alice") ? UserIdentity.from(subject, userPrincipal, "admin") : null;
        }

        @Override
        public boolean validate(UserIdentity user) {
            return true;
        }

        @Override
        public IdentityService getIdentityService() {
            return identityService;
        }

        @Override
        public void setIdentityService(IdentityService service) {
            identityService = service;
        }

        @Override
        public void logout(UserIdentity user) {
            // There is nothing to forget
        }
    }

    // ---- applications

    static String basic(String user, String password) {
        byte[] credentials = (user + ":" + password).getBytes(StandardCharsets.ISO_8859_1);
        return "Basic " + Base64.getEncoder().encodeToString(credentials);
    }

    private static HashLoginService realm() {
        UserStore users = new UserStore();
        users.addUser("alice", Credential.getCredential("secret"), new String[] {"admin"});
        users.addUser("hash", Credential.getCredential(Credential.MD5.digest("secret")), new String[] {"admin"});
        users.addUser("empty", Credential.getCredential(""), new String[] {"admin"});
        users.addUser("bob", Credential.getCredential("secret"), new String[] {"guest"});
        HashLoginService realm = new HashLoginService("realm");
        realm.setUserStore(users);
        return realm;
    }

    private static ServletContextHandler servlets(String contextPath) {
        ServletContextHandler context = new ServletContextHandler(contextPath, ServletContextHandler.SESSIONS);
        context.addServlet(new ServletHolder(new UserServlet()), "/*");
        return context;
    }

    static ServletContextHandler secured(String contextPath, LoginService realm, String method) {
        ServletContextHandler context = servlets(contextPath);
        ConstraintSecurityHandler security = new ConstraintSecurityHandler();
        security.addConstraintMapping(mapping("/admin/*", Constraint.from("admin")));
        security.addConstraintMapping(mapping("/any/*", Constraint.ANY_USER));
        security.setRoles(Set.of("admin", "guest"));
        security.setLoginService(realm);
        security.setAuthenticationType(method);
        security.setParameter("org.eclipse.jetty.security.form_login_page", "/login");
        context.setSecurityHandler(security);
        return context;
    }

    private static ConstraintMapping mapping(String path, Constraint constraint) {
        ConstraintMapping mapping = new ConstraintMapping();
        mapping.setPathSpec(path);
        mapping.setConstraint(constraint);
        return mapping;
    }

    private static final class UserServlet extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            switch (request.getPathInfo()) {
                case "/login" -> request.login("alice", "secret");
                case "/logout" -> request.logout();
                default -> {
                    // Nothing but the answer
                }
            }
            response.setCharacterEncoding("ISO-8859-1");
            response.getWriter()
                    .print(request.getRemoteUser() + ", " + request.getUserPrincipal() + ", " + request.getAuthType()
                            + ", " + request.isUserInRole("admin"));
        }
    }

    private static final class UserHandler extends ContextHandler {
        UserHandler(String contextPath) {
            super(contextPath);
            setHandler(new Handler.Abstract() {
                @Override
                public boolean handle(Request request, Response response, Callback callback) {
                    if (Request.getPathInContext(request).equals("/logout"))
                        AuthenticationState.logout(request, response);
                    AuthenticationState state = AuthenticationState.getAuthenticationState(request);
                    if (!(state instanceof AuthenticationState.Succeeded user))
                        return answer(response, callback, NOBODY);
                    Principal principal = user.getUserPrincipal();
                    return answer(
                            response,
                            callback,
                            principal.getName() + ", " + principal + ", " + user.getAuthenticationType() + ", "
                                    + user.isUserInRole("admin"));
                }
            });
        }
    }
}

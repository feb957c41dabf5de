package io.github.jettyfastcgi.server;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.EventListener;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.security.LoginService;
import org.eclipse.jetty.security.UserIdentity;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.ContextHandler;
import org.eclipse.jetty.util.component.Container;
import org.eclipse.jetty.util.component.LifeCycle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the web applications of ee8 and ee9 who the web server's user is. They have a request and a security of their own,
 * nested in Jetty's, which take a request for authenticated that is so before their security sees it. A request listener
 * is what comes before that.
 *
 * <p>The classes belong to the class loader of their environment, which the connector serves without knowing it: hence
 * reflection. It listens for contexts, of which some are there already and others are deployed later, anywhere in a server.
 */
final class NestedRemoteUser implements Container.InheritedListener {
    private static final Logger LOG = LoggerFactory.getLogger(NestedRemoteUser.class);
    private static final Pattern CONTEXT =
            Pattern.compile("(org\\.eclipse\\.jetty\\.ee[89]\\.)nested\\.ContextHandler\\$CoreContextHandler");

    private final Map<Class<?>, Environment> environments = new ConcurrentHashMap<>();

    private NestedRemoteUser() {}

    /** Begins to listen, if nobody does. */
    static void listenTo(Server server) {
        if (server.getBean(NestedRemoteUser.class) == null) server.addBean(new NestedRemoteUser());
    }

    @Override
    public void beanAdded(Container parent, Object child) {
        Matcher matcher = CONTEXT.matcher(child.getClass().getName());
        if (!matcher.matches()) return;
        try {
            Environment environment = environments.get(child.getClass());
            if (environment == null) {
                environment = new Environment(child.getClass(), matcher.group(1));
                environments.put(child.getClass(), environment);
            }
            environment.listenTo((ContextHandler) child);
        } catch (ReflectiveOperationException x) {
            LOG.warn("No remote user for {}: {}", child, x.toString());
        }
    }

    @Override
    public void beanRemoved(Container parent, Object child) {
        // The listener goes with its context
    }

    /** What is needed of an environment's classes. */
    private static final class Environment implements InvocationHandler, LifeCycle.Listener {
        private final EventListener requestListener;
        private final Method nestedContext;
        private final Method servletRequest;
        private final Method baseRequest;
        private final Method coreRequest;
        private final Method authentication;
        private final Method setAuthentication;
        private final Object notChecked;
        private final Constructor<?> userAuthentication;
        private final Method currentSecurity;
        private final Method loginService;

        Environment(Class<?> contextType, String prefix) throws ReflectiveOperationException {
            ClassLoader loader = contextType.getClassLoader();
            nestedContext = contextType.getMethod("getContextHandler");
            String servlet = prefix.contains("ee8") ? "javax.servlet." : "jakarta.servlet.";
            Class<?>[] listener = {loader.loadClass(servlet + "ServletRequestListener")};
            requestListener = (EventListener) Proxy.newProxyInstance(loader, listener, this);
            servletRequest = loader.loadClass(servlet + "ServletRequestEvent").getMethod("getServletRequest");
            Class<?> request = loader.loadClass(prefix + "nested.Request");
            Class<?> state = loader.loadClass(prefix + "nested.Authentication");
            baseRequest = request.getMethod("getBaseRequest", loader.loadClass(servlet + "ServletRequest"));
            coreRequest = request.getMethod("getCoreRequest");
            authentication = request.getMethod("getAuthentication");
            setAuthentication = request.getMethod("setAuthentication", state);
            notChecked = state.getField("NOT_CHECKED").get(null);
            userAuthentication = loader.loadClass(prefix + "security.UserAuthentication")
                    .getConstructor(String.class, UserIdentity.class);
            Class<?> security = loader.loadClass(prefix + "security.SecurityHandler");
            currentSecurity = security.getMethod("getCurrentSecurityHandler");
            loginService = security.getMethod("getLoginService");
        }

        void listenTo(ContextHandler context) {
            context.addEventListener(this);
            lifeCycleStarting(context);
        }

        /** A context forgets listeners when it stops, but for those that it had when it started. */
        @Override
        public void lifeCycleStarting(LifeCycle context) {
            try {
                ((Container) nestedContext.invoke(context)).addEventListener(requestListener);
            } catch (ReflectiveOperationException x) {
                LOG.warn("No remote user for {}: {}", context, x.toString());
            }
        }

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws ReflectiveOperationException {
            return switch (method.getName()) {
                case "requestInitialized" -> {
                    authenticate(arguments[0]);
                    yield null;
                }
                case "equals" -> proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                case "toString" -> NestedRemoteUser.class.getSimpleName();
                default -> null;
            };
        }

        private void authenticate(Object event) throws ReflectiveOperationException {
            Object base = baseRequest.invoke(null, servletRequest.invoke(event));
            FastCGIRequest outer = Request.as((Request) coreRequest.invoke(base), FastCGIRequest.class);
            if (outer == null || !(outer.user() instanceof RemoteUser user)) return;
            Object state = authentication.invoke(base);
            if (state != null && state != notChecked) return;
            Object security = currentSecurity.invoke(null);
            LoginService realm = security == null ? null : (LoginService) loginService.invoke(security);
            UserIdentity identity = user.within(realm);
            setAuthentication.invoke(base, userAuthentication.newInstance(user.getAuthenticationType(), identity));
        }
    }
}

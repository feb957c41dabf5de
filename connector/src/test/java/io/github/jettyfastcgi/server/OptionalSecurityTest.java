package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;

/** jetty-security is needed by who trusts web servers to authenticate, and by nobody else. */
class OptionalSecurityTest {
    @Test
    void requestsAreServedWithoutJettySecurity() throws Exception {
        try (URLClassLoader loader = withoutSecurity()) {
            assertThatThrownBy(() -> loader.loadClass("org.eclipse.jetty.security.Authenticator"))
                    .isInstanceOf(ClassNotFoundException.class);
            assertThat(call(loader, Ignoring.class)).isEqualTo("200 null");
        }
    }

    @Test
    void trustWithoutJettySecurityIsNamedWithItsProperty() throws Exception {
        try (URLClassLoader loader = withoutSecurity()) {
            assertThat(call(loader, Trusting.class))
                    .isEqualTo("jetty.fastcgi.remoteUser: trust needs jetty-security, Jetty's module security");
        }
    }

    private static Object call(ClassLoader loader, Class<?> type) throws Exception {
        Object callable = loader.loadClass(type.getName()).getConstructor().newInstance();
        return ((Callable<?>) callable).call();
    }

    private static URLClassLoader withoutSecurity() throws Exception {
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path path = Path.of(entry);
            if (!path.getFileName().toString().startsWith("jetty-security-"))
                urls.add(path.toUri().toURL());
        }
        return new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
    }

    /** A server that has no trust; it is loaded apart from the test. */
    public static final class Ignoring implements Callable<String> {
        @Override
        public String call() throws Exception {
            Server server = new Server();
            FastCGIConnectionFactory factory = new FastCGIConnectionFactory();
            factory.setRemoteUser("ignore");
            LocalConnector connector = new LocalConnector(server, factory);
            server.addConnector(connector);
            server.setHandler(new Handler.Abstract() {
                @Override
                public boolean handle(Request request, Response response, Callback callback) {
                    return ConnectionTestBase.answer(
                            response,
                            callback,
                            String.valueOf(
                                    Request.getAuthenticationState(request).getUserPrincipal()));
                }
            });
            server.start();
            try {
                LocalPeer peer = new LocalPeer(connector);
                peer.get(1, "/", "REMOTE_USER", "alice").send();
                Answer answer = peer.readAnswer(1);
                return answer.status() + " " + answer.text();
            } finally {
                server.stop();
            }
        }
    }

    /** A factory that is told to trust; it is loaded apart from the test. */
    public static final class Trusting implements Callable<String> {
        @Override
        public String call() {
            try {
                new FastCGIConnectionFactory().setRemoteUser("trust");
                return "trusts";
            } catch (ConfigurationException x) {
                return x.getMessage();
            }
        }
    }
}

import io.github.jettyfastcgi.fcgispec.SpecHandler;
import java.nio.file.Path;
import org.eclipse.jetty.fcgi.server.ServerFCGIConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.unixdomain.server.UnixDomainServerConnector;

/** The application that fcgispec tests, with the FastCGI that Jetty brings. Usage: {@code JettyFCGIServer PATH} */
final class JettyFCGIServer {
    public static void main(String[] arguments) throws Exception {
        Server server = new Server();
        ServerFCGIConnectionFactory fastcgi = new ServerFCGIConnectionFactory(new HttpConfiguration());
        UnixDomainServerConnector connector = new UnixDomainServerConnector(server, fastcgi);
        connector.setUnixDomainPath(Path.of(arguments[0]));
        server.addConnector(connector);
        server.setHandler(new SpecHandler(false));
        server.start();
        System.out.println("ready");
    }
}

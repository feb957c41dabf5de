package benchmark;

import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.ajp.AbstractAjpProtocol;

/**
 * Tomcat with AJP and HTTP, each over TCP, and the servlet.
 *
 * <p>Usage: {@code TomcatApplication DIRECTORY}. Prints a line {@code port NAME NUMBER} for each connector, then
 * {@code ready}.
 */
public final class TomcatApplication {
    private TomcatApplication() {}

    public static void main(String[] arguments) throws Exception {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(Path.of(arguments[0]).resolve("tomcat").toString());
        Connector http = connector("HTTP/1.1");
        Connector ajp = connector("AJP/1.3");
        ((AbstractAjpProtocol<?>) ajp.getProtocolHandler()).setSecretRequired(false);
        tomcat.setConnector(http);
        tomcat.setConnector(ajp);
        Context context = tomcat.addContext("", arguments[0]);
        Tomcat.addServlet(context, "benchmark", new BenchmarkServlet()).addMapping("/");
        tomcat.start();
        System.out.println("port tomcat-http " + http.getLocalPort());
        System.out.println("port tomcat-ajp " + ajp.getLocalPort());
        System.out.println("ready");
    }

    private static Connector connector(String protocol) {
        Connector connector = new Connector(protocol);
        connector.setProperty("address", "127.0.0.1");
        connector.setProperty("maxKeepAliveRequests", "-1");
        connector.setPort(0);
        return connector;
    }
}

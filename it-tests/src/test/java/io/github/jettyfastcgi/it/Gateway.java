package io.github.jettyfastcgi.it;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A second, small Jetty that takes HTTP and passes it on over FastCGI, with the proxy of the distribution itself. */
final class Gateway {
    private Gateway() {}

    static ServerProcess start(Path directory, Path unixSocket, int port) throws IOException, InterruptedException {
        JettyBase base = JettyBase.createPlain(directory, "http", "fcgi-proxy");
        Path configuration = directory.resolve("gateway.xml");
        try (InputStream resource = Gateway.class.getClassLoader().getResourceAsStream("gateway.xml")) {
            Files.copy(resource, configuration);
        }
        return base.start(
                List.of("-Xmx64m"),
                configuration.toString(),
                "jetty.http.host=127.0.0.1",
                "jetty.http.port=" + port,
                "gateway.fastcgi.path=" + unixSocket);
    }
}

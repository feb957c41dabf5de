package io.github.jettyfastcgi.it;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One Jetty behind one nginx that has a port for each {@link Way} to reach it. */
final class TwoWaySite implements AutoCloseable {
    /**
     * Lets HTTP do what FastCGI does where that is a matter of settings: the header of a request may have the size that
     * nginx can send over FastCGI, no page names the server, a client's port is its own, and no field is taken for one
     * before that differs from it in case only.
     */
    private static final List<String> HTTP_SETTINGS = List.of(
            "jetty.http.host=127.0.0.1",
            "jetty.httpConfig.requestHeaderSize=65536",
            "jetty.httpConfig.sendServerVersion=false",
            "jetty.httpConfig.forwardedPortAsAuthority=false",
            "jetty.httpConfig.headerCacheSize=0");

    private final Map<Way, Integer> ports = Map.of(Way.HTTP, Ports.free(), Way.FASTCGI, Ports.free());
    private final ServerProcess jetty;
    private final NginxServer nginx;

    /**
     * Starts everything.
     *
     * @param base has the modules fastcgi-unix, http and forwarded
     * @param jvmOptions for Jetty
     * @param arguments for start.jar
     */
    TwoWaySite(JettyBase base, List<String> jvmOptions, String... arguments) throws IOException, InterruptedException {
        WebServers.require("nginx");
        int httpPort = Ports.free();
        List<String> allArguments = new ArrayList<>(HTTP_SETTINGS);
        allArguments.add("jetty.http.port=" + httpPort);
        allArguments.addAll(List.of(arguments));
        jetty = base.start(jvmOptions, allArguments.toArray(String[]::new));
        try {
            nginx = NginxServer.start(base.directory().resolveSibling("nginx"), configuration(base, httpPort));
        } catch (Throwable e) {
            jetty.close();
            throw e;
        }
    }

    private String configuration(JettyBase base, int httpPort) throws IOException {
        String overFastCGI = NginxExample.servers(base, port(Way.FASTCGI));
        String overHttp = Template.fill(
                "proxy-nginx.conf",
                Map.of("port", Integer.toString(port(Way.HTTP)), "httpPort", Integer.toString(httpPort)));
        return NginxExample.configuration(overFastCGI + "\n" + overHttp);
    }

    int port(Way way) {
        return ports.get(way);
    }

    NginxServer nginx() {
        return nginx;
    }

    /** What both servers said, for messages. */
    String describe() {
        return jetty.tail() + "\n" + nginx.describe();
    }

    @Override
    public void close() {
        try (jetty) {
            nginx.close();
        }
    }
}

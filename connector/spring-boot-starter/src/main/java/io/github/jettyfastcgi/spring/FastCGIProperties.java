package io.github.jettyfastcgi.spring;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The settings of the FastCGI connectors. What isn't set is {@code null} here and has the connector's own default.
 *
 * @param idleTimeout how long a connection may be idle between requests; 90s unless set
 * @param requestTimeout how long the variables of a request may take to come; 30s unless set, 0 for the idle timeout
 * @param contentTimeout how long a request may stall; the idle timeout unless set, 0 for any time
 * @param drainTimeout how long leftovers of a finished request are waited for; 5s unless set
 * @param queueTimeout how long a request may wait for its turn before it is answered with 503; 10s unless set
 * @param requestHeaderSize the most variables of a request; 64KB unless set
 * @param maxVariables the most variables of a request by number; 1024 unless set
 * @param maxContentLength the most content of a request; any unless set
 * @param maxConnections connections over all FastCGI connectors; 8192 unless set, 0 for any number
 * @param maxRequests requests running at the same time; 1024 unless set, 0 for any number
 * @param maxQueuedRequests requests that wait for their turn, more are answered with 503; 1024 unless set
 * @param pathSource what leads to the URI: request-uri unless set, or script-name
 * @param authorizerPath the path of who decides whether requests are allowed, as in /authorize; nobody unless set
 * @param remoteUser the user whom the web server has authenticated
 * @param attributes the variables that are request attributes of the same name, as in MY_VARIABLE,GEOIP_*
 * @param secret what the web server has to tell with each request
 * @param secretVariable the variable in which it tells that; FASTCGI_SECRET unless set
 * @param stderr what is told to the error log of the web server: off unless set, or errors
 * @param slowlog the log of requests that take long
 * @param inputBufferSize the buffer that a connection reads into; 64KB unless set
 * @param outputBufferSize the buffer that a response is gathered in; 32KB unless set
 * @param sendDateHeader whether a Date field is sent; the web server sends its own
 * @param sendServerVersion whether a Server field is sent; the web server sends its own
 * @param unix the connector on a Unix-domain socket, which is there if it has a path or inherits its socket
 * @param tcp the connector on a TCP port, which is there if it has a port
 */
@ConfigurationProperties("fastcgi")
public record FastCGIProperties(
        Duration idleTimeout,
        Duration requestTimeout,
        Duration contentTimeout,
        Duration drainTimeout,
        Duration queueTimeout,
        DataSize requestHeaderSize,
        Integer maxVariables,
        DataSize maxContentLength,
        Integer maxConnections,
        Integer maxRequests,
        Integer maxQueuedRequests,
        String pathSource,
        String authorizerPath,
        @DefaultValue RemoteUser remoteUser,
        String attributes,
        String secret,
        String secretVariable,
        String stderr,
        @DefaultValue Slowlog slowlog,
        DataSize inputBufferSize,
        DataSize outputBufferSize,
        Boolean sendDateHeader,
        Boolean sendServerVersion,
        @DefaultValue Unix unix,
        @DefaultValue Tcp tcp) {
    /**
     * The user whom the web server has authenticated.
     *
     * @param trust whether REMOTE_USER and AUTH_TYPE are the user; never unless the web server authenticates
     * @param roles the variable that has the roles of the user, separated by commas or blanks
     */
    public record RemoteUser(@DefaultValue("false") boolean trust, String roles) {}

    /**
     * The log of requests that take long.
     *
     * @param threshold from which age on a running request is logged; off unless set
     * @param query whether the log has queries, in which there may be passwords
     */
    public record Slowlog(
            Duration threshold, @DefaultValue("false") boolean query) {}

    /**
     * The connector on a Unix-domain socket.
     *
     * @param path the socket, in a directory that exists
     * @param mode the mode of the socket, with a 0 in front, in quotes where the file is YAML; 0660 unless set
     * @param owner the owner of the socket; that of the process unless set
     * @param group the group of the socket; that of the process unless set
     * @param takeOver whether the socket of a process that still listens is replaced, instead of refusing to start
     * @param inherit whether the socket is one that the process was started with: off unless set, prefer or require
     * @param name the name of the connector; fastcgi-unix unless set
     */
    public record Unix(
            String path,
            String mode,
            String owner,
            String group,
            @DefaultValue("false") boolean takeOver,
            String inherit,
            String name) {}

    /**
     * The connector on a TCP port.
     *
     * @param host the address to listen on; 127.0.0.1 unless set
     * @param port the port to listen on, 0 for any free one
     * @param allow from where the web server may connect; 127.0.0.0/8,::1 unless set
     * @param name the name of the connector; fastcgi-tcp unless set
     */
    public record Tcp(String host, Integer port, String allow, String name) {}

    boolean hasUnix() {
        return unix.path != null || unix.inherit != null && !unix.inherit.equals("off");
    }

    boolean hasTcp() {
        return tcp.port != null;
    }
}

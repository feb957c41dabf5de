package io.github.jettyfastcgi.status;

import io.github.jettyfastcgi.server.AddressSet;
import io.github.jettyfastcgi.server.ConfigurationException;
import io.github.jettyfastcgi.server.FastCGIConnectionFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import org.eclipse.jetty.server.Request;

/**
 * Who may see the status: this machine, and addresses that were named. Over FastCGI the address is REMOTE_ADDR, which the
 * web server tells and no client can; what makes a request seem to come from elsewhere, such as a customizer that believes
 * X-Forwarded-For, is looked through. A client whose address nobody tells may not.
 */
final class AllowedClients {
    private static final List<String> FORWARDING =
            List.of("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Via");

    private final AddressSet named;

    /**
     * Creates the set.
     *
     * @param addresses addresses, ranges ({@code first-last}) and networks ({@code address/bits}), separated by commas;
     *     empty for none
     * @throws ConfigurationException if one of them is none
     */
    AllowedClients(String addresses) {
        try {
            named = addresses.isBlank() ? AddressSet.NONE : AddressSet.parse(addresses);
        } catch (IllegalArgumentException x) {
            throw new ConfigurationException("jetty.fastcgi.status.allow: " + x.getMessage());
        }
    }

    /** {@return the address of the client, or {@code null} if nobody tells it} */
    static InetAddress client(Request request) {
        boolean isFastCGI = request.getAttribute(FastCGIConnectionFactory.VARIABLES_ATTRIBUTE) != null;
        SocketAddress client = isFastCGI ? FastCGIConnectionFactory.clientOf(request) : overHTTP(request);
        return client instanceof InetSocketAddress inet ? inet.getAddress() : null;
    }

    /** {@return the address of the peer, unless that passes on the request of somebody else} */
    private static SocketAddress overHTTP(Request request) {
        boolean isForwarded = FORWARDING.stream().anyMatch(request.getHeaders()::contains);
        return isForwarded
                ? null
                : Request.unWrap(request).getConnectionMetaData().getRemoteSocketAddress();
    }

    boolean contains(InetAddress client) {
        return client != null && (client.isLoopbackAddress() || named.contains(client));
    }

    /** {@return a text for a client that isn't allowed} */
    static String refusal(InetAddress client) {
        String from = client == null ? "clients whose address the web server does not tell" : client.getHostAddress();
        return "The status is not for " + from + ".\njetty.fastcgi.status.allow names who else may see it.\n";
    }
}

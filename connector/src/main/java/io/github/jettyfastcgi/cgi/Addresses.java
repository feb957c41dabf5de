package io.github.jettyfastcgi.cgi;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/**
 * Socket addresses of what a web server tells, without ever asking a name service: an address that is written as digits
 * becomes an {@link InetAddress} whose name is that writing, anything else (nginx says {@code unix:} for a client on a
 * Unix socket) stays unresolved.
 */
final class Addresses {
    private static final int MAX_PORT = 65_535;
    private static final String OCTET = "(25[0-5]|2[0-4]\\d|1?\\d?\\d)";
    private static final Pattern IPV4 = Pattern.compile(OCTET + "(\\." + OCTET + "){3}");
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F]*:[0-9a-fA-F:.]+");

    private Addresses() {}

    /**
     * Makes an address.
     *
     * @param host the host, digits or anything
     * @param port the port, or {@code null}; what isn't a port counts as 0
     * @param known the address of the host, if it is known already, else {@code null}
     * @return the address
     */
    static InetSocketAddress of(String host, String port, InetAddress known) {
        int number = port(port, 0);
        InetAddress address = known != null ? known : literal(host);
        return address == null
                ? InetSocketAddress.createUnresolved(host, number)
                : new InetSocketAddress(address, number);
    }

    /**
     * Reads a port.
     *
     * @param port digits, or {@code null}
     * @param otherwise the answer for what isn't a port
     * @return the port
     */
    static int port(String port, int otherwise) {
        if (port == null || port.isEmpty() || port.length() > 5) return otherwise;
        int number = 0;
        for (int i = 0; i < port.length(); i++) {
            int digit = port.charAt(i) - '0';
            if (digit < 0 || digit > 9) return otherwise;
            number = 10 * number + digit;
        }
        return number <= MAX_PORT ? number : otherwise;
    }

    private static InetAddress literal(String host) {
        if (!IPV4.matcher(host).matches() && !IPV6.matcher(host).matches()) return null;
        try {
            // The name given here is what getHostName() answers, instead of asking for it
            return InetAddress.getByAddress(host, InetAddress.getByName(host).getAddress());
        } catch (UnknownHostException x) {
            return null; // looks like IPv6, but isn't: getByName says so without asking, because of digits and a colon
        }
    }
}

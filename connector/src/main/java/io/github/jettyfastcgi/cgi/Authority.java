package io.github.jettyfastcgi.cgi;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.eclipse.jetty.util.HostPort;
import org.eclipse.jetty.util.StringUtil;
import org.eclipse.jetty.util.URIUtil;

/**
 * Tells what {@link HostPort} takes for a host with an optional port. It says so itself, but warns in the log of each that
 * it doesn't take, and what clients send is no reason for a warning.
 */
final class Authority {
    private Authority() {}

    /** {@return whether it is empty, or a host as of RFC 3986, section 3.2.2, with a port from 1 to 65535 or without} */
    static boolean isValid(String authority) {
        if (authority.isEmpty()) return true;
        int close = authority.startsWith("[") ? authority.lastIndexOf(']') : -1;
        int colon = authority.indexOf(':', close + 1);
        boolean isBareIPv6 = close < 0 && colon >= 0 && colon != authority.lastIndexOf(':');
        if (isBareIPv6) return isIPv6("[" + authority + "]");
        String host = colon < 0 ? authority : authority.substring(0, colon);
        boolean isHost = close < 0 ? isName(host) : isIPv6(host);
        return isHost && (colon < 0 || Addresses.port(authority.substring(colon + 1), 0) > 0);
    }

    private static boolean isName(String host) {
        return !StringUtil.isBlank(host) && URIUtil.isValidHostRegisteredName(host);
    }

    /** No name service is asked for what is in brackets. */
    private static boolean isIPv6(String host) {
        try {
            return InetAddress.getByName(host).getAddress() != null;
        } catch (UnknownHostException x) {
            return false;
        }
    }
}

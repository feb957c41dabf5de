package io.github.jettyfastcgi.server;

import java.net.InetAddress;
import java.util.regex.Pattern;
import org.eclipse.jetty.util.InetAddressSet;

/**
 * Addresses, as a setting names them, such as those from which peers may connect. Immutable. Java tells IPv4 addresses
 * that come mapped into IPv6 (RFC 4291, section 2.5.5.2) as IPv4.
 */
public final class AddressSet {
    /** No address. */
    public static final AddressSet NONE = new AddressSet(new InetAddressSet(), "");

    private static final String OCTET = "(25[0-5]|2[0-4]\\d|[01]?\\d?\\d)"; // what is more, Java takes for a name
    private static final String IPV4 = OCTET + "(\\." + OCTET + "){3}";
    private static final String IPV6 = "\\[?[\\p{XDigit}:.]*:[\\p{XDigit}:.]*]?";
    private static final String ADDRESS = "(" + IPV4 + "|" + IPV6 + ")";

    /** What Jetty's patterns know besides takes names, and asks a name service for them. */
    private static final Pattern NETWORK = Pattern.compile(ADDRESS + "(/\\d{1,3}| *- *" + ADDRESS + ")?");

    private final InetAddressSet networks;
    private final String text;

    private AddressSet(InetAddressSet networks, String text) {
        this.networks = networks;
        this.text = text;
    }

    /**
     * Reads a setting.
     *
     * @param setting addresses, networks such as {@code 10.0.0.0/8}, and ranges, separated by commas
     * @return the addresses
     * @throws IllegalArgumentException for anything else
     */
    public static AddressSet parse(String setting) {
        InetAddressSet networks = new InetAddressSet();
        for (String part : setting.split(",", -1)) {
            String network = part.strip();
            if (!NETWORK.matcher(network).matches() || !add(networks, network))
                throw new IllegalArgumentException("'" + network
                        + "' (expected: addresses and networks separated by commas, such as 10.0.0.0/8,::1)");
        }
        return new AddressSet(networks, setting);
    }

    private static boolean add(InetAddressSet networks, String network) {
        try {
            return networks.add(network) || networks.contains(network);
        } catch (IllegalArgumentException x) {
            return false;
        }
    }

    /**
     * {@return whether an address is one of these}
     *
     * @param address the address; {@code null} never is one
     */
    public boolean contains(InetAddress address) {
        return networks.test(address);
    }

    /** {@return the setting} */
    @Override
    public String toString() {
        return text;
    }
}

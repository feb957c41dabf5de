package io.github.jettyfastcgi.status;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;

/**
 * How many connections a listening socket has that were not accepted yet, where the kernel tells: on Linux.
 *
 * <p>Of a TCP socket it says so itself, in the receive queue of /proc/net/tcp and tcp6 (proc(5)). Of a Unix-domain socket it
 * doesn't there, but lists the connections: those that nobody has accepted are of state 2, connecting, and have no inode.
 */
final class Backlog {
    private static final String LISTENING = "0A";
    private static final String CONNECTING = "02";

    private final Path directory;

    /**
     * Creates a reader.
     *
     * @param directory /proc/self/net, where that exists
     */
    Backlog(Path directory) {
        this.directory = directory;
    }

    /** {@return the number of connections that wait, if it can be told} */
    OptionalInt of(SocketAddress listening) {
        try {
            if (listening instanceof UnixDomainSocketAddress unix) return ofUnix(unix.getPath());
            if (listening instanceof InetSocketAddress inet && inet.getAddress() != null) return ofTcp(inet);
        } catch (IOException | NumberFormatException x) {
            return OptionalInt.empty(); // another system, or no right to read it
        }
        return OptionalInt.empty();
    }

    private OptionalInt ofTcp(InetSocketAddress address) throws IOException {
        OptionalInt queue = OptionalInt.empty();
        if (address.getAddress() instanceof Inet4Address)
            queue = ofTcp("tcp", hex(address.getAddress().getAddress()), address.getPort());
        return queue.isPresent() ? queue : ofTcp("tcp6", hex6(address.getAddress()), address.getPort());
    }

    /** Listening sockets come first, so that of a system with many connections no more is read. */
    private OptionalInt ofTcp(String file, String address, int port) throws IOException {
        String local = address + String.format(":%04X", port);
        try (BufferedReader reader = reader(file)) {
            reader.readLine(); // the heading
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                // sl local_address rem_address st tx_queue:rx_queue ...
                String[] fields = line.strip().split(" +");
                if (fields.length < 5 || !fields[3].equals(LISTENING)) break;
                if (fields[1].equals(local)) {
                    String received = fields[4].substring(fields[4].indexOf(':') + 1);
                    return OptionalInt.of(Integer.parseInt(received, 16));
                }
            }
        }
        return OptionalInt.empty();
    }

    private OptionalInt ofUnix(Path path) throws IOException {
        int waiting = 0;
        boolean isListed = false;
        try (BufferedReader reader = reader("unix")) {
            reader.readLine(); // the heading
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                // Num RefCount Protocol Flags Type St Inode Path
                String[] fields = line.strip().split(" +", 8);
                if (fields.length < 8 || !fields[7].equals(path.toString())) continue;
                isListed = true;
                if (fields[5].equals(CONNECTING) && fields[6].equals("0")) waiting++;
            }
        }
        return isListed ? OptionalInt.of(waiting) : OptionalInt.empty();
    }

    private BufferedReader reader(String file) throws IOException {
        return Files.newBufferedReader(directory.resolve(file), StandardCharsets.ISO_8859_1);
    }

    /** {@return the address as a socket for both versions of IP has it, which is what Java makes} */
    private static String hex6(InetAddress address) {
        byte[] bytes = new byte[16];
        if (address instanceof Inet4Address && !address.isAnyLocalAddress()) {
            bytes[10] = (byte) 0xFF;
            bytes[11] = (byte) 0xFF;
            System.arraycopy(address.getAddress(), 0, bytes, 12, 4);
        } else if (!address.isAnyLocalAddress()) {
            bytes = address.getAddress();
        }
        return hex(bytes);
    }

    /** {@return an address as the kernel prints it: words of 32 bits in the order of this machine} */
    private static String hex(byte[] address) {
        ByteBuffer words = ByteBuffer.wrap(address).order(ByteOrder.nativeOrder());
        StringBuilder hex = new StringBuilder();
        while (words.hasRemaining()) hex.append(String.format("%08X", words.getInt()));
        return hex.toString();
    }
}

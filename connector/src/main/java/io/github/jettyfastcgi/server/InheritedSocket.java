package io.github.jettyfastcgi.server;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.Locale;

/** Whether a connector uses the socket that the process was started with, on file descriptor 0, where systemd puts it. */
enum InheritedSocket {
    /** Never. */
    OFF,
    /** Where there is one. */
    PREFER,
    /** There has to be one. */
    REQUIRE;

    private static final String PROPERTY = "jetty.fastcgi.unix.inherit: ";

    /**
     * Reads a setting.
     *
     * @param setting {@code off}, {@code prefer} or {@code require}
     * @return its meaning
     */
    static InheritedSocket from(String setting) {
        return Arrays.stream(values())
                .filter(value -> value.toString().equals(setting))
                .findFirst()
                .orElseThrow(() ->
                        new ConfigurationException(PROPERTY + "'" + setting + "' (expected: off, prefer or require)"));
    }

    /**
     * {@return whether the channel is the one to use}
     *
     * @param inherited the {@link System#inheritedChannel()}, which may be {@code null}
     * @throws ConfigurationException if it has to be, and can't
     */
    boolean isTaken(Channel inherited) throws IOException {
        if (this == OFF) return false;
        String kind = kind(inherited);
        if (kind == null) return true;
        if (this == PREFER) return false;
        throw new ConfigurationException(PROPERTY + "file descriptor 0 is " + kind
                + " (expected: a Unix-domain socket that listens, such as one of systemd with StandardInput=socket)");
    }

    /** {@return what the channel is instead of a Unix-domain socket that listens, {@code null} if it is that} */
    private static String kind(Channel channel) throws IOException {
        if (channel == null) return "no socket";
        if (channel instanceof SocketChannel) return "a connection, as of a unit with Accept=yes";
        if (!channel.isOpen()) return "closed, since Java takes a socket once for each process";
        boolean isUnix = channel instanceof ServerSocketChannel server
                && server.getLocalAddress() instanceof UnixDomainSocketAddress;
        return isUnix ? null : "a socket of another family";
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

package io.github.jettyfastcgi.fcgispec;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;

/** Where the application listens: {@code unix:/run/app.sock} or {@code tcp:127.0.0.1:9000}. */
record Address(String text, SocketAddress socket) {
    private static final int MAX_PORT = 65_535;

    static Address parse(String text) {
        if (text.startsWith("unix:")) return new Address(text, UnixDomainSocketAddress.of(text.substring(5)));
        int colon = text.lastIndexOf(':');
        if (!text.startsWith("tcp:") || colon < 5)
            throw new IllegalArgumentException("no address, unix:PATH or tcp:HOST:PORT: " + text);
        String host = text.substring(4, colon).replaceAll("^\\[|]$", "");
        String port = text.substring(colon + 1);
        if (!port.matches("[0-9]{1,5}") || Integer.parseInt(port) > MAX_PORT)
            throw new IllegalArgumentException("no port: " + text);
        return new Address(text, new InetSocketAddress(host, Integer.parseInt(port)));
    }

    boolean isTCP() {
        return socket instanceof InetSocketAddress;
    }

    /** {@return an open channel that doesn't hold small writes back} */
    SocketChannel connect() throws IOException {
        SocketChannel channel = SocketChannel.open(socket);
        if (isTCP()) channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return channel;
    }
}

package io.github.jettyfastcgi.it.benchmark;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** TCP ports of the loopback address. */
final class Ports {
    private static final Set<Integer> GIVEN = new HashSet<>();

    private Ports() {}

    /** A free port, another one each time, below those that the system gives to outgoing connections. */
    static int free() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                if (GIVEN.add(port)) {
                    return socket.getLocalPort();
                }
            } catch (IOException e) {
                // In use: another one.
            }
        }
    }

    static void awaitAccepting(Program server, int port) throws IOException, InterruptedException {
        server.await("connection to port " + port, () -> {
            try {
                new Socket(InetAddress.getLoopbackAddress(), port).close();
                return true;
            } catch (IOException e) {
                return false;
            }
        });
    }
}

package io.github.jettyfastcgi.it;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** Free TCP ports of the loopback address. */
final class Ports {
    /** Those given out already: what asks for several binds none of them meanwhile. */
    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private Ports() {}

    /** A free port, another one each time, below those the system gives to outgoing connections, so that none of these takes it meanwhile. */
    static int free() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
            if (GIVEN.add(port) && isFree(port)) {
                return port;
            }
        }
    }

    /** This port, or another one while it is in use. */
    static int freeAt(int port) {
        return isFree(port) ? port : free();
    }

    private static boolean isFree(int port) {
        try {
            new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}

package io.github.jettyfastcgi.server;

/** The ways in which a web server goes. */
enum End {
    FIN_UNIX(ConnectionTestBase.Transport.UNIX),
    FIN_TCP(ConnectionTestBase.Transport.TCP),
    RST_TCP(ConnectionTestBase.Transport.TCP);

    private final ConnectionTestBase.Transport transport;

    End(ConnectionTestBase.Transport transport) {
        this.transport = transport;
    }

    ConnectionTestBase.Transport transport() {
        return transport;
    }

    void of(SocketPeer peer) throws Exception {
        if (this == RST_TCP) peer.reset();
        else peer.close();
    }
}

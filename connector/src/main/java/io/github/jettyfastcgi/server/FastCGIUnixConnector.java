package io.github.jettyfastcgi.server;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.unixdomain.server.UnixDomainServerConnector;
import org.eclipse.jetty.util.TypeUtil;
import org.eclipse.jetty.util.annotation.ManagedAttribute;
import org.eclipse.jetty.util.annotation.ManagedObject;
import org.eclipse.jetty.util.annotation.Name;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * A connector for web servers that speak FastCGI over a Unix-domain socket, with the rights of its file.
 *
 * <p>The socket is bound where nobody else may enter, gets its owner, group and mode, and is then renamed onto its path:
 * nobody connects who hasn't the right to, a stale file is replaced, and a new process can take over from an old one
 * without a refused connection. On stop the file is removed if it is still the one of this connector. A socket that the
 * process was started with is taken as it is, and left as it is.
 *
 * <p>A setting that can't be used ends the start with one line that names its property.
 */
@ManagedObject("Accepts FastCGI connections over a Unix-domain socket")
public class FastCGIUnixConnector extends UnixDomainServerConnector {
    /** The default of {@link #getName()}. */
    public static final String DEFAULT_NAME = "fastcgi-unix";

    /** The default of {@link #getMode()}: the owner and the group may connect. */
    public static final String DEFAULT_MODE = "0660";

    /**
     * The default of {@link #getAcceptedSendBufferSize()}, in bytes, as far as the kernel allows it: with its own, of about
     * 200 KiB, large responses stop and go, at twice the CPU.
     */
    public static final int DEFAULT_SEND_BUFFER_SIZE = 512 * 1024;

    private String mode = DEFAULT_MODE;
    private String owner;
    private String group;
    private boolean takeOver;
    private InheritedSocket inherit = InheritedSocket.OFF;
    private boolean inherits;
    private SocketFile file;
    private volatile Thread settingAccepting;

    /**
     * Creates a connector with Jetty's numbers of acceptors and selectors.
     *
     * @param server the server
     * @param factories a {@link FastCGIConnectionFactory}
     */
    public FastCGIUnixConnector(Server server, ConnectionFactory... factories) {
        this(server, -1, -1, factories);
    }

    /**
     * Creates a connector.
     *
     * @param server the server
     * @param acceptors the number of acceptor threads, -1 for Jetty's choice
     * @param selectors the number of selector threads, -1 for Jetty's choice
     * @param factories a {@link FastCGIConnectionFactory}
     */
    public FastCGIUnixConnector(
            @Name("server") Server server,
            @Name("acceptors") int acceptors,
            @Name("selectors") int selectors,
            @Name("factories") ConnectionFactory... factories) {
        super(server, acceptors, selectors, factories);
        installBean(new Publication());
        setName(DEFAULT_NAME);
        setIdleTimeout(FastCGITCPConnector.DEFAULT_IDLE_TIMEOUT);
        setAcceptQueueSize(FastCGITCPConnector.DEFAULT_ACCEPT_QUEUE_SIZE);
        setAcceptedSendBufferSize(DEFAULT_SEND_BUFFER_SIZE);
    }

    /**
     * Sets the path of the socket; see {@link #setUnixDomainPath(Path)}.
     *
     * @param path the path, of at most 107 bytes, in a directory that exists
     */
    public void setPath(String path) {
        setUnixDomainPath(path == null || path.isEmpty() ? null : Path.of(path));
    }

    /** {@return the mode of the socket's file, as three octal digits, perhaps after a 0} */
    @ManagedAttribute("The mode of the socket's file, octal")
    public String getMode() {
        return mode;
    }

    /**
     * Sets the mode of the socket's file. Who may write to it may connect.
     *
     * @param mode three octal digits, perhaps after a 0
     */
    public void setMode(String mode) {
        this.mode = mode;
    }

    /** {@return the owner of the socket's file, {@code null} for that of the process} */
    @ManagedAttribute("The owner of the socket's file")
    public String getOwner() {
        return owner;
    }

    /**
     * Sets the owner of the socket's file, which takes the rights to do so.
     *
     * @param owner the name of a user, empty or {@code null} for that of the process
     */
    public void setOwner(String owner) {
        this.owner = owner;
    }

    /** {@return the group of the socket's file, {@code null} for that of the process} */
    @ManagedAttribute("The group of the socket's file")
    public String getGroup() {
        return group;
    }

    /**
     * Sets the group of the socket's file, of which the process has to be a member.
     *
     * @param group the name of a group, empty or {@code null} for that of the process
     */
    public void setGroup(String group) {
        this.group = group;
    }

    /** {@return whether the socket of a process that still listens is replaced} */
    @ManagedAttribute("Whether the socket of a process that still listens is replaced")
    public boolean isTakeOver() {
        return takeOver;
    }

    /**
     * Sets whether the socket of a process that still listens is replaced, instead of refusing to start. Connections that
     * the other process has accepted stay with it.
     *
     * @param takeOver whether it is
     */
    public void setTakeOver(boolean takeOver) {
        this.takeOver = takeOver;
    }

    /** {@return whether the socket is one that the process was started with: {@code off}, {@code prefer}, {@code require}} */
    @ManagedAttribute("Whether the socket is one that the process was started with: off, prefer or require")
    public String getInherit() {
        return inherit.toString();
    }

    /**
     * Sets whether the socket is one that the process was started with, as file descriptor 0, by systemd or inetd. Path,
     * mode, owner, group and queue are then theirs, and the file is left alone.
     *
     * @param inherit {@code off}, the default, for never; {@code prefer} where there is one, and else one at the path;
     *     {@code require} for nothing else
     */
    public void setInherit(String inherit) {
        this.inherit = InheritedSocket.from(inherit);
    }

    /** {@inheritDoc} It is {@link #setInherit(String)} of {@code prefer} or {@code off}. */
    @Override
    public void setInheritChannel(boolean inheritChannel) {
        inherit = inheritChannel ? InheritedSocket.PREFER : InheritedSocket.OFF;
    }

    /** {@inheritDoc} While it isn't started, it is {@code false}. */
    @Override
    public boolean isInheritChannel() {
        return inherits;
    }

    @Override
    protected SelectorManager newSelectorManager(Executor executor, Scheduler scheduler, int selectors) {
        return new UnixDomainSelectorManager(executor, scheduler, selectors) {
            @Override
            protected void execute(Runnable task) {
                if (ConnectionTasks.includes(task)) task.run();
                else super.execute(task);
            }
        };
    }

    @Override
    protected void doStart() throws Exception {
        inherits = inherit != InheritedSocket.OFF && inherit.isTaken(System.inheritedChannel());
        if (!inherits) {
            file = SocketFile.prepare(getUnixDomainPath(), SocketRights.of(mode, owner, group), takeOver);
            setUnixDomainPath(file.birthplace());
        }
        try {
            super.doStart();
        } catch (Throwable x) {
            doStop();
            throw x;
        }
    }

    @Override
    protected void doStop() throws Exception {
        Path path = path();
        // The superclass deletes the file of its path, whosever it is
        setUnixDomainPath(Path.of(UUID.randomUUID().toString()));
        try {
            if (file != null) file.remove();
        } finally {
            try {
                super.doStop();
            } finally {
                setUnixDomainPath(path);
                file = null;
                inherits = false;
            }
        }
    }

    /**
     * Takes the socket's file away, so that nobody connects any more; what was connected before is still accepted.
     *
     * @return whether it was this connector's to take, or had been taken over
     */
    boolean withdraw() {
        if (file == null) return false;
        try {
            file.remove();
        } catch (IOException x) {
            LOG.warn("Can't remove the file of {}: {}", this, x.toString());
        }
        return true;
    }

    /** {@return the path that was set, which isn't always that of the superclass} */
    private Path path() {
        return file == null ? getUnixDomainPath() : file.path();
    }

    /** {@inheritDoc} It is the path, and not the temporary one that the socket was bound to. */
    @Override
    public SocketAddress getLocalSocketAddress() {
        SocketAddress bound = super.getLocalSocketAddress();
        return bound == null || inherits ? bound : UnixDomainSocketAddress.of(path());
    }

    /** {@inheritDoc} The superclass does with acceptors what is right without, which closes the socket. */
    @Override
    public synchronized void setAccepting(boolean accepting) {
        settingAccepting = Thread.currentThread();
        super.setAccepting(accepting);
        settingAccepting = null;
    }

    /** {@inheritDoc} To {@link #setAccepting} of the superclass there are acceptors where there are none. */
    @Override
    public int getAcceptors() {
        int acceptors = super.getAcceptors();
        if (settingAccepting != Thread.currentThread()) return acceptors;
        return acceptors == 0 ? 1 : 0;
    }

    @Override
    public String toString() {
        return String.format("%s@%h[%s]", TypeUtil.toShortName(getClass()), this, inherits ? "inherited" : path());
    }

    /** Runs when the socket is bound, before there are threads that accept connections. */
    private final class Publication extends AbstractLifeCycle {
        @Override
        protected void doStart() throws IOException {
            if (inherits) return;
            file.publish();
            setUnixDomainPath(file.path());
        }
    }
}

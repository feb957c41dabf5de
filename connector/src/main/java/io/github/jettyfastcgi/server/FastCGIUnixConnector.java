package io.github.jettyfastcgi.server;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.unixdomain.server.UnixDomainServerConnector;
import org.eclipse.jetty.util.TypeUtil;
import org.eclipse.jetty.util.annotation.ManagedAttribute;
import org.eclipse.jetty.util.annotation.ManagedObject;
import org.eclipse.jetty.util.annotation.Name;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * A connector for web servers that speak FastCGI over a Unix-domain socket, with the rights of its file.
 *
 * <p>The socket is bound to a temporary name beside its path, gets its owner, group and mode, and is then renamed onto the
 * path: it never has other rights there, a stale file is replaced, and a new process can take over from an old one
 * without a refused connection. On stop the file is removed if it is still the one of this connector.
 *
 * <p>A setting that can't be used ends the start with one line that names its property.
 */
@ManagedObject("Accepts FastCGI connections over a Unix-domain socket")
public class FastCGIUnixConnector extends UnixDomainServerConnector {
    /** The default of {@link #getName()}. */
    public static final String DEFAULT_NAME = "fastcgi-unix";

    /** The default of {@link #getMode()}: the owner and the group may connect. */
    public static final String DEFAULT_MODE = "0660";

    /** Java binds and connects to one byte less than the system does. */
    private static final int MAX_CONNECT_PATH_LENGTH = MAX_UNIX_DOMAIN_PATH_LENGTH - 1;

    private static final Path UNSET = Path.of("fastcgi.sock");
    /**
     * The default of {@link #getAcceptedSendBufferSize()}, in bytes, as far as the kernel allows it: with its own, of about
     * 200 KiB, large responses stop and go, at twice the CPU.
     */
    public static final int DEFAULT_SEND_BUFFER_SIZE = 512 * 1024;

    private static final String PATH = "jetty.fastcgi.unix.path: ";
    private static final String NAME_CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

    private String mode = DEFAULT_MODE;
    private String owner;
    private String group;
    private boolean takeOver;
    private Object fileKey;
    private Path starting;

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
        setName(DEFAULT_NAME);
        setIdleTimeout(FastCGITCPConnector.DEFAULT_IDLE_TIMEOUT);
        setAcceptQueueSize(FastCGITCPConnector.DEFAULT_ACCEPT_QUEUE_SIZE);
        setAcceptedSendBufferSize(DEFAULT_SEND_BUFFER_SIZE);
    }

    /**
     * Sets the path of the socket; see {@link #setUnixDomainPath(Path)}.
     *
     * @param path the path, of at most {@value #MAX_UNIX_DOMAIN_PATH_LENGTH} bytes, in a directory that exists
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

    @Override
    protected SelectorManager newSelectorManager(Executor executor, Scheduler scheduler, int selectors) {
        return new UnixDomainSelectorManager(executor, scheduler, selectors) {
            @Override
            protected void execute(Runnable task) {
                if (NewConnections.opens(task)) task.run();
                else super.execute(task);
            }
        };
    }

    @Override
    protected void doStart() throws Exception {
        if (isInheritChannel()) {
            super.doStart();
            return;
        }
        Path path = checkedPath();
        Rights rights = Rights.of(path, mode, owner, group);
        Path temporary = temporarySibling(path);
        rights.tryOn(temporary);
        starting = path;
        setUnixDomainPath(temporary);
        try {
            super.doStart();
            rights.applyTo(temporary);
            fileKey = fileKey(temporary);
            Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE);
        } catch (Throwable x) {
            super.doStop();
            throw x;
        } finally {
            setUnixDomainPath(path);
            starting = null;
        }
    }

    @Override
    protected void doStop() throws Exception {
        Path path = getUnixDomainPath();
        // The superclass deletes the file of its path, whosever it is
        if (isInheritChannel() || !isOurs(path)) setUnixDomainPath(temporarySibling(path == null ? UNSET : path));
        try {
            super.doStop();
        } finally {
            setUnixDomainPath(path);
            fileKey = null;
        }
    }

    /** {@inheritDoc} It is the path, and not the temporary name that the socket was bound to. */
    @Override
    public SocketAddress getLocalSocketAddress() {
        SocketAddress bound = super.getLocalSocketAddress();
        return bound == null || isInheritChannel() ? bound : UnixDomainSocketAddress.of(getUnixDomainPath());
    }

    /** {@inheritDoc} While it starts, the path of the superclass is a temporary one. */
    @Override
    public String toString() {
        return String.format(
                "%s@%h[%s]", TypeUtil.toShortName(getClass()), this, starting == null ? getUnixDomainPath() : starting);
    }

    private Path checkedPath() {
        if (getUnixDomainPath() == null) throw new ConfigurationException(PATH + "is not set");
        Path path = getUnixDomainPath().toAbsolutePath();
        int length = length(path);
        if (length > MAX_UNIX_DOMAIN_PATH_LENGTH)
            throw new ConfigurationException(
                    PATH + path + " has " + length + " bytes (expected: <= " + MAX_UNIX_DOMAIN_PATH_LENGTH + ")");
        Path directory = path.getParent();
        if (directory == null || !Files.isDirectory(directory))
            throw new ConfigurationException(PATH + "there is no directory " + directory);
        if (!Files.isWritable(directory))
            throw new ConfigurationException(PATH + "no right to create a file in " + directory);
        checkReplaceable(path);
        return path;
    }

    private void checkReplaceable(Path path) {
        BasicFileAttributes attributes;
        try {
            attributes = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (IOException x) {
            return; // nothing is there
        }
        if (!attributes.isOther()) throw new ConfigurationException(PATH + path + " is there and is no socket");
        if (!takeOver && isListening(path))
            throw new ConfigurationException(PATH + "another process listens on " + path
                    + " (jetty.fastcgi.unix.takeOver=true takes over from it)");
    }

    /** {@return whether anything but a refused connection comes of it: a full queue or missing rights are no stale file} */
    private static boolean isListening(Path path) {
        try {
            if (length(path) <= MAX_CONNECT_PATH_LENGTH) return connects(path);
            Path shorter = Files.createSymbolicLink(temporarySibling(path), path.getFileName());
            try {
                return connects(shorter);
            } finally {
                Files.delete(shorter);
            }
        } catch (ConnectException x) {
            return false;
        } catch (IOException x) {
            return true;
        }
    }

    private static boolean connects(Path path) throws IOException {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
            return channel.isConnected();
        }
    }

    private static int length(Path path) {
        return path.toString().getBytes(StandardCharsets.UTF_8).length;
    }

    /** {@return a path in the same directory where no file is; it is shorter than the given one, where that can be} */
    private static Path temporarySibling(Path path) {
        int length = Math.max(1, path.getFileName().toString().length() - 1);
        Path sibling;
        do {
            StringBuilder name = new StringBuilder();
            ThreadLocalRandom.current()
                    .ints(Math.min(length, 16), 0, NAME_CHARACTERS.length())
                    .forEach(i -> name.append(NAME_CHARACTERS.charAt(i)));
            sibling = path.resolveSibling(name.toString());
        } while (Files.exists(sibling, LinkOption.NOFOLLOW_LINKS));
        return sibling;
    }

    private boolean isOurs(Path path) {
        try {
            return fileKey != null && Objects.equals(fileKey, fileKey(path));
        } catch (IOException x) {
            return false;
        }
    }

    private static Object fileKey(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey();
    }

    /** The rights of the file, looked up before anything is bound. */
    private record Rights(Set<PosixFilePermission> permissions, UserPrincipal owner, GroupPrincipal group) {
        static Rights of(Path path, String mode, String owner, String group) throws IOException {
            UserPrincipalLookupService service = path.getFileSystem().getUserPrincipalLookupService();
            return new Rights(permissions(mode), user(service, owner), group(service, group));
        }

        /** Fails where this process may not give such rights, before there are threads that accept connections. */
        void tryOn(Path file) throws IOException {
            Files.createFile(file);
            try {
                applyTo(file);
            } finally {
                Files.delete(file);
            }
        }

        void applyTo(Path file) throws IOException {
            PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
            try {
                if (group != null) view.setGroup(group);
            } catch (IOException x) {
                throw new ConfigurationException(
                        "jetty.fastcgi.unix.group: no right to give the socket to group '" + group.getName() + "'");
            }
            try {
                if (owner != null) view.setOwner(owner);
            } catch (IOException x) {
                throw new ConfigurationException(
                        "jetty.fastcgi.unix.owner: no right to give the socket to user '" + owner.getName() + "'");
            }
            view.setPermissions(permissions);
        }

        private static Set<PosixFilePermission> permissions(String mode) {
            if (mode == null || !mode.matches("0?[0-7]{3}"))
                throw new ConfigurationException(
                        "jetty.fastcgi.unix.mode: '" + mode + "' (expected: three octal digits, such as 0660)");
            int bits = Integer.parseInt(mode, 8);
            PosixFilePermission[] all = PosixFilePermission.values(); // from OWNER_READ, 0400, to OTHERS_EXECUTE, 0001
            Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
            for (PosixFilePermission permission : all)
                if ((bits >> all.length - 1 - permission.ordinal() & 1) != 0) permissions.add(permission);
            return permissions;
        }

        private static UserPrincipal user(UserPrincipalLookupService service, String name) throws IOException {
            if (name == null || name.isEmpty()) return null;
            try {
                return service.lookupPrincipalByName(name);
            } catch (UserPrincipalNotFoundException x) {
                throw new ConfigurationException("jetty.fastcgi.unix.owner: unknown user '" + name + "'");
            }
        }

        private static GroupPrincipal group(UserPrincipalLookupService service, String name) throws IOException {
            if (name == null || name.isEmpty()) return null;
            try {
                return service.lookupPrincipalByGroupName(name);
            } catch (UserPrincipalNotFoundException x) {
                throw new ConfigurationException("jetty.fastcgi.unix.group: unknown group '" + name + "'");
            }
        }
    }
}

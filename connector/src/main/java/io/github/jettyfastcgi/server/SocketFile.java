package io.github.jettyfastcgi.server;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The file of a Unix-domain socket, from its birth to its removal.
 *
 * <p>The socket is bound in a directory that only this user may enter, beside its path; there the file gets its owner, group
 * and mode, and from there it is renamed onto the path. So nobody connects who hasn't the right to, a stale file is
 * replaced, and there is no moment at which the path leads nowhere when one process takes over from another.
 *
 * <p>Used by the one thread that starts and stops the connector.
 */
final class SocketFile {
    /** The longest path, in bytes, that the system connects to. */
    static final int MAX_PATH_LENGTH = 107;

    /** Java binds and connects to one byte less than the system does. */
    private static final int MAX_BINDING_LENGTH = MAX_PATH_LENGTH - 1;

    /** Bits of a mode (POSIX, sys/stat.h); Java itself knows sockets, pipes and devices as "other" files. */
    private static final int FILE_TYPE = 0170000;

    private static final int SOCKET = 0140000;

    private static final String NAME_IN_NURSERY = "/s";
    private static final int MAX_DIRECTORY_LENGTH = MAX_BINDING_LENGTH - "/n".length() - NAME_IN_NURSERY.length();
    private static final int USUAL_NAME_LENGTH = 16;
    private static final String NAME_CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789";
    private static final String PATH = "jetty.fastcgi.unix.path: ";

    private final Path path;
    private final SocketRights rights;
    private final boolean takeOver;
    private final Path nursery;
    private Object key;

    private SocketFile(Path path, SocketRights rights, boolean takeOver, Path nursery) {
        this.path = path;
        this.rights = rights;
        this.takeOver = takeOver;
        this.nursery = nursery;
    }

    /**
     * Finds out whether a socket may get to its path, and makes the place to bind it.
     *
     * @param path where the socket is wanted
     * @param rights the rights it is to have
     * @param takeOver whether the socket of a process that still listens is replaced
     * @return the file, to be bound, published and removed, or only removed
     * @throws ConfigurationException with the reason why it may not
     */
    static SocketFile prepare(Path path, SocketRights rights, boolean takeOver) throws IOException {
        if (path == null) throw new ConfigurationException(PATH + "is not set");
        Path absolute = path.toAbsolutePath();
        checkLength(absolute, MAX_PATH_LENGTH, "");
        Path directory = absolute.getParent();
        if (directory == null || !Files.isDirectory(directory))
            throw new ConfigurationException(PATH + "there is no directory " + directory);
        checkLength(directory, MAX_DIRECTORY_LENGTH, "the directory ");
        if (!Files.isWritable(directory))
            throw new ConfigurationException(PATH + "no right to create a file in " + directory);
        SocketFile file = new SocketFile(absolute, rights, takeOver, createNursery(absolute));
        try {
            file.checkReplaceable();
            return file;
        } catch (Throwable x) {
            file.remove();
            throw x;
        }
    }

    /** {@return where the socket is wanted} */
    Path path() {
        return path;
    }

    /** {@return the path to bind the socket to} */
    Path birthplace() {
        return nursery.resolveSibling(nursery.getFileName() + NAME_IN_NURSERY);
    }

    /** Gives the socket that is bound its rights, and moves it to its path. */
    void publish() throws IOException {
        rights.applyTo(birthplace());
        key = key(birthplace());
        checkReplaceable(); // once more, as another process may have begun to listen meanwhile
        try {
            Files.move(birthplace(), path, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException x) {
            throw new ConfigurationException(PATH + "can't replace " + path + ": " + x.getReason());
        }
        Files.delete(nursery);
    }

    /** Removes the file, from its path if it is still this one there. */
    void remove() throws IOException {
        Files.deleteIfExists(birthplace());
        Files.deleteIfExists(nursery);
        if (isPublished()) Files.deleteIfExists(path);
        key = null; // the socket may be closed next, and what is born then may get its number
    }

    private boolean isPublished() {
        if (key == null) return false;
        try {
            return key.equals(key(path));
        } catch (IOException x) {
            return false; // it is gone
        }
    }

    private static Object key(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey();
    }

    private static void checkLength(Path path, int limit, String what) {
        int length = length(path);
        if (length > limit)
            throw new ConfigurationException(
                    PATH + what + path + " has " + length + " bytes (expected: <= " + limit + ")");
    }

    private static int length(Path path) {
        return path.toString().getBytes(StandardCharsets.UTF_8).length;
    }

    /** Creates a directory of a name that nobody uses, as short as it has to be, beside the path. */
    private static Path createNursery(Path path) throws IOException {
        int room = 1 + MAX_DIRECTORY_LENGTH - length(path.getParent());
        while (true) {
            StringBuilder name = new StringBuilder();
            ThreadLocalRandom.current()
                    .ints(Math.min(room, USUAL_NAME_LENGTH), 0, NAME_CHARACTERS.length())
                    .forEach(i -> name.append(NAME_CHARACTERS.charAt(i)));
            Path nursery = path.resolveSibling(name.toString());
            if (nursery.equals(path)) continue;
            try {
                return Files.createDirectory(
                        nursery, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            } catch (FileAlreadyExistsException x) {
                continue;
            }
        }
    }

    private void checkReplaceable() throws IOException {
        int mode;
        try {
            mode = (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        } catch (IOException x) {
            return; // nothing is there, or what can't be seen, which the rename tells
        }
        if ((mode & FILE_TYPE) != SOCKET) throw new ConfigurationException(PATH + path + " is there and is no socket");
        if (!takeOver && isListening())
            throw new ConfigurationException(PATH + "another process listens on " + path
                    + " (jetty.fastcgi.unix.takeOver=true takes over from it)");
    }

    /** {@return whether anything but a refused connection comes of it: a full queue or missing rights are no stale file} */
    private boolean isListening() throws IOException {
        Path link = nursery.resolve("l"); // since the path itself may be too long for Java
        Files.createSymbolicLink(link, Path.of("..").resolve(path.getFileName()));
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(link))) {
            return channel.isConnected();
        } catch (ConnectException x) {
            return false;
        } catch (IOException x) {
            return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
        } finally {
            Files.delete(link);
        }
    }
}

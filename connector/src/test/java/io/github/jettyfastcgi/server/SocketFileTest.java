package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What happens between the steps of a socket's file, which a connector takes all at once. */
class SocketFileTest {
    @TempDir
    Path directory;

    private Path path;

    @BeforeEach
    void setPath() {
        path = directory.resolve("f.sock");
    }

    @Test
    void socketIsBoundWhereNobodyElseMayEnter() throws Exception {
        SocketFile file = prepare(false);
        Path nursery = file.birthplace().getParent();

        assertThat(nursery).hasParent(directory);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(nursery)))
                .isEqualTo("rwx------");

        file.remove();
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void socketGetsToItsPathWithItsRights() throws Exception {
        SocketFile file = prepare(false);
        try (ServerSocketChannel socket = bind(file.birthplace())) {
            file.publish();

            assertThat(directory.toFile().list()).containsExactly("f.sock");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                    .isEqualTo("rw-------");
            connect(path);
            assertThat(socket.accept()).isNotNull();
        }
    }

    @Test
    void anotherProcessThatBeganToListenMeanwhileStays() throws Exception {
        SocketFile file = prepare(false);
        try (ServerSocketChannel socket = bind(file.birthplace());
                ServerSocketChannel other = bind(path)) {
            assertThatThrownBy(file::publish)
                    .hasToString("jetty.fastcgi.unix.path: another process listens on " + path
                            + " (jetty.fastcgi.unix.takeOver=true takes over from it)");

            assertThat(socket.isOpen()).isTrue();
            connect(path);
            assertThat(other.accept()).isNotNull();
        }
        file.remove();
        assertThat(directory.toFile().list()).containsExactly("f.sock");
    }

    @Test
    void pathThatCanNotBeReplacedIsTold() throws Exception {
        SocketFile file = prepare(true);
        try (ServerSocketChannel socket = bind(file.birthplace())) {
            Files.createDirectory(path);

            assertThatThrownBy(file::publish)
                    .hasToString("jetty.fastcgi.unix.path: " + path + " is there and is no socket");

            assertThat(socket.isOpen()).isTrue();
        }
        file.remove();
        assertThat(path).isDirectory();
    }

    @Test
    void fileOfASuccessorStays() throws Exception {
        SocketFile before = prepare(false);
        try (ServerSocketChannel old = bind(before.birthplace())) {
            before.publish();
            SocketFile after = prepare(true);
            try (ServerSocketChannel next = bind(after.birthplace())) {
                after.publish();

                before.remove();

                connect(path);
                assertThat(next.accept()).isNotNull();
                assertThat(old.isOpen()).isTrue();
            }
            after.remove();
        }
        assertThat(directory).isEmptyDirectory();
    }

    /** The key of a file that is gone, whose socket is closed, is free for the next one. */
    @Test
    void fileThatGotTheKeyOfOneThatWasRemovedStays() throws Exception {
        SocketFile file = prepare(false);
        try (ServerSocketChannel socket = bind(file.birthplace())) {
            file.publish();
            Path sameKey = Files.createLink(directory.resolve("next"), path);
            file.remove();
            Files.move(sameKey, path);

            file.remove();

            connect(path);
            assertThat(socket.accept()).isNotNull();
        }
    }

    private SocketFile prepare(boolean takeOver) throws Exception {
        return SocketFile.prepare(path, SocketRights.of("0600", null, null), takeOver);
    }

    private static ServerSocketChannel bind(Path path) throws Exception {
        return ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(path));
    }

    private static void connect(Path path) throws Exception {
        SocketChannel.open(UnixDomainSocketAddress.of(path)).close();
    }
}

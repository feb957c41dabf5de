package io.github.jettyfastcgi.sendfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the web server finds a file: in mapped folders, and nowhere else. */
class FileMappingTest {
    @TempDir
    Path temporary;

    private Path root;
    private Path files;

    @BeforeEach
    void createFolders() throws IOException {
        root = temporary.toRealPath();
        files = Files.createDirectories(root.resolve("files"));
        Files.createDirectories(files.resolve("inner"));
        Files.createDirectories(root.resolve("files2"));
    }

    private static String locate(FileMapping mapping, Path file) throws IOException {
        Files.createDirectories(file.getParent());
        return mapping.locate(
                Files.exists(file) ? file.toRealPath() : Files.createFile(file).toRealPath());
    }

    @ParameterizedTest
    @ValueSource(strings = {"%s=/internal", "%s/=/internal/", "%s/=/internal", " ; %s=/internal/ ;"})
    void fileIsBelowTheTarget(String mapping) throws IOException {
        FileMapping parsed = FileMapping.parse(mapping.formatted(files));

        assertThat(locate(parsed, files.resolve("a.bin"))).isEqualTo("/internal/a.bin");
        assertThat(locate(parsed, files.resolve("b/c d/e.bin"))).isEqualTo("/internal/b/c d/e.bin");
    }

    @Test
    void folderWithoutTargetIsWhereItIs() throws IOException {
        FileMapping mapping = FileMapping.parse(files.toString());

        assertThat(locate(mapping, files.resolve("a.bin"))).isEqualTo(files + "/a.bin");
    }

    @Test
    void innermostFolderCounts() throws IOException {
        FileMapping mapping = FileMapping.parse(files + "=/outer;" + files.resolve("inner") + "=/inner");

        assertThat(locate(mapping, files.resolve("inner/a.bin"))).isEqualTo("/inner/a.bin");
        assertThat(locate(mapping, files.resolve("inner2/a.bin"))).isEqualTo("/outer/inner2/a.bin");
    }

    @Test
    void fileOutsideIsNowhere() throws IOException {
        FileMapping mapping = FileMapping.parse(files + "=/internal");

        assertThat(locate(mapping, root.resolve("files2/a.bin"))).isNull();
        assertThat(locate(mapping, root.resolve("a.bin"))).isNull();
        assertThat(FileMapping.NONE.locate(files.resolve("a.bin"))).isNull();
    }

    @Test
    void folderMayBeALink() throws IOException {
        Path link = Files.createSymbolicLink(root.resolve("link"), files);
        FileMapping mapping = FileMapping.parse(link + "=/internal");

        assertThat(locate(mapping, link.resolve("a.bin"))).isEqualTo("/internal/a.bin");
        assertThat(locate(mapping, files.resolve("b.bin"))).isEqualTo("/internal/b.bin");
    }

    @Test
    void fileWithinAnArchiveIsNowhere() throws IOException {
        Path archive = root.resolve("a.zip");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive))) {
            zip.putNextEntry(new ZipEntry("a.bin"));
        }
        FileMapping mapping = FileMapping.parse("/=/internal");

        try (FileSystem system = FileSystems.newFileSystem(archive, Map.of())) {
            assertThat(mapping.locate(system.getPath("/a.bin"))).isNull();
        }
        assertThat(mapping.locate(archive)).isEqualTo("/internal" + archive);
    }

    @Test
    void nameIsTheBytesOfTheFileSystem() throws IOException {
        FileMapping mapping = FileMapping.parse(files + "=/intern\u00e4l");
        String name = "\u00fc %20?#;.bin";

        String path = locate(mapping, files.resolve(name));

        assertThat(path.getBytes(StandardCharsets.ISO_8859_1))
                .isEqualTo(("/intern\u00e4l/" + name).getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            relative=/internal | 'relative' (expected: the absolute path of a directory)
            /none/such=/internal | '/none/such' (expected: the absolute path of a directory)
            /etc/passwd=/internal | '/etc/passwd' (expected: the absolute path of a directory)
            /tmp=internal | 'internal' (expected: a path that begins with a slash)
            /tmp= | '' (expected: a path that begins with a slash)
            =/internal | '' (expected: the absolute path of a directory)
            """)
    void otherMappingIsRefused(String mapping, String message) {
        assertThatThrownBy(() -> FileMapping.parse(mapping))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    // ---- what the field says

    @ParameterizedTest
    @CsvSource({
        "/a-b_c.d~e/F9, /a-b_c.d~e/F9",
        "/a b, /a%20b",
        "/100%25?x=y#z&+;:@, /100%2525%3Fx%3Dy%23z%26%2B%3B%3A%40",
        "'/a\u00c3\u00bc\n\"', /a%C3%BC%0A%22"
    })
    void uriIsEncodedByteByByte(String bytes, String encoded) {
        assertThat(SendFileField.X_ACCEL_REDIRECT.value(bytes)).isEqualTo(encoded);
        assertThat(SendFileField.X_LIGHTTPD_SEND_FILE.value(bytes)).isEqualTo(encoded);
    }

    @Test
    void pathIsAsItIs() {
        assertThat(SendFileField.X_SENDFILE.value("/a b%20\u00c3\u00bc?#")).isEqualTo("/a b%20\u00c3\u00bc?#");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a\nb", "/a\rb", "/a\0b", "/a\u007fb", "/a ", "/a\t"})
    void pathThatAFieldCannotSayIsNone(String path) {
        assertThat(SendFileField.X_SENDFILE.value(path)).isNull();
    }
}

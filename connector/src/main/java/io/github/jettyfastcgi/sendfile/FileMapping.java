package io.github.jettyfastcgi.sendfile;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The folders whose files a web server may send, and where it finds them. Immutable. */
final class FileMapping {
    static final FileMapping NONE = new FileMapping(List.of());

    /**
     * A folder.
     *
     * @param folder its real path
     * @param folderBytes the same as bytes, with a slash at its end
     * @param target what the web server has instead of it, as bytes, with a slash at its end
     */
    private record Entry(Path folder, String folderBytes, String target) {}

    private final List<Entry> entries;

    private FileMapping(List<Entry> entries) {
        this.entries = entries;
    }

    /**
     * Reads a mapping.
     *
     * @param mapping {@code folder=target} or, where the web server has the same path, {@code folder}, separated by
     *     semicolons
     * @return the mapping
     * @throws IllegalArgumentException for anything else, and for a folder that isn't there
     */
    static FileMapping parse(String mapping) {
        List<Entry> entries = new ArrayList<>();
        for (String part : mapping.split(";")) if (!part.isBlank()) entries.add(entry(part.strip()));
        // A folder within another goes first
        entries.sort(Comparator.comparing((Entry entry) -> entry.folder.getNameCount())
                .reversed());
        return new FileMapping(List.copyOf(entries));
    }

    private static Entry entry(String part) {
        int equals = part.indexOf('=');
        String name = equals < 0 ? part : part.substring(0, equals);
        String target = equals < 0 ? part : part.substring(equals + 1);
        if (!target.startsWith("/"))
            throw new IllegalArgumentException("'" + target + "' (expected: a path that begins with a slash)");
        Path folder = folder(name);
        return new Entry(folder, slashed(PathBytes.of(folder)), slashed(PathBytes.of(target)));
    }

    private static Path folder(String name) {
        try {
            Path folder = Path.of(name);
            if (folder.isAbsolute() && Files.isDirectory(folder)) return folder.toRealPath();
        } catch (InvalidPathException | IOException x) {
            throw new IllegalArgumentException("'" + name + "': " + x.getMessage());
        }
        throw new IllegalArgumentException("'" + name + "' (expected: the absolute path of a directory)");
    }

    private static String slashed(String path) {
        return path.endsWith("/") ? path : path + "/";
    }

    /**
     * Finds where the web server has a file.
     *
     * @param file the real path of the file: without symbolic links, which may lead out of a folder
     * @return its path or URI there as bytes, not encoded; {@code null} if it lies in none of the folders
     */
    String locate(Path file) {
        if (file.getFileSystem() != FileSystems.getDefault()) return null;
        for (Entry entry : entries)
            if (file.startsWith(entry.folder))
                return entry.target + PathBytes.of(file).substring(entry.folderBytes.length());
        return null;
    }
}

package io.github.jettyfastcgi.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The project's documents, and what is between fences in them. The line in front of each fence tells the snippet's name and
 * the test that runs it: {@code <!-- snippet "name", TestClass -->}.
 */
final class Documentation {
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    static final Path EXAMPLES = ROOT.resolve("connector/src/main/config/fastcgi-examples");
    private static final List<Path> FILES = walk();
    private static final Pattern MARKER = Pattern.compile(" *<!-- snippet \"([\\w-]+)\", (\\w+) -->");
    private static final Pattern FENCE = Pattern.compile("( *)```.*");

    /**
     * What is between two fences.
     *
     * @param document the file that has it
     * @param line the number of the first fence's line
     * @param name what tests call it, or null if there is no marker
     * @param test the simple name of the class that runs it, or null
     * @param text its lines, without the fence's indentation
     */
    record Snippet(Path document, int line, String name, String test, String text) {
        @Override
        public String toString() {
            return ROOT.relativize(document) + ":" + line;
        }
    }

    private Documentation() {}

    /** All documents of the project. */
    static List<Path> documents() {
        return files(".md");
    }

    /** All files of the project whose names end like this, without what builds have made. */
    static List<Path> files(String end) {
        return FILES.stream().filter(file -> file.toString().endsWith(end)).toList();
    }

    private static List<Path> walk() {
        List<Path> files = new ArrayList<>();
        try {
            Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                    String name = directory.getFileName().toString();
                    return name.equals("target") || name.startsWith(".")
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    files.add(file);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files;
    }

    /** The snippets of a document, in order. */
    static List<Snippet> snippets(Path document) {
        List<String> lines;
        try {
            lines = Files.readAllLines(document);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<Snippet> snippets = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            Matcher fence = FENCE.matcher(lines.get(i));
            if (fence.matches()) {
                int end = i + 1;
                while (!lines.get(end).equals(fence.group(1) + "```")) {
                    end++;
                }
                snippets.add(snippet(document, lines, i, end, fence.group(1)));
                i = end;
            }
        }
        return snippets;
    }

    private static Snippet snippet(Path document, List<String> lines, int begin, int end, String indentation) {
        Matcher marker = MARKER.matcher(begin == 0 ? "" : lines.get(begin - 1));
        boolean isMarked = marker.matches();
        StringBuilder text = new StringBuilder();
        for (String line : lines.subList(begin + 1, end)) {
            text.append(line.startsWith(indentation) ? line.substring(indentation.length()) : line)
                    .append('\n');
        }
        return new Snippet(
                document,
                begin + 1,
                isMarked ? marker.group(1) : null,
                isMarked ? marker.group(2) : null,
                text.toString());
    }

    /** The text of a snippet of a document at the top of the project or among the archive's examples. */
    static String snippet(String document, String name) {
        Path file = Files.exists(ROOT.resolve(document)) ? ROOT.resolve(document) : EXAMPLES.resolve(document);
        return snippets(file).stream()
                .filter(snippet -> name.equals(snippet.name()))
                .findFirst()
                .orElseThrow(() -> new AssertionError(document + " has no snippet \"" + name + "\""))
                .text();
    }
}

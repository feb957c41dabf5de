package io.github.jettyfastcgi.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A web server's configuration out of the drop-in archive, edited like an operator edits it: names, paths and ports are
 * replaced, lines that are commented out get in force. In the examples a comment begins with {@code "# "}, a line that is
 * commented out with {@code #} alone. An edit that finds nothing to edit is an error.
 */
final class ExampleConfiguration {
    private final Path file;
    private String text;

    private ExampleConfiguration(Path file, String text) {
        this.file = file;
        this.text = text;
    }

    static ExampleConfiguration read(Path file) throws IOException {
        return new ExampleConfiguration(file, Files.readString(file));
    }

    /** Replaces each occurrence. */
    ExampleConfiguration replace(String from, String to) {
        if (!text.contains(from)) {
            throw new AssertionError(file + " doesn't contain \"" + from + "\"");
        }
        text = text.replace(from, to);
        return this;
    }

    /** Puts the line in force that begins like this. */
    ExampleConfiguration enable(String begin) {
        return enable(begin, begin);
    }

    /** Puts the lines in force from the one that begins like the first text to the next that begins like the second. */
    ExampleConfiguration enable(String first, String last) {
        return edit("#" + first, "#" + last, line -> line.stripLeading().startsWith("# ") ? line : without(line));
    }

    /** Comments the line out that begins like this. */
    ExampleConfiguration disable(String begin) {
        return edit(begin, begin, line -> "#" + line);
    }

    private static String without(String line) {
        return line.replaceFirst("#", "");
    }

    private ExampleConfiguration edit(String first, String last, UnaryOperator<String> edit) {
        List<String> lines = new ArrayList<>(text.lines().toList());
        int from = indexOf(lines, 0, first);
        int to = indexOf(lines, from, last);
        for (int i = from; i <= to; i++) {
            lines.set(i, edit.apply(lines.get(i)));
        }
        text = String.join("\n", lines) + "\n";
        return this;
    }

    private int indexOf(List<String> lines, int from, String begin) {
        for (int i = from; i < lines.size(); i++) {
            if (lines.get(i).stripLeading().startsWith(begin)) {
                return i;
            }
        }
        throw new AssertionError(file + " has no line that begins with \"" + begin + "\"");
    }

    String text() {
        return text;
    }
}

package io.github.jettyfastcgi.it.benchmark;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The resources of the benchmark: applications to compile, configurations to fill in. */
final class Sources {
    private static final Pattern WORD = Pattern.compile("@(\\w+)@");

    private Sources() {}

    static String text(String name) throws IOException {
        try (InputStream input = Sources.class.getResourceAsStream("/benchmark/" + name)) {
            return new String(input.readAllBytes());
        }
    }

    /** Writes the resource into the directory, under its own name. */
    static Path copy(String name, Path directory) throws IOException {
        return Files.writeString(directory.resolve(Path.of(name).getFileName()), text(name));
    }

    /** The same with its words between at signs filled in; a word without a value is an error. */
    static Path fill(String name, Path directory, Map<String, String> values) throws IOException {
        String filled = WORD.matcher(text(name)).replaceAll(word -> {
            String value = values.get(word.group(1));
            if (value == null) {
                throw new IllegalArgumentException(name + ": no value for " + word.group());
            }
            return Matcher.quoteReplacement(value);
        });
        return Files.writeString(directory.resolve(name), filled);
    }

    /**
     * Compiles applications against the very jars they run with.
     *
     * @param names their classes' simple names
     * @param classPath the jars
     * @param output the directory of the classes, created
     */
    static void compile(List<String> names, List<Path> classPath, Path output) throws IOException {
        Path sources = Files.createDirectories(output.resolveSibling(output.getFileName() + "-sources"));
        List<Path> files = names.stream()
                .map(name -> {
                    try {
                        return copy("application/" + name + ".java", sources);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                })
                .toList();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of(
                    "-d",
                    Files.createDirectories(output).toString(),
                    "-classpath",
                    Jars.classPath(classPath),
                    "-Xlint:all,-path,-processing,-classfile",
                    "-proc:none",
                    "-Werror");
            boolean compiled = compiler.getTask(
                            messages, manager, null, options, null, manager.getJavaFileObjectsFromPaths(files))
                    .call();
            if (!compiled) {
                throw new IOException(messages.toString());
            }
        }
    }
}

package io.github.jettyfastcgi.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The sample application for the environment of the older package name: the same sources with {@code javax.servlet} for
 * {@code jakarta.servlet}, compiled with the API that the distribution has. Its JSP stays away.
 */
final class JavaxSample {
    private static final Path SOURCES =
            Path.of("..", "webapp-sample", "src", "main").toAbsolutePath();
    private static final Path API = Distribution.jettyHome().resolve(Path.of("lib", "jetty-servlet-api-4.0.9.jar"));

    private JavaxSample() {}

    /**
     * Makes a web application that isn't packed.
     *
     * @param directory of the application, created
     * @param scratch for the sources, created
     */
    static void create(Path directory, Path scratch) throws IOException {
        copy(SOURCES.resolve("java"), scratch);
        copy(SOURCES.resolve("webapp"), directory);
        compile(scratch, directory.resolve("WEB-INF").resolve("classes"));
    }

    private static void copy(Path source, Path target) throws IOException {
        for (Path file : files(source, "")) {
            Path copy = target.resolve(source.relativize(file).toString());
            Files.createDirectories(copy.getParent());
            Files.writeString(copy, Files.readString(file, UTF_8).replace("jakarta.servlet", "javax.servlet"), UTF_8);
        }
    }

    private static List<Path> files(Path directory, String ending) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> file.toString().endsWith(ending))
                    .toList();
        }
    }

    private static void compile(Path sources, Path classes) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        List<String> options =
                List.of("-d", Files.createDirectories(classes).toString(), "-classpath", API.toString(), "-proc:none");
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, UTF_8)) {
            Boolean compiled = compiler.getTask(
                            messages,
                            manager,
                            null,
                            options,
                            null,
                            manager.getJavaFileObjectsFromPaths(files(sources, ".java")))
                    .call();
            assertThat(compiled).as(messages.toString()).isTrue();
        }
    }
}

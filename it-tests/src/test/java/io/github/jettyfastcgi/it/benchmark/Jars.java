package io.github.jettyfastcgi.it.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** The jars that the applications are compiled against and run with. */
final class Jars {
    /** The jars that an embedded Jetty with servlets, Unix-domain sockets and jetty-fcgi-server takes. */
    private static final List<String> JETTY_JARS = List.of(
            "lib/jakarta.servlet-api-6.0",
            "lib/jetty-ee10-servlet-",
            "lib/jetty-http-",
            "lib/jetty-io-",
            "lib/jetty-security-",
            "lib/jetty-server-",
            "lib/jetty-session-",
            "lib/jetty-unixdomain-server-",
            "lib/jetty-util-",
            "lib/fcgi/jetty-fcgi-client-",
            "lib/fcgi/jetty-fcgi-server-",
            "lib/logging/jetty-slf4j-impl-",
            "lib/logging/slf4j-api-");

    private Jars() {}

    /** Those of an embedded Jetty, from its distribution. */
    static List<Path> ofJetty(Path home) throws IOException {
        List<Path> jars = new ArrayList<>();
        for (String prefix : JETTY_JARS) {
            Path name = home.resolve(prefix);
            jars.add(in(name.getParent()).stream()
                    .filter(jar -> jar.getFileName().toString().matches("\\Q" + name.getFileName() + "\\E[.0-9].*"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("Not in the distribution: " + prefix)));
        }
        return jars;
    }

    /** All jars of a directory. */
    static List<Path> in(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".jar")).toList();
        }
    }

    static String classPath(List<Path> jars) {
        return jars.stream().map(Path::toString).collect(Collectors.joining(":"));
    }

    /** Unpacks an archive, whose entries are to be trusted. */
    static void unzip(Path archive, Path directory) throws IOException {
        try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(archive))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path target = directory.resolve(entry.getName());
                if (entry.isDirectory()) {
                    Files.createDirectories(target);
                } else {
                    Files.createDirectories(target.getParent());
                    Files.copy(zip, target);
                }
            }
        }
    }
}

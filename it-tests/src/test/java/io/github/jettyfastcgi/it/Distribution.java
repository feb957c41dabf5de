package io.github.jettyfastcgi.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** What is tested: Jetty's distribution, our drop-in archive and the sample application, as the build laid them out. */
final class Distribution {
    private static final Path DIRECTORY = Path.of(System.getProperty("it.distribution", "target/distribution"))
            .toAbsolutePath();

    private Distribution() {}

    static Path jettyHome() {
        return DIRECTORY.resolve("jetty-home");
    }

    static Path archive() {
        return DIRECTORY.resolve("jetty-fastcgi.zip");
    }

    static Path sampleWar() {
        return DIRECTORY.resolve("webapp-sample.war");
    }

    /** Applications that others made, and what they need, as they lie in a Jetty base. */
    static Path applications() {
        return DIRECTORY.resolve("applications");
    }

    /** The jars that Jetty needs to keep sessions elsewhere: for each store a directory, as they lie in a Jetty base. */
    static Path sessionStores() {
        return DIRECTORY.resolve("session-stores");
    }

    /** The jars of an embedded Tomcat. */
    static Path tomcat() {
        return DIRECTORY.resolve("tomcat");
    }

    /** Does what a user does with {@code unzip}. */
    static void unzip(Path archive, Path directory) throws IOException {
        try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(archive))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path target = directory.resolve(entry.getName()).normalize();
                if (!target.startsWith(directory)) {
                    throw new IOException("Entry leaves the directory: " + entry.getName());
                }
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

package io.github.jettyfastcgi.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A guide of the archive for those who come from elsewhere, followed as a reader does it: snippet by snippet, with paths,
 * names and ports replaced.
 */
final class Guide {
    private static final Pattern FILE = Pattern.compile("(?:# |<!-- )((?:start\\.d|webapps)/\\S+)(?: -->)?\n(?s:.*)");

    private final String document;
    private final Path base;
    private final Map<String, String> replacements = new LinkedHashMap<>();

    /**
     * Unzips the archive.
     *
     * @param document the name of the guide
     * @param directory where {@code $JETTY_BASE} becomes a directory; short, for the sake of the socket
     */
    Guide(String document, Path directory) throws IOException {
        this.document = "coming-from/" + document;
        base = Files.createDirectory(directory.resolve("base"));
        Distribution.unzip(Distribution.archive(), base);
        replace("/srv/jetty", base.toString());
        PosixFileAttributes own = Files.readAttributes(base, PosixFileAttributes.class);
        if (!WebServerSettings.isRoot()) {
            replace("owner=www-data", "owner=" + own.owner().getName());
            replace("group=www-data", "group=" + own.group().getName());
        }
    }

    /** Replaces this text wherever it is in snippets from now on. */
    Guide replace(String text, String replacement) {
        replacements.put(text, replacement);
        return this;
    }

    String snippet(String name) {
        String text = Documentation.snippet(document, name);
        for (Map.Entry<String, String> each : replacements.entrySet()) {
            text = text.replace(each.getKey(), each.getValue());
        }
        return text;
    }

    /** Runs the commands of a snippet in the base, and returns what they say. */
    List<String> run(String name) throws InterruptedException {
        return Commands.run(snippet(name), base);
    }

    /** Writes a snippet to the file that its first line names. */
    void write(String name) throws IOException {
        String text = snippet(name);
        Matcher file = FILE.matcher(text);
        if (!file.matches()) {
            throw new AssertionError(name + " doesn't name its file");
        }
        Files.writeString(base.resolve(file.group(1)), text);
    }

    Path base() {
        return base;
    }

    /** Deploys the sample application. */
    void deploySample(String name) throws IOException {
        Files.copy(Distribution.sampleWar(), base.resolve("webapps").resolve(name + ".war"));
    }

    /** Starts Jetty as the guide has set it up. */
    ServerProcess startJetty(String... arguments) throws InterruptedException {
        return JettyBase.of(base).start(List.of("-Xmx256m"), arguments);
    }
}

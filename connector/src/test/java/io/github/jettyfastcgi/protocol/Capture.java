package io.github.jettyfastcgi.protocol;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.eclipse.jetty.util.ajax.JSON;

/**
 * What a real web server sent on one connection, byte for byte, and what these bytes mean. The description was made by
 * a decoder that has nothing in common with ours.
 *
 * @param server the web server and its version
 * @param name the name of what was recorded
 * @param file the file's name: a recording may have several connections
 * @param bytes what was sent
 * @param requests the requests in it, in the order in which they begin
 */
public record Capture(String server, String name, String file, byte[] bytes, List<Request> requests) {
    /** A variable; bytes are read as ISO-8859-1. */
    public record Variable(String name, String value) {}

    /** The size of one STDIN record. */
    public record StdinRecord(int contentLength, int paddingLength) {}

    /**
     * A request.
     *
     * @param stdinSha256 the digest of the content
     * @param stdin the content, or {@code null} where it is long
     */
    public record Request(
            int id,
            int role,
            boolean keepConnection,
            boolean paramsEnd,
            boolean stdinEnd,
            boolean aborted,
            List<Variable> params,
            List<StdinRecord> stdinRecords,
            int stdinLength,
            String stdinSha256,
            String stdin) {}

    private static final Path ROOT = root();
    private static final List<Capture> ALL = load();

    /** {@return all captures} */
    public static List<Capture> all() {
        return ALL;
    }

    /** {@return the web servers of which there are captures} */
    public static List<String> servers() {
        return ALL.stream().map(Capture::server).distinct().toList();
    }

    /** {@return the captures of one web server} */
    public static List<Capture> of(String server) {
        return ALL.stream().filter(capture -> capture.server.equals(server)).toList();
    }

    @Override
    public String toString() {
        return server + "/" + file;
    }

    private static List<Capture> load() {
        try (Stream<Path> files = Files.walk(ROOT, 2)) {
            return files.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .flatMap(Capture::read)
                    .toList();
        } catch (IOException x) {
            throw new UncheckedIOException(x);
        }
    }

    private static Stream<Capture> read(Path file) {
        try {
            Map<?, ?> description = (Map<?, ?>) new JSON().fromJSON(Files.readString(file));
            List<Capture> captures = new ArrayList<>();
            for (Object connection : (Object[]) description.get("connections")) {
                String name = (String) ((Map<?, ?>) connection).get("file");
                captures.add(new Capture(
                        description.get("server") + "-" + description.get("version"),
                        (String) description.get("case"),
                        name,
                        Files.readAllBytes(file.resolveSibling(name)),
                        list(((Map<?, ?>) connection).get("requests")).stream()
                                .map(request -> request((Map<?, ?>) request))
                                .toList()));
            }
            return captures.stream();
        } catch (IOException x) {
            throw new UncheckedIOException(x);
        }
    }

    private static Request request(Map<?, ?> json) {
        return new Request(
                number(json.get("id")),
                number(json.get("role")),
                (Boolean) json.get("keep_conn"),
                (Boolean) json.get("params_end"),
                (Boolean) json.get("stdin_end"),
                (Boolean) json.get("aborted"),
                list(json.get("params")).stream()
                        .map(Capture::list)
                        .map(pair -> new Variable((String) pair.get(0), (String) pair.get(1)))
                        .toList(),
                list(json.get("stdin_records")).stream()
                        .map(Capture::list)
                        .map(pair -> new StdinRecord(number(pair.get(0)), number(pair.get(1))))
                        .toList(),
                number(json.get("stdin_bytes")),
                (String) json.get("stdin_sha256"),
                (String) json.get("stdin"));
    }

    private static int number(Object json) {
        return ((Number) json).intValue();
    }

    private static List<?> list(Object json) {
        return Arrays.asList((Object[]) json);
    }

    private static Path root() {
        try {
            return Path.of(Capture.class.getResource("/captures").toURI());
        } catch (URISyntaxException x) {
            throw new IllegalStateException(x);
        }
    }
}

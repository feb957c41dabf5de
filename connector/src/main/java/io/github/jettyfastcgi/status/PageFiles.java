package io.github.jettyfastcgi.status;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The page, its script and its style, which is all that it needs. */
final class PageFiles {
    /** Nothing may come from elsewhere, run from within the page, or have the page in a frame. */
    static final String SECURITY_POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
                    + "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    /** A file, whole. */
    record File(String type, String text) {}

    private static final String PAGE = "status.html";

    private final Map<String, File> files = Map.of(
            PAGE,
            load(PAGE, "text/html;charset=utf-8"),
            "status.css",
            load("status.css", "text/css;charset=utf-8"),
            "status.js",
            load("status.js", "text/javascript;charset=utf-8"));

    private static File load(String name, String type) {
        try (InputStream in = PageFiles.class.getResourceAsStream(name)) {
            return new File(type, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException x) {
            throw new UncheckedIOException(x);
        }
    }

    /** {@return a script or style, or {@code null}} */
    File get(String name) {
        return name.equals(PAGE) ? null : files.get(name);
    }

    /**
     * {@return the page}
     *
     * @param folder where its files are, relative to it: the web server may have put something in front of the path
     */
    File page(String folder) {
        File page = files.get(PAGE);
        return new File(page.type(), page.text().replace("{folder}", folder));
    }
}

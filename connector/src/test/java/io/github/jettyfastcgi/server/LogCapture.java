package io.github.jettyfastcgi.server;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.eclipse.jetty.logging.JettyLevel;
import org.eclipse.jetty.logging.JettyLogger;
import org.eclipse.jetty.logging.StdErrAppender;
import org.slf4j.LoggerFactory;

/** All that is logged from its creation to its close. */
public final class LogCapture implements AutoCloseable {
    private static final JettyLogger SERVER = (JettyLogger) LoggerFactory.getLogger("io.github.jettyfastcgi.server");

    private final StdErrAppender appender = (StdErrAppender) SERVER.getAppender();
    private final PrintStream before = appender.getStream();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    public LogCapture() {
        appender.setStream(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    }

    /** Lets the connector log what it does. */
    static void debug(boolean enabled) {
        SERVER.setLevel(enabled ? JettyLevel.DEBUG : JettyLevel.INFO);
    }

    public String text() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** {@return the lines that have a word} */
    public List<String> lines(String word) {
        return text().lines().filter(line -> line.contains(word)).toList();
    }

    /** Forgets what was logged. */
    void clear() {
        bytes.reset();
    }

    @Override
    public void close() {
        appender.setStream(before);
    }
}

package io.github.jettyfastcgi.spring;

import io.github.jettyfastcgi.server.ConfigurationException;
import java.util.Locale;
import java.util.regex.Pattern;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells of a setting that can't be used by the name that it has in Spring Boot, without a stack trace. */
final class ConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<ConfigurationException> {
    private static final Pattern PROPERTY = Pattern.compile("\\bjetty\\.(fastcgi(?:\\.\\w+)+)");
    private static final Pattern CAPITAL = Pattern.compile("\\p{Lu}");

    @Override
    protected FailureAnalysis analyze(Throwable root, ConfigurationException cause) {
        String description = PROPERTY.matcher(cause.getMessage()).replaceAll(property -> kebabCase(property.group(1)));
        return new FailureAnalysis(description, "Correct the property, or what it refers to.", cause);
    }

    private static String kebabCase(String name) {
        return CAPITAL.matcher(name).replaceAll(capital -> "-" + capital.group().toLowerCase(Locale.ROOT));
    }
}

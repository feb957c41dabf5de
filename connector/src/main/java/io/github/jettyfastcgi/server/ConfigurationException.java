package io.github.jettyfastcgi.server;

/**
 * A setting that can't be used. Its message is one line that names the property; it has no stack trace, since the user
 * who made the setting has no use for one.
 */
public final class ConfigurationException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message the property, what is wrong and what was expected
     */
    public ConfigurationException(String message) {
        super(message);
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }

    /** {@return the message alone} */
    @Override
    public String toString() {
        return getMessage();
    }
}

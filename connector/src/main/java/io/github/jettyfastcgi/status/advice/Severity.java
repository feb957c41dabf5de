package io.github.jettyfastcgi.status.advice;

/** How much an advice matters. */
public enum Severity {
    /** Something could be better. */
    HINT,
    /** Something costs more than it needs to, or will fail under more load. */
    WARNING,
    /** Requests fail, or the application is told what isn't so. */
    CRITICAL
}

package io.github.jettyfastcgi.fcgispec;

import java.time.Duration;
import java.util.List;

/**
 * How a case went.
 *
 * @param observed what was observed instead of the expected, or why the case was skipped; empty when it was met
 */
record Outcome(Case subject, Result result, String observed, Duration duration) {

    enum Result {
        MET,
        UNMET,
        /** A MAY that the application doesn't use. */
        UNUSED,
        SKIPPED
    }

    /** {@return whether this is a failure, of the level or a stronger one} */
    boolean fails(Level weakest) {
        return (result == Result.UNMET || result == Result.UNUSED)
                && subject.level().compareTo(weakest) <= 0;
    }

    static long count(List<Outcome> outcomes, Result result) {
        return outcomes.stream().filter(outcome -> outcome.result == result).count();
    }

    /** {@return the outcome of a case whose expectation wasn't met} */
    static Outcome unmet(Case subject, String observed, Duration duration) {
        return new Outcome(subject, subject.level() == Level.MAY ? Result.UNUSED : Result.UNMET, observed, duration);
    }
}

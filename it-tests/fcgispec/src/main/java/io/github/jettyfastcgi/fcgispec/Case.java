package io.github.jettyfastcgi.fcgispec;

/**
 * One thing that is asked of an application.
 *
 * @param id a group, a hyphen and a name: stable, for selecting
 * @param level how much it binds
 * @param clause the specification and its section; of practice the section that comes nearest
 * @param sentence what holds
 * @param expected what is to be observed
 * @param body observes it
 */
record Case(String id, Level level, String clause, String sentence, String expected, Body body) {

    /** Returns when what was expected was observed. */
    @FunctionalInterface
    interface Body {
        /**
         * Runs the case.
         *
         * @param probe opens connections, which end with the case
         * @throws Unmet when something else was observed
         * @throws Skipped when the application lacks what the case builds on
         * @throws Exception when the connection broke in a way that the case didn't mind to think of: not met either
         */
        void run(Probe probe) throws Exception;
    }

    static Case must(String id, String clause, String sentence, String expected, Body body) {
        return new Case(id, Level.MUST, clause, sentence, expected, body);
    }

    static Case should(String id, String clause, String sentence, String expected, Body body) {
        return new Case(id, Level.SHOULD, clause, sentence, expected, body);
    }

    static Case practice(String id, String clause, String sentence, String expected, Body body) {
        return new Case(id, Level.PRACTICE, clause, sentence, expected, body);
    }

    static Case may(String id, String clause, String sentence, String expected, Body body) {
        return new Case(id, Level.MAY, clause, sentence, expected, body);
    }

    String group() {
        return id.substring(0, id.indexOf('-'));
    }
}

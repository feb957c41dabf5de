package io.github.jettyfastcgi.fcgispec;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The command line. */
public final class Main {
    private static final int ALL_MET = 0;
    private static final int SOME_UNMET = 1;
    private static final int UNUSABLE = 2;

    private Main() {}

    /**
     * Tests an application; the process exits with 0 when all was met, with 1 when something wasn't, with 2 when the
     * application or an option can't be used.
     *
     * @param arguments the address of the application, and options
     */
    public static void main(String[] arguments) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        System.exit(run(out, arguments));
    }

    static int run(PrintStream out, String... arguments) {
        Options options;
        try {
            options = Options.parse(arguments);
        } catch (IllegalArgumentException e) {
            System.err.println("fcgispec: " + e.getMessage());
            System.err.println();
            System.err.print(Options.USAGE);
            return UNUSABLE;
        }
        TextReport text = new TextReport(out);
        if (options.list()) {
            Suite.cases().stream().filter(options::selects).forEach(text::print);
            return ALL_MET;
        }
        try {
            return test(options, text);
        } catch (IOException e) {
            System.err.println("fcgispec: " + options.address().text() + ": " + e.getMessage());
        } catch (Unmet e) {
            System.err.println("fcgispec: the application at "
                    + options.address().text() + " doesn't offer what README.md asks of it: " + e.getMessage());
        }
        return UNUSABLE;
    }

    private static int test(Options options, TextReport text) throws IOException {
        List<Outcome> outcomes = Suite.run(options, text::print);
        text.printSummary(outcomes);
        if (options.junit() != null) JUnitReport.write(options, outcomes);
        boolean isMet = outcomes.stream().noneMatch(outcome -> outcome.fails(options.failOn()));
        return isMet ? ALL_MET : SOME_UNMET;
    }
}

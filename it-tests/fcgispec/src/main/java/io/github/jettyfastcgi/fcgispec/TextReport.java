package io.github.jettyfastcgi.fcgispec;

import java.io.PrintStream;
import java.util.List;

/** A line for each case, and a last one for all. */
final class TextReport {
    private final PrintStream out;

    TextReport(PrintStream out) {
        this.out = out;
    }

    void print(Case each) {
        out.println(line(each));
    }

    void print(Outcome outcome) {
        String text = "%-4s %s".formatted(word(outcome.result()), line(outcome.subject()));
        out.println(
                switch (outcome.result()) {
                    case MET -> text;
                    case UNMET, UNUSED ->
                        text + " | expected: " + outcome.subject().expected() + " | observed: " + outcome.observed();
                    case SKIPPED -> text + " | skipped: " + outcome.observed();
                });
    }

    private static String line(Case each) {
        return "%-8s %-15s %-42s %s".formatted(each.level(), each.clause(), each.id(), each.sentence());
    }

    private static String word(Outcome.Result result) {
        return switch (result) {
            case MET -> "ok";
            case UNMET -> "FAIL";
            case UNUSED -> "no";
            case SKIPPED -> "skip";
        };
    }

    void printSummary(List<Outcome> outcomes) {
        out.printf(
                "%d cases: %d met, %d failed, %d options unused, %d skipped%n",
                outcomes.size(),
                Outcome.count(outcomes, Outcome.Result.MET),
                Outcome.count(outcomes, Outcome.Result.UNMET),
                Outcome.count(outcomes, Outcome.Result.UNUSED),
                Outcome.count(outcomes, Outcome.Result.SKIPPED));
    }
}

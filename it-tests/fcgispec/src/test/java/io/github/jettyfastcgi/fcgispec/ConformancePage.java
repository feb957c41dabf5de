package io.github.jettyfastcgi.fcgispec;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** CONFORMANCE.md, written from what was observed. */
final class ConformancePage {
    /** One application's column. */
    private record Column(String name, String version, Map<Case, Outcome> outcomes) {
        long count(Outcome.Result result, Level level) {
            return outcomes.values().stream()
                    .filter(outcome -> outcome.result() == result)
                    .filter(outcome -> level == null || outcome.subject().level() == level)
                    .count();
        }
    }

    private final List<Column> columns = new ArrayList<>();
    private final StringBuilder page = new StringBuilder();

    void add(String name, String version, List<Outcome> outcomes) {
        columns.add(new Column(
                name, version, outcomes.stream().collect(Collectors.toMap(Outcome::subject, outcome -> outcome))));
    }

    String write(List<Case> cases) {
        page.append("""
                # Conformance of FastCGI applications

                What [fcgispec](README.md) observed, over Unix sockets, of applications that are made as its README says. A test
                writes this page:

                <!-- snippet "write-conformance", DocumentationTest -->
                ```
                mvn verify -pl connector,it-tests/fcgispec -Dit.test=ConformanceIT -Dfcgispec.peers=true
                ```

                Each application is one that is usual for its library: where the library leaves a clause to the application, so
                does the column. Where an application races with itself, another run may differ in a case or two.

                """);
        appendSummary();
        appendReasons();
        appendTable(cases);
        columns.forEach(column -> appendObserved(column, cases));
        return page.toString();
    }

    private void appendSummary() {
        row("", Column::name);
        row("---", column -> "---");
        row("version", Column::version);
        row("met", column -> text(column.count(Outcome.Result.MET, null)));
        for (Level level : List.of(Level.MUST, Level.SHOULD, Level.PRACTICE))
            row("failed " + level, column -> text(column.count(Outcome.Result.UNMET, level)));
        row("MAY, unused", column -> text(column.count(Outcome.Result.UNUSED, null)));
        row("skipped", column -> text(column.count(Outcome.Result.SKIPPED, null)));
    }

    private static String text(long number) {
        return Long.toString(number);
    }

    private void row(String title, Function<Column, String> cell) {
        String cells = columns.stream().map(cell).collect(Collectors.joining(" | "));
        page.append("| ").append(title).append(" | ").append(cells).append(" |\n");
    }

    private void appendReasons() {
        page.append("\n## What the connector doesn't meet, and why\n\n");
        Deviations.REASONS.forEach((id, reason) ->
                page.append("- `").append(id).append("`: ").append(reason).append(".\n"));
    }

    private void appendTable(List<Case> cases) {
        page.append("\n## The cases\n\n✓ met, ✗ failed, – skipped, \"no\" for a MAY that isn't used.\n\n");
        row("case | level | clause", Column::name);
        row("--- | --- | ---", column -> ":-:");
        for (Case each : cases)
            row(
                    "`" + each.id() + "`: " + each.sentence() + " | " + each.level() + " | " + each.clause(),
                    column -> sign(column.outcomes.get(each)));
    }

    private static String sign(Outcome outcome) {
        return switch (outcome.result()) {
            case MET -> "✓";
            case UNMET -> "**✗**";
            case UNUSED -> "no";
            case SKIPPED -> "–";
        };
    }

    private void appendObserved(Column column, List<Case> cases) {
        page.append("\n## Observed of ").append(column.name).append("\n\n");
        for (Case each : cases) {
            Outcome outcome = column.outcomes.get(each);
            if (outcome.result() == Outcome.Result.MET) continue;
            page.append("- `")
                    .append(each.id())
                    .append("`, ")
                    .append(each.level())
                    .append(": ");
            if (outcome.result() == Outcome.Result.SKIPPED) page.append("skipped, ");
            page.append(outcome.observed()).append('\n');
        }
    }
}

package io.github.jettyfastcgi.fcgispec;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** All cases, and their run against one application, one after the other. */
final class Suite {
    private Suite() {}

    static List<Case> cases() {
        return Stream.of(
                        RequestCases.all(),
                        RecordCases.all(),
                        ParamsCases.all(),
                        StdinCases.all(),
                        OutputCases.all(),
                        ResponseCases.all(),
                        ValuesCases.all(),
                        AbortCases.all(),
                        MultiplexCases.all(),
                        RoleCases.all(),
                        FaultCases.all())
                .flatMap(List::stream)
                .toList();
    }

    /**
     * Runs the cases that the options select.
     *
     * @param listener is told each outcome at once
     * @return the outcomes
     * @throws IOException when the application can't be reached
     * @throws Unmet when it doesn't offer what every case builds on
     */
    static List<Outcome> run(Options options, Consumer<Outcome> listener) throws IOException {
        Application application = new Application(options);
        application.check();
        List<Outcome> outcomes = new ArrayList<>();
        for (Case each : cases()) {
            if (!options.selects(each)) continue;
            Outcome outcome = run(each, options, application);
            listener.accept(outcome);
            outcomes.add(outcome);
        }
        return outcomes;
    }

    private static Outcome run(Case each, Options options, Application application) {
        long start = System.nanoTime();
        try (Probe probe = new Probe(options, application)) {
            each.body().run(probe);
            return new Outcome(each, Outcome.Result.MET, "", since(start));
        } catch (Skipped e) {
            return new Outcome(each, Outcome.Result.SKIPPED, e.getMessage(), since(start));
        } catch (Unmet e) {
            return Outcome.unmet(each, e.getMessage(), since(start));
        } catch (Exception e) {
            return Outcome.unmet(each, e.toString(), since(start));
        }
    }

    private static Duration since(long start) {
        return Duration.ofNanos(System.nanoTime() - start);
    }
}

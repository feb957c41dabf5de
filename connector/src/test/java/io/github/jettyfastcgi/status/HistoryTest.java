package io.github.jettyfastcgi.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HistoryTest {
    private final History history = new History();
    private final SomeFigures figures = new SomeFigures();

    @Test
    void hasNoneOfWhatCameBeforeItBegan() {
        figures.totalTimes.record(1_000_000);

        history.add(figures.get());

        assertThat(history.toMap().values()).allMatch(List::isEmpty);
    }

    @Test
    void tellsWhatCameBetweenTwoSamples() {
        figures.totalTimes.record(1L << 40); // before it begins
        history.add(figures.get());
        figures.epochMillis += 500;
        figures.finishedRequests.merge("2xx", 90L, Long::sum);
        figures.finishedRequests.merge("5xx", 10L, Long::sum);
        for (int i = 0; i < 90; i++) figures.totalTimes.record(1L << 20);
        for (int i = 0; i < 8; i++) figures.totalTimes.record(1L << 21);
        for (int i = 0; i < 2; i++) figures.totalTimes.record(1L << 22);

        history.add(figures.get());

        assertThat(history.toMap())
                .isEqualTo(Map.of(
                        "time", List.of(1_700_000_000_500L),
                        "rate", List.of(200.0),
                        "p50", List.of(1.048576),
                        "p95", List.of(2.097152),
                        "p99", List.of(4.194304),
                        "connections", List.of(12L),
                        "running", List.of(11L),
                        "waitingForThread", List.of(2L),
                        "queued", List.of(3L)));
    }

    @Test
    void noRequestsHaveNoTimes() {
        history.add(figures.get());
        figures.epochMillis += 1000;

        history.add(figures.get());

        assertThat(history.toMap().get("rate")).isEqualTo(List.of(0.0));
        for (String percentile : List.of("p50", "p95", "p99"))
            assertThat(history.toMap().get(percentile)).isEqualTo(Arrays.asList((Object) null));
    }

    /** As when the clock of the machine is set back. */
    @Test
    void timeThatDoesNotGoOnBringsNoSample() {
        history.add(figures.get());
        history.add(figures.get());
        figures.epochMillis -= 1000;
        history.add(figures.get());
        figures.epochMillis += 1;
        history.add(figures.get());

        assertThat(history.toMap().get("time")).isEqualTo(List.of(1_699_999_999_001L));
    }

    @Test
    void oldestSampleMakesRoomForTheNext() {
        for (int i = 0; i < History.SAMPLES + 3; i++) {
            history.add(figures.get());
            figures.epochMillis++;
        }

        assertThat(history.toMap().values()).allMatch(list -> list.size() == History.SAMPLES);
        assertThat(history.toMap().get("time").get(0)).isEqualTo(1_700_000_000_003L);
    }
}

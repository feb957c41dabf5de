package io.github.jettyfastcgi.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.jettyfastcgi.status.advice.Advice;
import io.github.jettyfastcgi.status.advice.Severity;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Requests that run are shown in the test of the handler. */
class TextReportTest {
    @Test
    void hasALineForEachFigure() {
        String text = TextReport.of(SomeFigures.complete().get(), List.of(), List.of(), true);

        assertThat(text.replaceAll(": +", ": ")).isEqualTo("""
                time: 2023-11-14T22:13:20Z
                open connections: 12
                opened connections: 50
                refused connections: 9
                closed connections, idle timeout: 8
                closed connections, peer: 30
                requests per connection: 32.5
                running requests: 11
                running requests, max: 1024
                requests waiting for a thread: 2
                queued requests: 3
                queued requests, max: 512
                finished requests: 745
                finished requests, 2xx: 700
                finished requests, 4xx: 40
                finished requests, 5xx: 5
                refused requests, overload: 6
                refused requests, unknown role: 4
                aborted requests: 21
                unkept requests: 22
                content length mismatches: 23
                protocol errors, unsupported version: 27
                bytes in: 100000
                bytes out: 200000
                time to first byte, mean, ms: 2.097
                time to first byte, p50, ms: 2.097
                time to first byte, p90, ms: 2.097
                time to first byte, p95, ms: 2.097
                time to first byte, p99, ms: 2.097
                time to first byte, max, ms: 2.097
                total time, mean, ms: 13.684
                total time, p50, ms: 4.194
                total time, p90, ms: 16.777
                total time, p95, ms: 33.554
                total time, p99, ms: 67.109
                total time, max, ms: 67.109
                threads, max: 190
                threads, busy: 41
                threads, idle: 19
                threads, queue: 7
                fastcgi-unix, address: /run/f.sock
                fastcgi-unix, backlog: 28
                fastcgi-tcp, address: none
                fastcgi-tcp, backlog: unknown
                """);
    }

    @Test
    void saysThatThereIsNoLimit() {
        SomeFigures figures = new SomeFigures();
        figures.maxRequests = 0;

        assertThat(TextReport.of(figures.get(), List.of(), List.of(), true))
                .containsPattern("(?m)^running requests, max: +any$");
    }

    @Test
    void hasEachAdviceBehindTheFigures() {
        List<Advice> advice = List.of(
                new Advice(Severity.CRITICAL, "A title.", "A figure.", "Where:", "a line\nanother"),
                new Advice(Severity.HINT, "Another title.", "Its figure.", "Elsewhere:", "its line"));

        String text = TextReport.of(new SomeFigures().get(), advice, List.of(), true);

        assertThat(text.substring(text.indexOf('*')).replaceAll(": +", ": ")).isEqualTo("""
                ************************
                advice: critical
                A title.
                A figure.
                Where:
                    a line
                    another

                ************************
                advice: hint
                Another title.
                Its figure.
                Elsewhere:
                    its line
                """);
    }
}

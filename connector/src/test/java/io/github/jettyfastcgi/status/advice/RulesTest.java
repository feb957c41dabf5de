package io.github.jettyfastcgi.status.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RulesTest {
    /** A rule, what makes it speak, what its advice has to say, and which web servers have a line for it. */
    private static final String CASES = """
            MissingRequestUri | SEEN_WITHOUT_URI=5 | CRITICAL | 5 of 12500 requests | REQUEST_URI $request_uri; | NGINX
            LargeHeads | LARGE_HEADS=90 LARGE_HEAD_ENDS=80 | CRITICAL \
                | 80 connections were closed upon one of the 90 responses | fastcgi_buffer_size 64k; | NGINX
            LargeHeads | LARGE_HEADS=90 LARGE_HEAD_ENDS=80 LARGEST_HEAD=99 | CRITICAL \
                | the largest had 99. | fastcgi_buffer_size 16k; | NGINX
            LargeHeads | LARGE_HEADS=100000 LARGE_HEAD_ENDS=99000 CLOSED_AT_ONCE=99000 | WARNING \
                | 100000 responses had header fields of 4000 bytes or more | fastcgi_buffers 8 64k; | NGINX
            TrustedForwarding | SEEN_FORWARDED=5 | CRITICAL | 5 of 12500 requests | ForwardedRequestCustomizer | ANY
            LostPort | SEEN_WITHOUT_PORT=5 | WARNING | 5 of 12500 requests | HTTP_HOST $http_host; | NGINX
            BusyThreads | SATURATED_SAMPLES=90 | WARNING \
                | All 194 threads were busy, and requests waited, for 30 % of the time | maxThreads=388 | ANY
            BusyThreads | SATURATED_SAMPLES=90 MAX_THREADS=50 | WARNING | All 50 threads | maxThreads=200 | ANY
            IdleThreads | MAX_THREADS=1994 | HINT | 60 of 1994 threads were busy | maxThreads=240 | ANY
            IdleThreads | MAX_THREADS=1994 PEAK_BUSY_THREADS=10 | HINT | 10 of 1994 threads | maxThreads=200 | ANY
            QueuedRequests | OVERLOADS=1 | CRITICAL \
                | 1 % of the time, 1 were refused | jetty.fastcgi.maxRequests=2048 | ANY
            QueuedRequests | WAITING_SAMPLES=90 | WARNING \
                | 30 % of the time, 0 were refused | jetty.fastcgi.maxRequests=2048 | ANY
            QueuedRequests | WAITING_SAMPLES=90 PEAK_RUNNING_REQUESTS=2000 | WARNING \
                | 30 % of the time, 0 were refused | jetty.fastcgi.maxRequests=4000 | ANY
            ShortIdleTimeout | IDLE_TIMEOUTS=12 IDLE_TIMEOUT_MILLIS=60999 | WARNING \
                | 12 of 120 connections ended after 60999 ms | jetty.fastcgi.idleTimeout=90000 | NGINX
            ShortIdleTimeout | IDLE_TIMEOUTS=12 IDLE_TIMEOUT_MILLIS=61000 | WARNING \
                | 12 of 120 connections ended after 61000 ms | keepalive_timeout 60s; | NGINX
            AbortedRequests | UNANSWERED_ABORTS=5000 ABORT_P10_MILLIS=60000 ABORT_P90_MILLIS=90000 | WARNING \
                | 5000 requests, 5 %, were given up before their response began, most of them 60000 to 90000 ms old \
                | 180 | KNOWN
            AbortedRequests | UNANSWERED_ABORTS=5000 ABORT_P10_MILLIS=1000 ABORT_P90_MILLIS=1200 | WARNING \
                | most of them 1000 to 1200 ms old | 60 | KNOWN
            AbortedRequests | UNANSWERED_ABORTS=5000 ABORT_P10_MILLIS=6000 ABORT_P90_MILLIS=9001 | HINT \
                | most of them 6000 to 9001 ms old | jetty.fastcgi.slowlog.threshold=6000 | ANY
            AbortedRequests | UNANSWERED_ABORTS=5000 | HINT \
                | most of them 100 to 9000 ms old | jetty.fastcgi.slowlog.threshold=1000 | ANY
            UnkeptConnections | UNKEPT_REQUESTS=50000 LARGE_HEADS=0 | WARNING \
                | 50100 of 100000 requests | e | NGINX APACHE HAPROXY
            UnkeptConnections | CLOSED_AT_ONCE=90000 | WARNING | 90000 of 100000 requests | e | NGINX APACHE HAPROXY
            SmallPool | CLOSED_AT_ONCE=2000 | HINT | one for 50 requests; up to 70 requests | e | NGINX HAPROXY
            GatheredContent | GATHERED_REQUESTS=25 | HINT | 25 of 50 requests | request | NGINX LIGHTTPD
            LocalTCP | SEEN_LOCAL_TCP=12500 | HINT \
                | 12500 of 12500 requests | /srv/jetty/run/fastcgi.sock | KNOWN
            LargeFiles | SEEN_LARGE_FILES=5 | HINT | 5 of 12500 requests | /srv/files | NGINX LIGHTTPD APACHE
            UnusedSessions | SEEN_UNUSED_SESSIONS=720 | HINT | 80 % of 900 sessions | page session="false" | ANY
            """;

    /** What a busy site with nothing wrong looks like. */
    private static Map<Figure, Long> good() {
        Map<Figure, Long> figures = new EnumMap<>(Figure.class);
        figures.put(Figure.REQUESTS, 100_000L);
        figures.put(Figure.CLOSED_AT_ONCE, 100L); // nginx closes each after 1000 requests
        figures.put(Figure.CLOSED_CONNECTIONS, 120L);
        figures.put(Figure.UNANSWERED_ABORTS, 200L);
        figures.put(Figure.ABORT_P10_MILLIS, 100L);
        figures.put(Figure.ABORT_P90_MILLIS, 9_000L);
        figures.put(Figure.LARGE_HEADS, 20L);
        figures.put(Figure.REQUESTS_EVER, 9_000_000L);
        figures.put(Figure.STREAMED_REQUESTS, 50L);
        figures.put(Figure.LARGEST_HEAD, 20_000L);
        figures.put(Figure.IDLE_TIMEOUT_MILLIS, 90_000L);
        figures.put(Figure.MAX_REQUESTS, 1024L);
        figures.put(Figure.MAX_THREADS, 194L);
        figures.put(Figure.PEAK_BUSY_THREADS, 60L);
        figures.put(Figure.PEAK_RUNNING_REQUESTS, 70L);
        figures.put(Figure.SAMPLES, 300L);
        figures.put(Figure.SATURATED_SAMPLES, 3L);
        figures.put(Figure.WAITING_SAMPLES, 3L);
        figures.put(Figure.SEEN_REQUESTS, 12_500L);
        figures.put(Figure.SEEN_SESSIONS, 900L);
        figures.put(Figure.SEEN_UNUSED_SESSIONS, 300L);
        return figures;
    }

    /** {@return what a good site looks like where these figures, NAME=VALUE divided by blanks, are others} */
    private static Observations with(WebServer server, String changed) {
        Map<Figure, Long> figures = good();
        for (String each : changed.split(" ")) {
            String[] nameAndValue = each.split("=");
            figures.put(Figure.valueOf(nameAndValue[0]), Long.valueOf(nameAndValue[1]));
        }
        return new Observations(server, "/srv/jetty/run/fastcgi.sock", figures);
    }

    private static Rule rule(String name) {
        return Rule.ALL.stream()
                .filter(each -> each.getClass().getSimpleName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** {@return web servers by their names, {@code KNOWN} for all whose name is known, {@code ANY} for all} */
    private static Set<WebServer> servers(String names) {
        return switch (names) {
            case "ANY" -> EnumSet.allOf(WebServer.class);
            case "KNOWN" -> EnumSet.complementOf(EnumSet.of(WebServer.OTHER));
            default -> Arrays.stream(names.split(" ")).map(WebServer::valueOf).collect(Collectors.toSet());
        };
    }

    @ParameterizedTest
    @EnumSource
    void goodConfigurationsGetNoAdvice(WebServer server) {
        assertThat(Rule.checkAll(new Observations(server, "", good()))).isEmpty();
        assertThat(Rule.checkAll(new Observations(server, "", Map.of()))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = CASES)
    void speaksOfWhatIsWrongToThoseWhoCanChangeIt(
            String rule, String wrong, Severity severity, String figure, String change, String servers) {
        for (WebServer server : WebServer.values()) {
            Advice advice = rule(rule).check(with(server, wrong));

            if (servers(servers).contains(server)) {
                assertThat(advice).as(server.toString()).isNotNull();
                assertThat(advice.severity()).isEqualTo(severity);
                assertThat(advice.figure()).contains(figure);
                assertThat(advice.change()).contains(change);
                assertThat(advice.title()).endsWith(".");
                assertThat(advice.where()).endsWith(":");
                assertThat(Rule.checkAll(with(server, wrong)))
                        .as("no other rule")
                        .containsExactly(advice);
            } else {
                assertThat(advice).as(server.toString()).isNull();
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            MissingRequestUri | SEEN_WITHOUT_URI=5                             | SEEN_WITHOUT_URI=4
            LargeHeads        | LARGE_HEADS=3 LARGE_HEAD_ENDS=3                | LARGE_HEADS=2
            LargeHeads        | LARGE_HEADS=100 LARGE_HEAD_ENDS=80             | LARGE_HEAD_ENDS=79
            LargeHeads        | UNKEPT_REQUESTS=50000                          | UNKEPT_REQUESTS=49999
            TrustedForwarding | SEEN_FORWARDED=5                               | SEEN_FORWARDED=4
            LostPort          | SEEN_WITHOUT_PORT=5                            | SEEN_WITHOUT_PORT=4
            BusyThreads       | SATURATED_SAMPLES=90                           | SATURATED_SAMPLES=89
            BusyThreads       | SAMPLES=10 SATURATED_SAMPLES=5                 | SATURATED_SAMPLES=4
            IdleThreads       | MAX_THREADS=500 PEAK_BUSY_THREADS=1            | MAX_THREADS=499
            IdleThreads       | MAX_THREADS=2000 PEAK_BUSY_THREADS=100         | PEAK_BUSY_THREADS=101
            IdleThreads       | MAX_THREADS=2000 REQUESTS_EVER=5000            | REQUESTS_EVER=4999
            QueuedRequests    | OVERLOADS=1                                    | OVERLOADS=0
            QueuedRequests    | WAITING_SAMPLES=90                             | WAITING_SAMPLES=89
            QueuedRequests    | SAMPLES=10 WAITING_SAMPLES=5                   | WAITING_SAMPLES=4
            ShortIdleTimeout  | IDLE_TIMEOUTS=12                               | IDLE_TIMEOUTS=11
            ShortIdleTimeout  | CLOSED_CONNECTIONS=10 IDLE_TIMEOUTS=3          | IDLE_TIMEOUTS=2
            AbortedRequests   | UNANSWERED_ABORTS=5000                         | UNANSWERED_ABORTS=4999
            AbortedRequests   | REQUESTS=200 UNANSWERED_ABORTS=20              | UNANSWERED_ABORTS=19
            AbortedRequests   | REQUESTS=50 UNANSWERED_ABORTS=5 ABORT_P90_MILLIS=100 | UNANSWERED_ABORTS=4
            AbortedRequests   | UNANSWERED_ABORTS=5000                         | SLOW_LOG_MILLIS=5000
            UnkeptConnections | UNKEPT_REQUESTS=49900                          | UNKEPT_REQUESTS=49899
            UnkeptConnections | REQUESTS=100 UNKEPT_REQUESTS=100               | REQUESTS=99
            UnkeptConnections | CLOSED_AT_ONCE=50080 LARGE_HEAD_ENDS=80        | LARGE_HEAD_ENDS=81
            SmallPool         | CLOSED_AT_ONCE=1000                            | CLOSED_AT_ONCE=999
            SmallPool         | CLOSED_AT_ONCE=49999                           | CLOSED_AT_ONCE=50000
            SmallPool         | REQUESTS=1000 CLOSED_AT_ONCE=50                | CLOSED_AT_ONCE=49
            GatheredContent   | GATHERED_REQUESTS=25                           | GATHERED_REQUESTS=24
            GatheredContent   | STREAMED_REQUESTS=5 GATHERED_REQUESTS=5        | GATHERED_REQUESTS=4
            LocalTCP          | SEEN_LOCAL_TCP=6250                            | SEEN_LOCAL_TCP=6249
            LocalTCP          | SEEN_REQUESTS=20 SEEN_LOCAL_TCP=20             | SEEN_LOCAL_TCP=19
            LargeFiles        | SEEN_LARGE_FILES=5                             | SEEN_LARGE_FILES=4
            UnusedSessions    | SEEN_UNUSED_SESSIONS=720                       | SEEN_UNUSED_SESSIONS=719
            UnusedSessions    | SEEN_SESSIONS=50 SEEN_UNUSED_SESSIONS=50       | SEEN_SESSIONS=49
            """)
    void isSilentJustBeyondEachOfItsLimits(String rule, String wrong, String mended) {
        assertThat(rule(rule).check(with(WebServer.NGINX, wrong))).isNotNull();
        assertThat(rule(rule).check(with(WebServer.NGINX, wrong + " " + mended)))
                .isNull();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            AbortedRequests   | UNANSWERED_ABORTS=5000 ABORT_P90_MILLIS=100     | NGINX    | fastcgi_read_timeout 60s;
            AbortedRequests   | UNANSWERED_ABORTS=5000 ABORT_P90_MILLIS=100     | APACHE   | timeout=60
            AbortedRequests   | UNANSWERED_ABORTS=5000 ABORT_P90_MILLIS=100     | LIGHTTPD | "read-timeout" => 60,
            AbortedRequests   | UNANSWERED_ABORTS=5000 ABORT_P90_MILLIS=100     | HAPROXY  | timeout server 60s
            AbortedRequests   | UNANSWERED_ABORTS=5000 ABORT_P90_MILLIS=100     | CADDY    | read_timeout 60s
            AbortedRequests   | UNANSWERED_ABORTS=5000 ABORT_P90_MILLIS=100     | H2O      | fastcgi.timeout.io: 60000
            UnkeptConnections | UNKEPT_REQUESTS=50000                           | NGINX    | keepalive 128;
            UnkeptConnections | UNKEPT_REQUESTS=50000 PEAK_RUNNING_REQUESTS=7   | NGINX    | keepalive 16;
            UnkeptConnections | UNKEPT_REQUESTS=50000                           | NGINX    | fastcgi_keep_conn on;
            UnkeptConnections | UNKEPT_REQUESTS=50000                           | APACHE   | enablereuse=on ttl=60
            UnkeptConnections | UNKEPT_REQUESTS=50000                           | HAPROXY  | option keep-conn
            SmallPool         | CLOSED_AT_ONCE=2000                             | NGINX    | keepalive 256;
            SmallPool         | CLOSED_AT_ONCE=2000                             | HAPROXY  | http-reuse always
            GatheredContent   | GATHERED_REQUESTS=25                            | NGINX    | fastcgi_request_buffering off;
            GatheredContent   | GATHERED_REQUESTS=25                            | LIGHTTPD | server.stream-request-body = 2
            LargeFiles        | SEEN_LARGE_FILES=5                              | NGINX    | internal;
            LargeFiles        | SEEN_LARGE_FILES=5                              | APACHE   | XSendFile on
            LargeFiles        | SEEN_LARGE_FILES=5                              | LIGHTTPD | "x-sendfile" => "enable",
            LocalTCP          | SEEN_LOCAL_TCP=12500                            | CADDY    | reverse_proxy unix//srv/jetty/
            """)
    void linesAreThoseOfTheWebServer(String rule, String wrong, WebServer server, String line) {
        assertThat(rule(rule).check(with(server, wrong)).change()).contains(line);
    }

    @Test
    void headsOfConnectionsThatAreNotKeptMayBeRefused() {
        Observations unkept = with(WebServer.NGINX, "UNKEPT_REQUESTS=100000 LARGE_HEADS=3 LARGEST_HEAD=5000");

        assertThat(Rule.checkAll(unkept))
                .extracting(Advice::severity, Advice::change)
                .contains(tuple(Severity.WARNING, "fastcgi_buffer_size 16k;\nfastcgi_buffers 8 16k;"));
    }

    /** Ten minutes in which little happens, whatever it was, are no reason to change anything that matters to nobody. */
    @ParameterizedTest
    @EnumSource
    void littleTrafficIsNoReason(WebServer server) {
        Observations seen = with(
                server,
                "REQUESTS=60 REQUESTS_EVER=4000 UNKEPT_REQUESTS=60 CLOSED_AT_ONCE=0 CLOSED_CONNECTIONS=60"
                        + " UNANSWERED_ABORTS=4 LARGE_HEADS=2 MAX_THREADS=1994 SEEN_REQUESTS=60"
                        + " SEEN_SESSIONS=40 SEEN_UNUSED_SESSIONS=40 SEEN_LARGE_FILES=4 SEEN_LOCAL_TCP=19");

        assertThat(Rule.checkAll(seen)).isEmpty();
    }

    @Test
    void everyRuleIsTested() {
        assertThat(Rule.ALL)
                .extracting(each -> each.getClass().getSimpleName())
                .containsExactlyInAnyOrderElementsOf(
                        CASES.lines().map(line -> line.split(" ", 2)[0]).collect(Collectors.toSet()));
    }

    @Test
    void whatMattersMostComesFirst() {
        List<Advice> advice = Rule.checkAll(with(WebServer.NGINX, "SEEN_LOCAL_TCP=12000 SEEN_WITHOUT_URI=12000"));

        assertThat(advice).extracting(Advice::severity).containsExactly(Severity.CRITICAL, Severity.HINT);
    }

    @ParameterizedTest
    @CsvSource({
        "nginx/1.22.1, NGINX",
        "Apache/2.4.71 (Debian), APACHE",
        "lighttpd/1.4.69, LIGHTTPD",
        "HAProxy 2.6.12, HAPROXY",
        "Caddy/v2.6.2, CADDY",
        "h2o/2.2.5, H2O",
        "something else, OTHER",
        ", OTHER"
    })
    void webServersAreKnownByTheirSoftware(String software, WebServer server) {
        assertThat(WebServer.of(software)).isEqualTo(server);
    }
}

package io.github.jettyfastcgi.status.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class RulesTest {
    private static final Set<WebServer> ALL = EnumSet.of(
            WebServer.NGINX, WebServer.APACHE, WebServer.LIGHTTPD, WebServer.HAPROXY, WebServer.CADDY, WebServer.H2O);
    private static final Set<WebServer> NGINX = EnumSet.of(WebServer.NGINX);

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

    private static Observations with(WebServer server, Map<Figure, Long> changed) {
        Map<Figure, Long> figures = good();
        figures.putAll(changed);
        return new Observations(server, "/srv/jetty/run/fastcgi.sock", figures);
    }

    @ParameterizedTest
    @EnumSource
    void goodConfigurationsGetNoAdvice(WebServer server) {
        assertThat(Rule.checkAll(with(server, Map.of()))).isEmpty();
        assertThat(Rule.checkAll(new Observations(server, "", Map.of()))).isEmpty();
    }

    /** A rule, what makes it speak, what its text has to say, and for which web servers it has a line. */
    private record Case(
            Rule rule,
            Map<Figure, Long> wrong,
            Severity severity,
            String figure,
            String change,
            Set<WebServer> servers) {}

    static Stream<Case> cases() {
        return Stream.of(
                new Case(
                        new MissingRequestUri(),
                        Map.of(Figure.SEEN_WITHOUT_URI, 5L),
                        Severity.CRITICAL,
                        "5 of 12500 requests",
                        "fastcgi_param REQUEST_URI $request_uri;",
                        NGINX),
                new Case(
                        new LargeHeads(),
                        Map.of(Figure.LARGE_HEAD_ENDS, 80L, Figure.LARGE_HEADS, 90L, Figure.LARGEST_HEAD, 6000L),
                        Severity.CRITICAL,
                        "80 connections were closed upon one of the 90 responses",
                        "fastcgi_buffer_size 16k;",
                        NGINX),
                new Case(
                        new LargeHeads(),
                        Map.of(Figure.LARGE_HEAD_ENDS, 80L, Figure.LARGE_HEADS, 80L, Figure.LARGEST_HEAD, 20_000L),
                        Severity.CRITICAL,
                        "the largest had 20000.",
                        "fastcgi_buffer_size 64k;",
                        NGINX),
                new Case(
                        new LargeHeads(),
                        Map.of(
                                Figure.LARGE_HEAD_ENDS,
                                99_000L,
                                Figure.LARGE_HEADS,
                                100_000L,
                                Figure.CLOSED_AT_ONCE,
                                99_000L,
                                Figure.LARGEST_HEAD,
                                6000L),
                        Severity.WARNING,
                        "100000 responses had header fields of 4000 bytes or more; the largest had 6000.",
                        "fastcgi_buffer_size 16k;",
                        NGINX),
                new Case(
                        new TrustedForwarding(),
                        Map.of(Figure.SEEN_FORWARDED, 5L),
                        Severity.CRITICAL,
                        "5 of 12500 requests",
                        "ForwardedRequestCustomizer",
                        EnumSet.allOf(WebServer.class)),
                new Case(
                        new LostPort(),
                        Map.of(Figure.SEEN_WITHOUT_PORT, 5L),
                        Severity.WARNING,
                        "5 of 12500 requests",
                        "fastcgi_param HTTP_HOST $http_host;",
                        NGINX),
                new Case(
                        new BusyThreads(),
                        Map.of(Figure.SATURATED_SAMPLES, 90L),
                        Severity.WARNING,
                        "30 % of the time",
                        "jetty.threadPool.maxThreads=388",
                        EnumSet.allOf(WebServer.class)),
                new Case(
                        new IdleThreads(),
                        Map.of(Figure.MAX_THREADS, 1994L),
                        Severity.HINT,
                        "60 of 1994 threads were busy since the start",
                        "jetty.threadPool.maxThreads=240",
                        EnumSet.allOf(WebServer.class)),
                new Case(
                        new QueuedRequests(),
                        Map.of(Figure.OVERLOADS, 1L),
                        Severity.CRITICAL,
                        "1 were refused",
                        "jetty.fastcgi.maxRequests=2048",
                        EnumSet.allOf(WebServer.class)),
                new Case(
                        new QueuedRequests(),
                        Map.of(Figure.WAITING_SAMPLES, 90L),
                        Severity.WARNING,
                        "30 % of the time",
                        "jetty.fastcgi.maxRequests=2048",
                        EnumSet.allOf(WebServer.class)),
                new Case(
                        new ShortIdleTimeout(),
                        Map.of(Figure.IDLE_TIMEOUTS, 12L, Figure.IDLE_TIMEOUT_MILLIS, 30_000L),
                        Severity.WARNING,
                        "12 of 120 connections ended after 30000 ms",
                        "jetty.fastcgi.idleTimeout=90000",
                        NGINX),
                new Case(
                        new ShortIdleTimeout(),
                        Map.of(Figure.IDLE_TIMEOUTS, 12L),
                        Severity.WARNING,
                        "12 of 120 connections ended after 90000 ms",
                        "keepalive_timeout 60s;",
                        NGINX),
                new Case(
                        new AbortedRequests(),
                        Map.of(
                                Figure.UNANSWERED_ABORTS,
                                5_000L,
                                Figure.ABORT_P10_MILLIS,
                                60_000L,
                                Figure.ABORT_P90_MILLIS,
                                61_000L),
                        Severity.WARNING,
                        "5000 requests, 5 %, were given up before their response began, most of them 60000 to 61000 ms old",
                        "122",
                        ALL),
                new Case(
                        new AbortedRequests(),
                        Map.of(Figure.UNANSWERED_ABORTS, 5_000L, Figure.ABORT_P10_MILLIS, 3_000L),
                        Severity.HINT,
                        "5000 requests, 5 %, were given up before their response began, most of them 3000 to 9000 ms old",
                        "jetty.fastcgi.slowlog.threshold=3000",
                        EnumSet.allOf(WebServer.class)),
                new Case(
                        new UnkeptConnections(),
                        Map.of(Figure.UNKEPT_REQUESTS, 50_000L, Figure.LARGE_HEADS, 0L),
                        Severity.WARNING,
                        "50100 of 100000 requests",
                        "keep",
                        EnumSet.of(WebServer.NGINX, WebServer.HAPROXY)),
                new Case(
                        new UnkeptConnections(),
                        Map.of(Figure.CLOSED_AT_ONCE, 90_000L),
                        Severity.WARNING,
                        "90000 of 100000 requests",
                        "e",
                        EnumSet.of(WebServer.NGINX, WebServer.APACHE, WebServer.HAPROXY)),
                new Case(
                        new SmallPool(),
                        Map.of(Figure.CLOSED_AT_ONCE, 2_000L),
                        Severity.HINT,
                        "one for 50 requests; up to 70 requests",
                        "",
                        EnumSet.of(WebServer.NGINX, WebServer.HAPROXY)),
                new Case(
                        new GatheredContent(),
                        Map.of(Figure.GATHERED_REQUESTS, 25L),
                        Severity.HINT,
                        "25 of 50 requests",
                        "request",
                        EnumSet.of(WebServer.NGINX, WebServer.LIGHTTPD)),
                new Case(
                        new LocalTCP(),
                        Map.of(Figure.SEEN_LOCAL_TCP, 12_500L),
                        Severity.HINT,
                        "12500 of 12500 requests",
                        "/srv/jetty/run/fastcgi.sock",
                        ALL),
                new Case(
                        new LargeFiles(),
                        Map.of(Figure.SEEN_LARGE_FILES, 5L),
                        Severity.HINT,
                        "5 of 12500 requests",
                        "/srv/files",
                        EnumSet.of(WebServer.NGINX, WebServer.LIGHTTPD, WebServer.APACHE)),
                new Case(
                        new UnusedSessions(),
                        Map.of(Figure.SEEN_UNUSED_SESSIONS, 720L),
                        Severity.HINT,
                        "80 % of 900 sessions",
                        "<%@ page session=\"false\" %>",
                        EnumSet.allOf(WebServer.class)));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void speaksOfWhatIsWrongToThoseWhoCanChangeIt(Case each) {
        for (WebServer server : each.servers()) {
            Advice advice = each.rule().check(with(server, each.wrong()));
            assertThat(advice).as(server.toString()).isNotNull();
            assertThat(advice.severity()).isEqualTo(each.severity());
            assertThat(advice.figure()).contains(each.figure());
            assertThat(advice.change()).contains(each.change());
            assertThat(advice.title()).endsWith(".");
            assertThat(advice.where()).endsWith(":");
            assertThat(Rule.checkAll(with(server, each.wrong())))
                    .as("no other rule")
                    .containsExactly(advice);
        }
        boolean hasTable = each.servers().size() < WebServer.values().length;
        if (hasTable)
            assertThat(each.rule().check(with(WebServer.OTHER, each.wrong()))).isNull();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void isSilentJustBelowItsThreshold(Case each) {
        Figure trigger = each.wrong().keySet().stream()
                .filter(figure -> figure != Figure.LARGEST_HEAD
                        && figure != Figure.LARGE_HEADS
                        && figure != Figure.ABORT_P10_MILLIS
                        && figure != Figure.ABORT_P90_MILLIS
                        && (figure != Figure.CLOSED_AT_ONCE || each.wrong().size() == 1)
                        && figure != Figure.IDLE_TIMEOUT_MILLIS)
                .findFirst()
                .orElseThrow();
        Map<Figure, Long> nearly = new EnumMap<>(each.wrong());
        nearly.merge(trigger, 0L, (wrong, zero) -> wrong / 4);

        assertThat(each.rule().check(with(WebServer.NGINX, nearly))).isNull();
    }

    @Test
    void headsOfConnectionsThatAreNotKeptMayBeRefused() {
        Observations unkept = with(
                WebServer.NGINX,
                Map.of(Figure.UNKEPT_REQUESTS, 100_000L, Figure.LARGE_HEADS, 3L, Figure.LARGEST_HEAD, 5_000L));

        assertThat(Rule.checkAll(unkept))
                .extracting(Advice::severity, Advice::change)
                .contains(tuple(Severity.WARNING, "fastcgi_buffer_size 16k;\nfastcgi_buffers 8 16k;"));
    }

    /** What an administrator has applied who was told that clients go. */
    @Test
    void clientsThatGoAreNoNewsWhereTheSlowLogIsOn() {
        Map<Figure, Long> gone = Map.of(Figure.UNANSWERED_ABORTS, 5_000L, Figure.SLOW_LOG_MILLIS, 5_000L);

        assertThat(Rule.checkAll(with(WebServer.NGINX, gone))).isEmpty();
    }

    /** Ten minutes in which little happens, whatever it was, are no reason to change anything that matters to nobody. */
    @ParameterizedTest
    @EnumSource
    void littleTrafficIsNoReason(WebServer server) {
        Map<Figure, Long> figures = new EnumMap<>(good());
        figures.putAll(Map.of(
                Figure.REQUESTS, 60L,
                Figure.REQUESTS_EVER, 4_000L,
                Figure.UNKEPT_REQUESTS, 60L,
                Figure.CLOSED_AT_ONCE, 0L,
                Figure.CLOSED_CONNECTIONS, 60L,
                Figure.UNANSWERED_ABORTS, 4L,
                Figure.LARGE_HEADS, 2L,
                Figure.MAX_THREADS, 1_994L,
                Figure.SEEN_REQUESTS, 60L));
        figures.putAll(Map.of(
                Figure.SEEN_SESSIONS, 40L,
                Figure.SEEN_UNUSED_SESSIONS, 40L,
                Figure.SEEN_LARGE_FILES, 4L,
                Figure.SEEN_LOCAL_TCP, 19L));

        assertThat(Rule.checkAll(new Observations(server, "/run/f.sock", figures)))
                .isEmpty();
    }

    @Test
    void everyRuleIsTested() {
        Set<Class<?>> tested = cases().map(each -> each.rule().getClass()).collect(Collectors.toSet());

        assertThat(Rule.ALL).allMatch(rule -> tested.contains(rule.getClass()));
        assertThat(tested).hasSameSizeAs(Rule.ALL);
    }

    @Test
    void whatMattersMostComesFirst() {
        Map<Figure, Long> wrong = Map.of(Figure.SEEN_LOCAL_TCP, 12_000L, Figure.SEEN_WITHOUT_URI, 12_000L);

        List<Advice> advice = Rule.checkAll(with(WebServer.NGINX, wrong));

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

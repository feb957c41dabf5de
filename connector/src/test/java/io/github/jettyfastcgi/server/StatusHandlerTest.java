package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.jettyfastcgi.protocol.FastCGIException;
import io.github.jettyfastcgi.status.StatusHandler;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.server.ForwardedRequestCustomizer;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ajax.JSON;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The status as a web server gets it. */
class StatusHandlerTest extends ConnectionTestBase {
    private static final String STATUS = "/fastcgi-status";

    private final Exchanges exchanges = new Exchanges();
    private final StatusHandler status = new StatusHandler(new Handler.Abstract() {
        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            return exchanges.handle(request, response, callback);
        }
    });

    private void startStatus(Transport transport) throws Exception {
        status.setInterval(20);
        startWith(transport, status);
    }

    private Answer ask(SocketPeer peer, String uri, String... variables) throws Exception {
        peer.get(1, uri, variables).send();
        return peer.readAnswer(1);
    }

    private Answer askFromHere(String uri) throws Exception {
        return ask(connect(), uri, "REMOTE_ADDR", "127.0.0.1", "REMOTE_PORT", "45000");
    }

    @Test
    void pingAnswersPong() throws Exception {
        startStatus(Transport.UNIX);

        Answer answer = askFromHere(STATUS + "/ping");

        answer.assertText("pong\n");
        assertThat(answer.field("Cache-Control")).isEqualTo("no-store");
        assertThat(exchanges.isEmpty()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "'', text/html;charset=utf-8, <title>FastCGI status</title>",
        "'?whatever', text/html;charset=utf-8, <title>FastCGI status</title>",
        "'/status.js', text/javascript;charset=utf-8, fetch(",
        "'/status.css', text/css;charset=utf-8, prefers-color-scheme: dark",
        "'?json', application/json, '\"requests\":{\"running\":1'",
        "'?openmetrics', application/openmetrics-text; version=1.0.0; charset=utf-8, fastcgi_requests_running 1",
        "'?full', text/plain;charset=utf-8, running requests:",
        "'?json&full', application/json, '\"running\":['",
        "'?full&json', application/json, '\"running\":['",
        "'?openmetrics&full', application/openmetrics-text; version=1.0.0; charset=utf-8, fastcgi_requests_running 1",
        "'?full&x=1', text/plain;charset=utf-8, running requests:",
        "'?jsonp', text/html;charset=utf-8, <title>FastCGI status</title>"
    })
    void answersInEachForm(String below, String type, String content) throws Exception {
        startStatus(Transport.UNIX);

        Answer answer = askFromHere(STATUS + below);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.field("Content-Type")).isEqualTo(type);
        assertThat(answer.field("Content-Security-Policy")).startsWith("default-src 'none'; script-src 'self';");
        assertThat(answer.text()).contains(content);
    }

    @Test
    void thePageNamesItsFilesRelativeToItself() throws Exception {
        status.setPath("/admin/fastcgi");
        startStatus(Transport.UNIX);

        assertThat(askFromHere("/admin/fastcgi").text())
                .contains("href=\"fastcgi/status.css\"", "src=\"fastcgi/status.js\"")
                .doesNotContain("{folder}", "http:", "https:", " style=", "<script>", " onclick");
        askFromHere("/admin/fastcgi/ping").assertText("pong\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/", "/fastcgi-statu", "/fastcgi-statuses", "/fastcgi-status;x/../other", "/app/fastcgi-status"})
    void otherPathsPass(String uri) throws Exception {
        startStatus(Transport.UNIX);
        SocketPeer peer = connect();
        peer.get(1, uri, "REMOTE_ADDR", "127.0.0.1").send();

        exchanges.next().answer("theirs");

        peer.readAnswer(1).assertText("theirs");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/nothing", "/", "/status.html", "/../fastcgi-status/x", "/ping/"})
    void whatIsBelowItIsItsOwn(String below) throws Exception {
        startStatus(Transport.UNIX);

        assertThat(askFromHere(STATUS + below).status()).isEqualTo(404);
    }

    @Test
    void otherMethodsAreRefused() throws Exception {
        startStatus(Transport.UNIX);
        SocketPeer peer = connect();
        peer.head(1, Wire.KEEP, "POST", STATUS, "REMOTE_ADDR", "127.0.0.1")
                .endStdin(1)
                .send();

        Answer answer = peer.readAnswer(1);

        assertThat(answer.status()).isEqualTo(405);
        assertThat(answer.field("Allow")).isEqualTo("GET, HEAD");
    }

    @Test
    void headIsAnsweredAsGetIs() throws Exception {
        startStatus(Transport.UNIX);
        SocketPeer peer = connect();
        peer.head(1, Wire.KEEP, "HEAD", STATUS + "/ping", "REMOTE_ADDR", "127.0.0.1")
                .endStdin(1)
                .send();

        Answer answer = peer.readAnswer(1);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.content()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 200",
        "127.9.9.9, 200",
        "::1, 200",
        "192.0.2.1, 200",
        "192.0.2.7, 403",
        "8.8.8.8, 403",
        "2001:db8::1, 403",
        "unix:, 403",
        "127.0.0.1.example.com, 403",
        "'', 403"
    })
    void clientsAreJudgedByRemoteAddr(String address, int expected) throws Exception {
        status.setAllow("192.0.2.1");
        startStatus(Transport.TCP);

        Answer answer = ask(connect(), STATUS + "/ping", "REMOTE_ADDR", address, "REMOTE_PORT", "45000");

        assertThat(answer.status()).isEqualTo(expected);
        assertThat(answer.text()).contains(expected == 403 ? "jetty.fastcgi.status.allow" : "pong");
    }

    @ParameterizedTest
    @EnumSource
    void clientsWhoseAddressNobodyTellsAreRefused(Transport transport) throws Exception {
        startStatus(transport);

        Answer answer = ask(connect(), STATUS + "/ping");

        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.text())
                .startsWith("The status is not for clients whose address the web server does not tell.");
    }

    @Test
    void whatAClientClaimsCountsForNothing() throws Exception {
        configuration.addCustomizer(new ForwardedRequestCustomizer());
        startStatus(Transport.TCP);

        Answer answer = ask(
                connect(),
                STATUS + "/ping",
                "REMOTE_ADDR",
                "8.8.8.8",
                "HTTP_X_FORWARDED_FOR",
                "127.0.0.1",
                "HTTP_FORWARDED",
                "for=127.0.0.1");

        assertThat(answer.status()).isEqualTo(403);
    }

    @Test
    void overHTTPThePeerCountsUnlessItForwards() throws Exception {
        ServerConnector http = new ServerConnector(server);
        http.setHost("127.0.0.1");
        server.addConnector(http);
        startStatus(Transport.UNIX);
        URI uri = URI.create("http://127.0.0.1:" + http.getLocalPort() + STATUS + "/ping");
        HttpClient client = HttpClient.newHttpClient();

        HttpResponse<String> direct =
                client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());

        assertThat(direct.body()).isEqualTo("pong\n");
        for (String field :
                List.of("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Via")) {
            HttpResponse<String> forwarded = client.send(
                    HttpRequest.newBuilder(uri).header(field, "8.8.8.8").build(), HttpResponse.BodyHandlers.ofString());
            assertThat(forwarded.statusCode()).as(field).isEqualTo(403);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void showsRunningRequestsAndTheirQueriesWhereAllowed(boolean showQueries) throws Exception {
        status.setShowQueries(showQueries);
        startStatus(Transport.UNIX);
        SocketPeer peer = connect();
        peer.get(1, "/a%20path;id=1?secret=1", "REMOTE_ADDR", "8.8.8.8").send();
        Exchanges.Exchange exchange = exchanges.next();
        exchange.commit("first");
        awaitIdleThreads();

        Map<?, ?> report =
                (Map<?, ?>) new JSON().fromJSON(askFromHere(STATUS + "?json").text());
        String text = askFromHere(STATUS + "?full").text();

        Map<?, ?> running = (Map<?, ?>) ((Object[]) report.get("running"))[0];
        assertThat((Object[]) report.get("running")).hasSize(1);
        assertThat(running.get("method")).isEqualTo("GET");
        assertThat(running.get("path")).isEqualTo("/a%20path");
        assertThat(running.get("client")).isEqualTo("8.8.8.8");
        assertThat(running.get("state")).isEqualTo("asynchronous");
        assertThat(running.get("thread")).isNull();
        assertThat(running.get("responseBegun")).isEqualTo(true);
        assertThat(running.get("query")).isEqualTo(showQueries ? "secret=1" : null);
        assertThat(text.contains("/a%20path?secret=1")).isEqualTo(showQueries);
        assertThat(text).contains("state:                           asynchronous");
        exchange.answer("last");
        peer.readAnswer(1);
    }

    @Test
    void showsTheThreadOfARequest() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        status.setHandler(new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) throws Exception {
                exchanges.handle(request, response, callback);
                release.await();
                return true;
            }
        });
        startStatus(Transport.UNIX);
        SocketPeer peer = connect();
        peer.get(1, "/slow", "REMOTE_ADDR", "8.8.8.8").send();
        Exchanges.Exchange exchange = exchanges.next();

        String text = askFromHere(STATUS + "?full").text();

        assertThat(text).containsPattern("thread: +" + threads.getName()).containsPattern("state: +handled");
        release.countDown();
        exchange.answer("");
        peer.readAnswer(1);
    }

    /** What waits for others and what waits for a thread have names of their own, and their limits beside them. */
    @Test
    void showsQueuedRequestsAndTheLimits() throws Exception {
        factory.setMaxRequests(1);
        factory.setMaxQueuedRequests(5);
        startStatus(Transport.UNIX);
        SocketPeer first = connect();
        first.get(1, "/first").send();
        Exchanges.Exchange running = exchanges.next();
        SocketPeer second = connect();
        second.get(1, "/second").send();
        Await.until("it waits", () -> factory.getQueuedRequests() == 1);
        awaitIdleThreads();

        Map<?, ?> report =
                (Map<?, ?>) new JSON().fromJSON(askFromHere(STATUS + "?json").text());
        String metrics = askFromHere(STATUS + "?openmetrics").text();
        String text = askFromHere(STATUS + "?full").text();

        Map<?, ?> requests = (Map<?, ?>) report.get("requests");
        assertThat(requests.get("queued")).isEqualTo(1L);
        assertThat(requests.get("maxQueued")).isEqualTo(5L);
        assertThat(requests.get("maxRunning")).isEqualTo(1L);
        assertThat(requests.get("waitingForThread")).isEqualTo(0L);
        assertThat((Object[]) report.get("running"))
                .extracting(each -> ((Map<?, ?>) each).get("path") + " " + ((Map<?, ?>) each).get("state"))
                .containsExactly("/first asynchronous", "/second queued");
        assertThat(metrics)
                .contains(
                        "\nfastcgi_requests_queued 1\n",
                        "\nfastcgi_requests_queued_max 5\n",
                        "\nfastcgi_requests_running_max 1\n",
                        "\nfastcgi_requests_waiting_for_thread 0\n");
        assertThat(text)
                .containsPattern("(?m)^queued requests: +1$")
                .containsPattern("(?m)^queued requests, max: +5$")
                .containsPattern("(?m)^running requests, max: +1$");
        running.answer("");
        first.readAnswer(1);
        exchanges.next().answer("");
        second.readAnswer(1);
    }

    @Test
    void figuresOfAllConnectorsAreAddedUp() throws Exception {
        FastCGIConnectionFactory other = new FastCGIConnectionFactory();
        FastCGITCPConnector tcp = new FastCGITCPConnector(server, other);
        tcp.setPort(0);
        server.addConnector(tcp);
        startStatus(Transport.UNIX);
        for (Counters each : List.of(counters, other.getCounters())) {
            each.connectionClosed(ConnectionEnd.PEER, each == counters ? 10 : 30);
            each.refusedRequests.increment(RequestRefusal.OVERLOAD);
            each.protocolErrors.increment(FastCGIException.Reason.BAD_GET_VALUES);
            each.refusedConnections.add(each == counters ? 1 : 2);
            each.abortedRequests.add(each == counters ? 30 : 40);
        }

        Map<?, ?> report =
                (Map<?, ?>) new JSON().fromJSON(askFromHere(STATUS + "?json").text());

        Map<?, ?> connections = (Map<?, ?>) report.get("connections");
        Map<?, ?> requests = (Map<?, ?>) report.get("requests");
        assertThat(((Map<?, ?>) connections.get("closed")).get("peer")).isEqualTo(2L);
        assertThat(((Map<?, ?>) connections.get("requestsPerConnection")).get("mean"))
                .isEqualTo(20L);
        assertThat(((Map<?, ?>) requests.get("refused")).get("overload")).isEqualTo(2L);
        assertThat(((Map<?, ?>) report.get("protocolErrors")).get("bad_get_values"))
                .isEqualTo(2L);
        assertThat(connections.get("refused")).isEqualTo(3L);
        assertThat(requests.get("aborted")).isEqualTo(70L);
    }

    @Test
    void nothingGoesOnBehindItsStop() throws Exception {
        MetaData.Request ping =
                new MetaData.Request("GET", HttpURI.from(STATUS + "/ping"), HttpVersion.HTTP_1_1, HttpFields.EMPTY);
        BlockingQueue<Runnable> samples = scheduler.keep(20);
        startStatus(Transport.UNIX);
        assertThat(samples).hasSize(1);
        assertThat(factory.isUrgent(ping)).isTrue();

        status.stop();

        assertThat(samples).isEmpty();
        assertThat(factory.isUrgent(ping)).isFalse();
    }

    /** Neither the terminal that shows the text nor the page are given orders by what a client has sent. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/%C2%9B2J",
                "/%E2%80%AEfdp.exe",
                "/%E2%80%A8advice",
                "/%3Cscript%3Ealert(1)%3C/script%3E",
                "/%22%7D%5D"
            })
    void whatAClientSendsIsTextOnly(String uri) throws Exception {
        status.setShowQueries(true);
        startStatus(Transport.UNIX);
        SocketPeer peer = connect();
        peer.get(1, uri + "?q=<b>\"'%0d%0a", "SERVER_SOFTWARE", "<script>alert(1)</script>")
                .send();
        Exchanges.Exchange exchange = exchanges.next();

        Answer json = askFromHere(STATUS + "?json");
        String text = askFromHere(STATUS + "?full").text();

        assertThat(json.field("Content-Type")).isEqualTo("application/json");
        assertThat(json.field("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat((Object[]) ((Map<?, ?>) new JSON().fromJSON(json.text())).get("running"))
                .hasSize(1);
        assertThat(text.lines().filter(line -> line.startsWith("path: "))).hasSize(1);
        assertThat(text).doesNotContain("\nadvice").doesNotContainPattern("[\\p{Cntrl}\\p{Cf}\\p{Zl}\\p{Zp}&&[^\n]]");
        exchange.answer("");
        peer.readAnswer(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "//fastcgi-status",
                "/fastcgi-status/..",
                "/fastcgi-status/../x",
                "/fastcgi-status%2Fping",
                "/FASTCGI-STATUS",
                "/x/..//fastcgi-status"
            })
    void noPathGetsRoundTheAddress(String uri) throws Exception {
        status.setHandler(new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                return answer(response, callback, "theirs");
            }
        });
        startStatus(Transport.UNIX);

        Answer answer = ask(connect(), uri, "REMOTE_ADDR", "8.8.8.8");

        if (answer.status() == 200) answer.assertText("theirs");
        else assertThat(answer.status()).isBetween(400, 404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/fastcgi%2Dstatus/ping", "/./fastcgi-status/ping", "/x/../fastcgi-status/ping"})
    void otherSpellingsAreJudgedTheSame(String uri) throws Exception {
        startStatus(Transport.UNIX);

        askFromHere(uri).assertText("pong\n");
        assertThat(ask(connect(), uri, "REMOTE_ADDR", "8.8.8.8").status()).isEqualTo(403);
    }

    private void answerWith(String cookie) {
        AtomicInteger sessions = new AtomicInteger();
        status.setHandler(new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                if (cookie != null && request.getHttpURI().getQuery() == null)
                    response.getHeaders().add("Set-Cookie", cookie + "=id" + sessions.incrementAndGet() + "; Path=/");
                return answer(response, callback, "answer");
            }
        });
    }

    private String adviceFor(SocketPeer peer) throws Exception {
        return ask(peer, STATUS + "?json", "REMOTE_ADDR", "127.0.0.1").text().replaceAll("(?s).*\"advice\":", "");
    }

    /** A page of another port of the same host, such as that of a development server, proves nothing. */
    @ParameterizedTest
    @CsvSource({
        "http://localhost:3000, 80, cross-site, false",
        "http://localhost:3000, 80, same-site, false",
        "http://localhost:3000, 3000, , true",
        "http://localhost:3000/page?x, 3000, , true",
        "http://localhost:3000, 80, same-origin, true",
        "http://elsewhere:3000, 3000, , false",
        "http://localhost, 80, same-origin, false"
    })
    void lostPortHasToBeProven(String page, String port, String site, boolean isLost) throws Exception {
        answerWith(null);
        startStatus(Transport.UNIX);
        SocketPeer peer = connect();

        for (int i = 0; i < 10; i++)
            ask(
                    peer,
                    "/",
                    "REMOTE_ADDR",
                    "8.8.8.8",
                    "SERVER_SOFTWARE",
                    "nginx/1.22.1",
                    "SERVER_PORT",
                    port,
                    "HTTP_HOST",
                    "localhost",
                    page.contains("page") ? "HTTP_REFERER" : "HTTP_ORIGIN",
                    page,
                    "HTTP_SEC_FETCH_SITE",
                    site == null ? "" : site);

        assertThat(adviceFor(peer).contains("HTTP_HOST")).isEqualTo(isLost);
    }

    /** Where the path is taken from it. */
    @ParameterizedTest
    @CsvSource({"request-uri, true", "script-name, false"})
    void missingRequestUriIsTold(String pathSource, boolean isTold) throws Exception {
        answerWith(null);
        factory.setPathSource(pathSource);
        startStatus(Transport.UNIX);
        SocketPeer peer = connect();

        for (int i = 0; i < 10; i++)
            ask(peer, "", "SCRIPT_NAME", "/x", "REMOTE_ADDR", "8.8.8.8", "SERVER_SOFTWARE", "nginx/1.22.1");

        assertThat(adviceFor(peer).contains("REQUEST_URI")).isEqualTo(isTold);
    }

    @ParameterizedTest
    @CsvSource({
        "JSESSIONID, /?, true",
        "SHOP_SESSION, /?, true",
        "__Host-session, /?, true",
        "theme, /?, false",
        "JSESSIONID, /?cookie, false",
        "SHOP_SESSION, /?cookie, false",
        "JSESSIONID, /;jsessionid=id?, false"
    })
    void sessionsThatAreNeverUsedAgainAreTold(String cookie, String use, boolean isTold) throws Exception {
        answerWith(cookie);
        status.setInterval(10);
        startWith(Transport.UNIX, status);
        SocketPeer peer = connect();

        for (int i = 1; i <= 200; i++) {
            ask(peer, "/", "REMOTE_ADDR", "8.8.8.8");
            if (use.startsWith("/;")) ask(peer, use.replace("id?", "id" + i + "?"), "REMOTE_ADDR", "8.8.8.8");
            if (use.endsWith("cookie")) ask(peer, use, "REMOTE_ADDR", "8.8.8.8", "HTTP_COOKIE", cookie + "=id" + i);
        }

        if (isTold) {
            Await.until("advice", () -> adviceContains(peer, "session=\\\"false"));
        } else {
            long begin = System.nanoTime();
            Await.until("the grace is over", () -> System.nanoTime() - begin > TimeUnit.MILLISECONDS.toNanos(700));
            assertThat(adviceFor(peer)).doesNotContain("session=");
        }
    }

    private boolean adviceContains(SocketPeer peer, String text) {
        try {
            return adviceFor(peer).contains(text);
        } catch (Exception x) {
            throw new AssertionError(x);
        }
    }

    @Test
    void historyGrowsWhileItRuns() throws Exception {
        startStatus(Transport.UNIX);
        askFromHere(STATUS);

        Await.until("samples", () -> {
            try {
                Map<?, ?> report = (Map<?, ?>)
                        new JSON().fromJSON(askFromHere(STATUS + "?json").text());
                Map<?, ?> history = (Map<?, ?>) report.get("history");
                return ((Object[]) history.get("time")).length > 3 && ((Object[]) history.get("p99")).length > 3;
            } catch (Exception x) {
                throw new AssertionError(x);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "status", "/", "/status/", "//status", "/sta tus", "/a?b"})
    void unusablePathsEndTheStart(String path) {
        assertThatThrownBy(() -> status.setPath(path))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith("jetty.fastcgi.status.path: '" + path + "'");
    }

    @Test
    void unusableIntervalsEndTheStart() {
        assertThatThrownBy(() -> status.setInterval(9))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("jetty.fastcgi.status.interval: 9 (expected: >= 10)");
    }
}

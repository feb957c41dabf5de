package io.github.jettyfastcgi.status;

import io.github.jettyfastcgi.server.ConfigurationException;
import io.github.jettyfastcgi.server.FastCGIConnectionFactory;
import io.github.jettyfastcgi.server.RunningRequest;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.annotation.ManagedAttribute;
import org.eclipse.jetty.util.annotation.ManagedObject;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Tells on a path of its own what a server's FastCGI connectors do: as a page, as JSON ({@code ?json}), OpenMetrics
 * ({@code ?openmetrics}) and text ({@code ?full}); {@code /ping} below it answers {@code pong}.
 *
 * <p>Who may ask is told by {@link #setAllow(String)}; others get 403. It never blocks, and answers over FastCGI even when
 * all threads are busy, provided that it is the outermost handler of the server. All other requests pass.
 */
@ManagedObject("The status of FastCGI connectors")
public class StatusHandler extends Handler.Wrapper {
    /** The default of {@link #getPath()}. */
    public static final String DEFAULT_PATH = "/fastcgi-status";

    /** The default of {@link #getInterval()}, in milliseconds. */
    public static final long DEFAULT_INTERVAL = 2_000;

    /** After how many samples a session that no second request has used won't be used. */
    private static final int SESSION_GRACE = 60;

    private static final String PING = "/ping";
    private static final String TEXT = "text/plain;charset=utf-8";

    private final PageFiles files = new PageFiles();
    private String path = DEFAULT_PATH;
    private String allow = "";
    private AllowedClients allowed = new AllowedClients(allow);
    private boolean showQueries;
    private long interval = DEFAULT_INTERVAL;
    private volatile History history;
    private volatile RequestObserver observer;
    private volatile Watch watch;
    private volatile Scheduler.Task sampling;

    /** Creates a handler without a next one. */
    public StatusHandler() {
        this(null);
    }

    /**
     * Creates a handler.
     *
     * @param next what handles all other requests
     */
    public StatusHandler(Handler next) {
        super(next);
    }

    /** {@return the path of the page} */
    @ManagedAttribute("The path of the page")
    public String getPath() {
        return path;
    }

    /**
     * Sets the path of the page. What is below it is the handler's, too.
     *
     * @param path a path that begins with a slash and does not end with one
     */
    public void setPath(String path) {
        if (path == null || !path.matches("(/[\\w.~-]+)+"))
            throw new ConfigurationException(
                    "jetty.fastcgi.status.path: '" + path + "' (expected: a path such as /status)");
        this.path = path;
    }

    /** {@return which clients may see the status besides those of this machine} */
    @ManagedAttribute("Which clients may see the status besides those of this machine")
    public String getAllow() {
        return allow;
    }

    /**
     * Sets which clients may see the status besides those of this machine. Over FastCGI it is REMOTE_ADDR that counts.
     *
     * @param addresses addresses, ranges ({@code first-last}) and networks ({@code address/bits}), separated by commas;
     *     empty for none
     */
    public void setAllow(String addresses) {
        allow = addresses == null ? "" : addresses;
        allowed = new AllowedClients(allow);
    }

    /** {@return whether the queries of running requests are shown} */
    @ManagedAttribute("Whether the queries of running requests are shown")
    public boolean isShowQueries() {
        return showQueries;
    }

    /**
     * Sets whether the queries of running requests are shown, which may hold what is nobody's business.
     *
     * @param showQueries whether they are
     */
    public void setShowQueries(boolean showQueries) {
        this.showQueries = showQueries;
    }

    /** {@return how often figures are taken for the charts, in milliseconds} */
    @ManagedAttribute("How often figures are taken for the charts, in milliseconds")
    public long getInterval() {
        return interval;
    }

    /**
     * Sets how often figures are taken for the charts, which hold 300 of them.
     *
     * @param interval the time in milliseconds, 10 or more
     */
    public void setInterval(long interval) {
        if (interval < 10)
            throw new ConfigurationException("jetty.fastcgi.status.interval: " + interval + " (expected: >= 10)");
        this.interval = interval;
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        Figures.factories(getServer()).forEach(factory -> factory.addUrgentPath(path));
        history = new History();
        observer = new RequestObserver(isUriUsed(), new SessionObserver(SESSION_GRACE * interval));
        watch = new Watch(getServer(), observer);
        sample();
    }

    @Override
    protected void doStop() throws Exception {
        sampling.cancel();
        Figures.factories(getServer()).forEach(factory -> factory.removeUrgentPath(path));
        super.doStop();
    }

    private void sample() {
        sampling = getServer().getScheduler().schedule(this::sample, interval, TimeUnit.MILLISECONDS);
        observer.nextInterval();
        Figures figures = Figures.of(getServer());
        history.add(figures);
        watch.add(figures);
    }

    private boolean isUriUsed() {
        return Figures.factories(getServer()).stream()
                .anyMatch(each -> each.getPathSource().equals("request-uri"));
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String target = Request.getPathInContext(request);
        String below = target.startsWith(path) ? target.substring(path.length()) : null;
        if (below != null && (below.isEmpty() || below.startsWith("/"))) {
            answer(below, request, response, callback);
            return true;
        }
        observer.observe(request, response);
        return super.handle(request, response, callback);
    }

    private void answer(String below, Request request, Response response, Callback callback) {
        InetAddress client = AllowedClients.client(request);
        if (!allowed.contains(client)) {
            send(HttpStatus.FORBIDDEN_403, TEXT, AllowedClients.refusal(client), response, callback);
        } else if (!HttpMethod.GET.is(request.getMethod()) && !HttpMethod.HEAD.is(request.getMethod())) {
            response.getHeaders().put(HttpHeader.ALLOW, "GET, HEAD");
            send(HttpStatus.METHOD_NOT_ALLOWED_405, TEXT, "GET and HEAD only.\n", response, callback);
        } else if (below.equals(PING)) {
            send(HttpStatus.OK_200, TEXT, "pong\n", response, callback);
        } else if (below.isEmpty()) {
            report(request.getHttpURI().getQuery(), response, callback);
        } else {
            PageFiles.File file = files.get(below.substring(1));
            if (file == null) send(HttpStatus.NOT_FOUND_404, TEXT, "There is no such page.\n", response, callback);
            else send(HttpStatus.OK_200, file.type(), file.text(), response, callback);
        }
    }

    /** Answers in the form that one part of the query names: PHP-FPM has a form and {@code full} beside each other. */
    private void report(String query, Response response, Callback callback) {
        List<String> parts = query == null ? List.of() : List.of(query.split("&"));
        if (parts.contains("json")) {
            send(HttpStatus.OK_200, JsonReport.TYPE, json(), response, callback);
        } else if (parts.contains("openmetrics")) {
            String metrics = OpenMetricsReport.of(Figures.of(getServer()));
            send(HttpStatus.OK_200, OpenMetricsReport.TYPE, metrics, response, callback);
        } else if (parts.contains("full")) {
            send(HttpStatus.OK_200, TextReport.TYPE, text(), response, callback);
        } else {
            PageFiles.File page = files.page(path.substring(path.lastIndexOf('/') + 1));
            send(HttpStatus.OK_200, page.type(), page.text(), response, callback);
        }
    }

    private String json() {
        Figures figures = Figures.of(getServer());
        return JsonReport.of(figures, history.toMap(), watch.advice(figures), running(), showQueries);
    }

    private String text() {
        Figures figures = Figures.of(getServer());
        return TextReport.of(figures, watch.advice(figures), running(), showQueries);
    }

    /** {@return the requests that run, the longest first, without those for the status itself} */
    private List<RunningRequest> running() {
        return Figures.factories(getServer()).stream()
                .map(FastCGIConnectionFactory::runningRequests)
                .flatMap(List::stream)
                .filter(request -> request.path() == null || !request.path().startsWith(path))
                .sorted((first, second) -> Long.compare(second.nanos(), first.nanos()))
                .toList();
    }

    private static void send(int status, String type, String text, Response response, Callback callback) {
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        response.getHeaders().put("Content-Security-Policy", PageFiles.SECURITY_POLICY);
        response.getHeaders().put("X-Content-Type-Options", "nosniff");
        response.write(true, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), callback);
    }
}

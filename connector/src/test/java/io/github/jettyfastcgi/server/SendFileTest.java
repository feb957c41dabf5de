package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.jettyfastcgi.sendfile.SendFileHandler;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import org.eclipse.jetty.ee10.servlet.DefaultServlet;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.ee10.servlet.security.ConstraintMapping;
import org.eclipse.jetty.ee10.servlet.security.ConstraintSecurityHandler;
import org.eclipse.jetty.http.DateGenerator;
import org.eclipse.jetty.http.HttpTester;
import org.eclipse.jetty.http.content.HttpContent;
import org.eclipse.jetty.http.content.ResourceHttpContentFactory;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.security.Constraint;
import org.eclipse.jetty.security.HashLoginService;
import org.eclipse.jetty.security.SecurityHandler;
import org.eclipse.jetty.security.UserStore;
import org.eclipse.jetty.security.authentication.BasicAuthenticator;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.SymlinkAllowedResourceAliasChecker;
import org.eclipse.jetty.server.handler.ContextHandler;
import org.eclipse.jetty.server.handler.ContextHandlerCollection;
import org.eclipse.jetty.server.handler.ResourceHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.resource.ResourceFactory;
import org.eclipse.jetty.util.security.Credential;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are left to the web server, and those that are not. */
class SendFileTest extends ConnectionTestBase {
    private static final int SIZE = 5000;
    private static final String MARKED_WITH = "io.github.jettyfastcgi.sendfile";

    private final SendFileHandler handler = new SendFileHandler();
    private final ContextHandlerCollection contexts = new ContextHandlerCollection();
    private final LocalConnector http = new LocalConnector(server, new HttpConnectionFactory());
    private Path files;
    private String modified;
    private LocalPeer peer;

    @BeforeEach
    void createFiles() throws IOException {
        files = Files.createDirectories(directory.toRealPath().resolve("files"));
        Path file = Files.write(files.resolve("a b.txt"), pattern(SIZE));
        modified = DateGenerator.formatDate(Files.getLastModifiedTime(file).toInstant());
        Files.write(files.resolve("small.txt"), pattern(99));
        Files.write(files.resolve("none.txt"), new byte[0]);
        Files.write(directory.resolve("outside.txt"), pattern(SIZE));
        Files.createSymbolicLink(files.resolve("link.txt"), Path.of("..", "outside.txt"));
        handler.setMapping(files + "=/internal");
        handler.setMinSize(100);
        handler.setHandler(contexts);
    }

    private void start() throws Exception {
        server.addConnector(http);
        startWith(new LocalConnector(server, factory), handler);
        peer = connectLocal();
    }

    private Answer send(String method, String target, String... fields) throws Exception {
        peer.head(1, Wire.KEEP, method, target, fields).endStdin(1).send();
        return peer.readAnswer(1);
    }

    private Answer get(String target, String... fields) throws Exception {
        return send("GET", target, fields);
    }

    private static void assertOffloaded(Answer answer) {
        assertThat(answer.assertStatus(200).content()).isEmpty();
        assertThat(answer.field("X-Accel-Redirect")).isEqualTo("/internal/a%20b.txt");
        assertThat(answer.field("Content-Range")).isNull();
        assertThat(answer.field("Accept-Ranges")).isNull();
    }

    private static void assertSent(Answer answer) {
        assertThat(answer.assertStatus(200).content()).isEqualTo(pattern(SIZE));
        assertThat(answer.field("X-Accel-Redirect")).isNull();
    }

    // ---- contexts

    /** The files by Jetty's handler for them, without its cache, which keeps buffers of the pool. */
    private ContextHandler core() {
        ContextHandler context = new ContextHandler("/core");
        context.setBaseResource(ResourceFactory.of(context).newResource(files));
        context.setHandler(new ResourceHandler() {
            @Override
            protected HttpContent.Factory newHttpContentFactory(ByteBufferPool.Sized buffers) {
                return new ResourceHttpContentFactory(getBaseResource(), getMimeTypes(), buffers);
            }
        });
        contexts.addHandler(context);
        return context;
    }

    /** The files by the default servlet. */
    private ServletContextHandler ee10() {
        ServletContextHandler context = new ServletContextHandler("/ee10");
        context.setBaseResource(ResourceFactory.of(context).newResource(files));
        ServletHolder holder = new ServletHolder("default", new DefaultServlet());
        holder.setInitParameter("maxCacheSize", "0");
        holder.setAsyncSupported(true);
        holder.setInitOrder(1);
        context.addServlet(holder, "/");
        contexts.addHandler(context);
        return context;
    }

    private interface Action {
        void run(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException;
    }

    /** A servlet at /marked, which does what it is told, in place of ee10's own. */
    private void ee10(Action action) {
        ee10().addServlet(
                        new ServletHolder(new HttpServlet() {
                            private static final long serialVersionUID = 1L;

                            @Override
                            protected void doGet(HttpServletRequest request, HttpServletResponse response)
                                    throws IOException, ServletException {
                                action.run(request, response);
                            }

                            @Override
                            protected void doPost(HttpServletRequest request, HttpServletResponse response)
                                    throws IOException, ServletException {
                                action.run(request, response);
                            }
                        }),
                        "/marked/*");
    }

    private void mark(HttpServletRequest request) {
        request.setAttribute(SendFileHandler.ATTRIBUTE, files.resolve("a b.txt"));
    }

    // ---- static files

    @ParameterizedTest
    @ValueSource(strings = {"/core", "/ee10"})
    void staticFileIsLeftToTheWebServer(String context) throws Exception {
        core();
        ee10();
        start();

        Answer answer = get(context + "/a%20b.txt");

        assertOffloaded(answer);
        assertThat(answer.field("Content-Type")).isEqualTo("text/plain");
        assertThat(answer.field("Content-Length")).isEqualTo("0");
        assertOffloaded(send("HEAD", context + "/a%20b.txt"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/core", "/ee10"})
    void rangeIsTheWebServers(String context) throws Exception {
        core();
        ee10();
        start();
        String target = context + "/a%20b.txt";

        assertOffloaded(get(target, "HTTP_RANGE", "bytes=10-19"));
        assertOffloaded(get(target, "HTTP_RANGE", "bytes=-5"));
        assertThat(get(target, "HTTP_RANGE", "bytes=5000-").status()).isEqualTo(416);
        Answer ranges = get(target, "HTTP_RANGE", "bytes=0-1,5-6");
        assertThat(ranges.assertStatus(206).field("Content-Type")).startsWith("multipart/byteranges");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/core/a%20b.txt", "/ee10/a%20b.txt", "/ee10/marked/"})
    void conditionIsTheApplications(String target) throws Exception {
        core();
        ee10((request, response) -> mark(request));
        start();

        assertThat(get(target, "HTTP_IF_MODIFIED_SINCE", modified).status()).isEqualTo(304);
        assertOffloaded(get(target, "HTTP_IF_MODIFIED_SINCE", "Mon, 01 Jan 2001 00:00:00 GMT"));
        assertOffloaded(get(target, "HTTP_IF_NONE_MATCH", "\"of-nginx\""));
        assertThat(get(target, "HTTP_IF_UNMODIFIED_SINCE", "Mon, 01 Jan 2001 00:00:00 GMT")
                        .status())
                .isEqualTo(412);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/core", "/ee10"})
    void smallFileIsSent(String context) throws Exception {
        core();
        ee10();
        start();

        assertThat(get(context + "/small.txt").assertStatus(200).content()).isEqualTo(pattern(99));
    }

    /** Jetty may be allowed to follow a link; the web server has only the folder. */
    @Test
    void fileThatALinkLeadsToIsSent() throws Exception {
        ContextHandler context = core();
        context.addAliasCheck(new SymlinkAllowedResourceAliasChecker(context, context.getBaseResource()) {
            @Override
            public boolean checkAlias(String pathInContext, org.eclipse.jetty.util.resource.Resource resource) {
                return true;
            }
        });
        start();

        assertSent(get("/core/link.txt"));
    }

    @Test
    void overHTTPJettySends() throws Exception {
        core();
        ee10((request, response) -> mark(request));
        start();

        for (String target : List.of("/core/a%20b.txt", "/ee10/a%20b.txt", "/ee10/marked/")) {
            HttpTester.Response response = HttpTester.parseResponse(
                    http.getResponse("GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"));
            assertThat(response.getStatus()).isEqualTo(200);
            assertThat(response.getContentBytes()).isEqualTo(pattern(SIZE));
            assertThat(response.get("X-Accel-Redirect")).isNull();
            response = HttpTester.parseResponse(http.getResponse(
                    "GET " + target + " HTTP/1.1\r\nHost: localhost\r\nRange: bytes=1-2\r\nConnection: close\r\n\r\n"));
            assertThat(response.getStatus()).isEqualTo(206);
            assertThat(response.getContentBytes()).hasSize(2);
            assertThat(response.get("Content-Range")).isEqualTo("bytes 1-2/" + SIZE);
        }
    }

    // ---- the application decides

    @Test
    void filterAnswersInPlaceOfTheFile() throws Exception {
        filter((request, response, chain) ->
                ((HttpServletResponse) response).sendError(403, "Only for those who have paid"));
        start();

        Answer answer = get("/ee10/a%20b.txt");

        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.field("X-Accel-Redirect")).isNull();
    }

    /** What a filter may do to the content it would not see. */
    @Test
    void fileThatAFilterChangesIsSentThroughIt() throws Exception {
        filter((request, response, chain) -> {
            chain.doFilter(request, new HttpServletResponseWrapper((HttpServletResponse) response));
            response.getOutputStream().write("more".getBytes(StandardCharsets.US_ASCII));
        });
        start();

        Answer answer = get("/ee10/a%20b.txt");

        assertThat(answer.field("X-Accel-Redirect")).isNull();
        assertThat(answer.content()).startsWith(pattern(SIZE));
    }

    @Test
    void includedFileIsSent() throws Exception {
        expectWarning("Incorrect mapping for DefaultServlet"); // Jetty's, of an included one
        ee10((request, response) -> {
            response.getOutputStream().write("before ".getBytes(StandardCharsets.US_ASCII));
            request.getRequestDispatcher("/a b.txt").include(request, response);
        });
        start();

        Answer answer = get("/ee10/marked/");

        assertThat(answer.field("X-Accel-Redirect")).isNull();
        assertThat(answer.content()).hasSize(7 + SIZE).startsWith("before ".getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void forwardedFileIsLeftToTheWebServer() throws Exception {
        ee10((request, response) -> request.getRequestDispatcher("/a b.txt").forward(request, response));
        start();

        assertOffloaded(get("/ee10/marked/"));
    }

    @Test
    void coreHandlerThatChangesTheContentSeesIt() throws Exception {
        ContextHandler context = core();
        Handler next = context.getHandler();
        context.setHandler(new Handler.Wrapper(next) {
            @Override
            public boolean handle(Request request, Response response, Callback callback) throws Exception {
                return super.handle(request, new Response.Wrapper(request, response), callback);
            }
        });
        start();

        assertSent(get("/core/a%20b.txt"));
    }

    private void filter(Filter filter) {
        ee10().addFilter(new FilterHolder(filter), "/*", EnumSet.of(DispatcherType.REQUEST));
    }

    // ---- constraints

    /** {@return files of which those in /private are for a user, whom each way to authenticate has to know first} */
    private void constrain() {
        ServletContextHandler context = ee10();
        ConstraintSecurityHandler security = new ConstraintSecurityHandler();
        ConstraintMapping mapping = new ConstraintMapping();
        mapping.setPathSpec("/private/*");
        mapping.setConstraint(Constraint.from("user"));
        security.addConstraintMapping(mapping);
        security.setAuthenticator(new BasicAuthenticator());
        security.setLoginService(logins());
        context.setSecurityHandler(security);

        ContextHandler core = core();
        SecurityHandler.PathMapped mapped = new SecurityHandler.PathMapped();
        mapped.put("/private/*", Constraint.from("user"));
        mapped.setAuthenticator(new BasicAuthenticator());
        mapped.setLoginService(logins());
        mapped.setHandler(core.getHandler());
        core.setHandler(mapped);
    }

    private static HashLoginService logins() {
        UserStore users = new UserStore();
        users.addUser("someone", Credential.getCredential("secret"), new String[] {"user"});
        HashLoginService logins = new HashLoginService("files");
        logins.setUserStore(users);
        return logins;
    }

    private static String authorization(String user) {
        return "Basic " + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.US_ASCII));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/core", "/ee10"})
    void protectedFileIsLeftToTheWebServerForItsUserAlone(String context) throws Exception {
        Files.write(Files.createDirectory(files.resolve("private")).resolve("a b.txt"), pattern(SIZE));
        constrain();
        start();
        String target = context + "/private/a%20b.txt";

        for (String method : List.of("GET", "HEAD", "POST")) {
            for (String[] fields : new String[][] {
                {},
                {"HTTP_AUTHORIZATION", authorization("someone:wrong")},
                {"HTTP_RANGE", "bytes=0-9"},
                {"HTTP_IF_MODIFIED_SINCE", modified},
                {"REMOTE_USER", "someone", "AUTH_TYPE", "Basic"}
            }) {
                Answer refused = send(method, target, fields);
                assertThat(refused.status()).isEqualTo(401);
                assertThat(refused.field("X-Accel-Redirect")).isNull();
            }
        }
        Answer answer = get(target, "HTTP_AUTHORIZATION", authorization("someone:secret"));
        assertThat(answer.assertStatus(200).field("X-Accel-Redirect")).isEqualTo("/internal/private/a%20b.txt");
    }

    /** However a protected file is called: it is refused, or isn't found. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/private/../private/a%20b.txt",
                "//private/a%20b.txt",
                "/./private/a%20b.txt",
                "/%70rivate/a%20b.txt",
                "/private;x/a%20b.txt",
                "/private%2Fa%20b.txt",
                "/PRIVATE/a%20b.txt",
                "/x/..;/private/a%20b.txt",
                "/x/%2e%2e/private/a%20b.txt",
                "/private/a%20b.txt/",
                "/private/a%20b.txt%00"
            })
    void noSpellingGetsRoundAConstraint(String below) throws Exception {
        Files.write(Files.createDirectory(files.resolve("private")).resolve("a b.txt"), pattern(SIZE));
        constrain();
        start();

        for (String context : List.of("/core", "/ee10")) {
            Answer answer = get(context + below);
            assertThat(answer.status()).as(context).isBetween(300, 404);
            assertThat(answer.field("X-Accel-Redirect")).isNull();
            assertThat(answer.content()).hasSizeLessThan(SIZE);
        }
    }

    // ---- fields of the response

    @ParameterizedTest
    @CsvSource({
        "Cache-Control, private, true",
        "Content-Disposition, attachment, true",
        "Expires, 0, true",
        "set-cookie, a=b, true",
        "Vary, Accept-Encoding, true",
        "Vary, Accept-Language, false",
        "Accept-Ranges, none, false",
        "ETag, \"of-the-application\", false",
        "Content-Encoding, gzip, false",
        "X-Frame-Options, DENY, false",
        "X-Kept, kept, true"
    })
    void responseWhoseFieldsNginxWouldLoseIsSent(String name, String value, boolean offloaded) throws Exception {
        expectWarning("A response with the field " + name);
        handler.setKeptFields("X-Other, x-kept");
        ee10((request, response) -> {
            response.setHeader(name, value);
            mark(request);
        });
        start();

        Answer answer = get("/ee10/marked/");

        if (offloaded) assertOffloaded(answer);
        else assertSent(answer);
        assertThat(answer.field(name)).isEqualTo(value);
    }

    /** It is what the web server tells as well, and what conditions are about. */
    @Test
    void lastModifiedIsThatOfTheFile() throws Exception {
        ee10((request, response) -> {
            response.setDateHeader("Last-Modified", 0);
            mark(request);
        });
        start();

        assertThat(get("/ee10/marked/").field("Last-Modified")).isEqualTo(modified);
    }

    @Test
    void lostFieldIsWarnedOfOnce() throws Exception {
        expectWarning("A response with the field X-Frame-Options");
        ee10((request, response) -> {
            response.setHeader("X-Frame-Options", "DENY");
            mark(request);
        });
        start();

        for (int i = 0; i < 3; i++) assertSent(get("/ee10/marked/"));

        assertThat(log().lines("A response with the field X-Frame-Options is not left to the web server"))
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"X-Sendfile, a b.txt", "X-LIGHTTPD-send-file, a%20b.txt", "x-sendfile, a b.txt"})
    void otherWebServersKeepAllFields(String field, String file) throws Exception {
        handler.setField(field);
        handler.setMapping(files.toString());
        ee10((request, response) -> {
            response.setHeader("X-Frame-Options", "DENY");
            response.setHeader("ETag", "\"of-the-application\"");
            mark(request);
        });
        start();

        Answer answer = get("/ee10/marked/");

        assertThat(answer.assertStatus(200).content()).isEmpty();
        assertThat(answer.field(field)).isEqualTo(files + "/" + file);
        assertThat(answer.field("X-Frame-Options")).isEqualTo("DENY");
        assertThat(answer.field("ETag")).isEqualTo("\"of-the-application\"");
        assertThat(answer.field("Last-Modified")).isEqualTo(modified);
        assertThat(answer.field("Accept-Ranges")).isEqualTo("bytes");
    }

    // ---- marked responses

    @ParameterizedTest
    @ValueSource(strings = {"path", "file", "string"})
    void markedResponseIsLeftToTheWebServer(String as) throws Exception {
        ee10((request, response) -> {
            Path file = files.resolve("a b.txt");
            response.setContentType("text/x-own");
            request.setAttribute(
                    MARKED_WITH,
                    switch (as) {
                        case "path" -> file;
                        case "file" -> file.toFile();
                        default -> file.toString();
                    });
        });
        start();

        Answer answer = get("/ee10/marked/");

        assertOffloaded(answer);
        assertThat(answer.field("Content-Type")).isEqualTo("text/x-own");
        assertOffloaded(send("HEAD", "/ee10/marked/x"));
        assertOffloaded(send("POST", "/ee10/marked/x/"));
        assertOffloaded(get("/ee10/marked/", "HTTP_RANGE", "bytes=10-19"));
        assertSent(send("POST", "/ee10/marked/", "HTTP_RANGE", "bytes=10-19"));
    }

    @Test
    void markedResponseOfEE8IsLeftToTheWebServer() throws Exception {
        contexts.addHandler(NestedApplications.marking("/ee8", request -> files.resolve("a b.txt")));
        start();

        assertOffloaded(get("/ee8/"));
        assertOffloaded(send("HEAD", "/ee8/"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void markedResponseOfACoreHandlerIsLeftToTheWebServer(boolean writes) throws Exception {
        handler.setHandler(new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                request.setAttribute(SendFileHandler.ATTRIBUTE, files.resolve("a b.txt"));
                if (writes) response.write(true, null, callback);
                else callback.succeeded();
                return true;
            }
        });
        start();

        Answer answer = get("/");

        assertOffloaded(answer);
        assertThat(answer.field("Content-Type")).isEqualTo("text/plain");
    }

    @Test
    void markedFileThatIsNotMappedIsSentWithRangesAndConditions() throws Exception {
        ee10((request, response) -> request.setAttribute(SendFileHandler.ATTRIBUTE, directory.resolve("outside.txt")));
        start();

        assertSent(get("/ee10/marked/"));
        Answer range = get("/ee10/marked/", "HTTP_RANGE", "bytes=10-19");
        assertThat(range.assertStatus(206).field("Content-Range")).isEqualTo("bytes 10-19/" + SIZE);
        assertThat(range.content()).hasSize(10);
        assertThat(get("/ee10/marked/", "HTTP_RANGE", "bytes=5000-").status()).isEqualTo(416);
        assertThat(get("/ee10/marked/", "HTTP_IF_MODIFIED_SINCE", "Fri, 01 Jan 2100 00:00:00 GMT")
                        .status())
                .isEqualTo(304);
        Answer head = send("HEAD", "/ee10/marked/");
        assertThat(head.assertStatus(200).field("Content-Length")).isEqualTo(Integer.toString(SIZE));
        assertSent(send("POST", "/ee10/marked/", "HTTP_RANGE", "bytes=10-19"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"../files/../outside.txt", "link.txt", "../files2/a.txt"})
    void nothingOutsideOfTheFolderIsLeftToTheWebServer(String name) throws Exception {
        Files.write(Files.createDirectories(directory.resolve("files2")).resolve("a.txt"), pattern(SIZE));
        ee10((request, response) -> request.setAttribute(SendFileHandler.ATTRIBUTE, files + "/" + name));
        start();

        assertSent(get("/ee10/marked/"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "", "inner"})
    void markedFileThatIsNoneIs404(String name) throws Exception {
        Files.createDirectories(files.resolve("inner"));
        ee10((request, response) -> request.setAttribute(SendFileHandler.ATTRIBUTE, files.resolve(name)));
        start();

        assertThat(get("/ee10/marked/").status()).isEqualTo(404);
    }

    @Test
    void markedFileMayBeEmpty() throws Exception {
        ee10((request, response) -> request.setAttribute(SendFileHandler.ATTRIBUTE, files.resolve("none.txt")));
        start();

        Answer answer = get("/ee10/marked/");

        assertThat(answer.assertStatus(200).content()).isEmpty();
        assertThat(answer.field("X-Accel-Redirect")).isNull();
    }

    @Test
    void markThatIsNoPathIs500() throws Exception {
        expectWarning("(expected: an absolute path, as Path, File or String)");
        ee10((request, response) -> request.setAttribute(SendFileHandler.ATTRIBUTE, request.getParameter("mark")));
        start();

        assertThat(get("/ee10/marked/?mark=a.txt").status()).isEqualTo(500);
        assertThat(get("/ee10/marked/").assertStatus(200).content()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"content", "flush", "status", "error", "exception"})
    void otherAnswerOverridesTheMark(String how) throws Exception {
        expectWarning(":WARN :oeje10s.ServletChannel:");
        ee10((request, response) -> {
            mark(request);
            switch (how) {
                case "content" -> response.getOutputStream().print("content");
                case "flush" -> response.flushBuffer();
                case "status" -> response.setStatus(204);
                case "error" -> response.sendError(404);
                default -> throw new IllegalStateException("on purpose");
            }
        });
        start();

        Answer answer = get("/ee10/marked/");

        assertThat(answer.field("X-Accel-Redirect")).isNull();
        assertThat(answer.status())
                .isEqualTo(
                        switch (how) {
                            case "content", "flush" -> 200;
                            case "status" -> 204;
                            case "error" -> 404;
                            default -> 500;
                        });
        if (how.equals("content")) assertThat(answer.text()).isEqualTo("content");
    }

    /** Neither by a field nor by a variable; nor is a field of the application's own in the way. */
    @Test
    void clientHasNoSay() throws Exception {
        factory.setAttributes("*");
        ee10((request, response) -> response.getOutputStream().print("answer"));
        start();

        Answer answer = get(
                "/ee10/marked/",
                "HTTP_X_ACCEL_REDIRECT",
                "/internal/a%20b.txt",
                "HTTP_IO_GITHUB_JETTYFASTCGI_SENDFILE",
                "/etc/passwd",
                MARKED_WITH,
                files + "/a b.txt");

        answer.assertText("answer");
        assertThat(answer.field("X-Accel-Redirect")).isNull();
    }

    @Test
    void contextThatIsDeployedLaterIsServedAsWell() throws Exception {
        start();
        ContextHandler context = core();

        context.start();
        assertOffloaded(get("/core/a%20b.txt"));

        context.stop();
        context.start();
        assertOffloaded(get("/core/a%20b.txt"));
    }

    @Test
    void settings() {
        SendFileHandler fresh = new SendFileHandler();
        assertThat(fresh.getField()).isEqualTo("X-Accel-Redirect");
        assertThat(fresh.getMapping()).isEmpty();
        assertThat(fresh.getMinSize()).isEqualTo(128 * 1024);
        assertThat(fresh.getKeptFields()).isEmpty();
        assertThat(handler.getMapping()).isEqualTo(files + "=/internal");

        assertThatThrownBy(() -> fresh.setField("X-Other"))
                .hasToString("jetty.fastcgi.sendfile.field: 'X-Other' (expected: one of X-Accel-Redirect, X-Sendfile,"
                        + " X-LIGHTTPD-send-file)");
        assertThatThrownBy(() -> fresh.setMapping("files=/internal"))
                .hasToString("jetty.fastcgi.sendfile.mapping: 'files' (expected: the absolute path of a directory)");
        assertThatThrownBy(() -> fresh.setMinSize(-1))
                .hasToString("jetty.fastcgi.sendfile.minSize: -1 (expected: >= 0)");
    }
}

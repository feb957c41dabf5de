package io.github.jettyfastcgi.it.benchmark;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** All servers of the benchmark, running side by side from the first round to the last. */
final class Servers implements Closeable {
    private static final List<String> JVM_OPTIONS = List.of("-Xms512m", "-Xmx512m", "-XX:+UseParallelGC");

    private final Options options;
    private final Path distribution = Path.of(System.getProperty("it.distribution", "target/distribution"))
            .toAbsolutePath();
    private final Path tomcatJars =
            Path.of(System.getProperty("benchmark.tomcat", "target/tomcat")).toAbsolutePath();
    private final Path logs;
    private final Path work;
    private final Deque<Closeable> started = new ArrayDeque<>();

    /** Addresses as nginx writes them, by name. */
    private final Map<String, String> addresses = new TreeMap<>();

    private final Map<Row.Backend, Program> backends = new TreeMap<>();
    private final Map<Row.Backend, Jvm> jvms = new TreeMap<>();
    private Program war;
    private Jvm warJvm;
    private Nginx nginxServers;
    private Program nginx;
    private Program apache;
    private final int apacheFastCGIPort = Ports.free();
    private final int apacheAjpPort = Ports.free();

    private Servers(Options options) throws IOException {
        this.options = options;
        logs = Files.createDirectories(options.output().resolve("logs"));
        // The path of a Unix-domain socket has at most 107 bytes, so not under the output; servers of other users enter
        // it.
        work = Files.createTempDirectory("fastcgi-benchmark-");
        Files.setPosixFilePermissions(work, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /**
     * Starts what is wanted and there.
     *
     * @param results is told what isn't
     */
    static Servers start(Options options, Results results) throws Exception {
        Servers servers = new Servers(options);
        try {
            servers.startAll(results);
            return servers;
        } catch (Throwable e) {
            servers.close();
            throw e;
        }
    }

    private void startAll(Results results) throws Exception {
        Jars.unzip(distribution.resolve("jetty-fastcgi.zip"), work.resolve("base"));
        startJetty();
        if (options.cells().stream().anyMatch(cell -> cell.application() == Application.WAR)) {
            startDistribution();
        }
        if (wants(Row.Backend.TOMCAT)) {
            startTomcat();
        }
        if (wants(Row.Backend.RESPONDER)) {
            startResponder(results);
        }
        if (wants(Row.Backend.PHP)) {
            startPhp(results);
        }
        nginxServers = new Nginx(addresses, Files.createDirectories(work.resolve("nginx")));
        nginx = keep(nginxServers.start(logs.resolve("nginx.log")));
        if (options.rows().stream().anyMatch(row -> row.front() == Row.Front.APACHE)) {
            startApache(results);
        }
    }

    private boolean wants(Row.Backend backend) {
        return options.rows().stream().anyMatch(row -> row.backend() == backend);
    }

    private <T extends Closeable> T keep(T resource) {
        started.push(resource);
        return resource;
    }

    private void startJetty() throws Exception {
        List<Path> jars = new ArrayList<>(Jars.ofJetty(distribution.resolve("jetty-home")));
        jars.addAll(Jars.in(work.resolve("base/lib/fastcgi")));
        Path classes = work.resolve("jetty-classes");
        Sources.compile(List.of("BenchmarkServlet", "HelloHandler", "JettyApplication"), jars, classes);
        jars.add(0, classes);
        Program jetty = keep(Program.start(work, logs.resolve("jetty.log"), java(jars, "JettyApplication")));
        jetty.awaitLine("ready");
        addPorts(jetty);
        for (String application : List.of("servlet", "core")) {
            for (String connector : List.of("http", "jetty-fcgi", "fastcgi")) {
                String name = application + "-" + connector;
                addresses.put(name + "-unix", "unix:" + work.resolve(name + ".sock"));
            }
        }
        backends.put(Row.Backend.JETTY, jetty);
        jvms.put(Row.Backend.JETTY, keep(Jvm.attach(jetty.pid())));
    }

    /** The WAR in the distribution, the way the README installs it. */
    private void startDistribution() throws Exception {
        Path base = work.resolve("base");
        List<String> startJar =
                List.of("-jar", distribution.resolve("jetty-home/start.jar").toString());
        Program.run(
                base,
                concat(List.of(
                        List.of(javaProgram()),
                        startJar,
                        List.of("--add-modules=fastcgi-unix,unixdomain-http,forwarded,ee10-deploy"))));
        Path application = Files.createDirectories(base.resolve("webapps/ROOT"));
        Path classes = Files.createDirectories(application.resolve("WEB-INF/classes/benchmark"));
        Files.copy(
                work.resolve("jetty-classes/benchmark/BenchmarkServlet.class"),
                classes.resolve("BenchmarkServlet.class"));
        Sources.copy("application/web.xml", application.resolve("WEB-INF"));
        Path httpSocket = work.resolve("war-http.sock");
        List<String> settings = List.of(
                "jetty.unixdomain.path=" + httpSocket,
                "jetty.fastcgi.unix.mode=0666",
                "jetty.threadPool.idleTimeout=3600000");
        war = keep(Program.start(
                base,
                logs.resolve("distribution.log"),
                concat(List.of(List.of(javaProgram()), JVM_OPTIONS, options.jvmOptions(), startJar, settings))));
        war.awaitLine("Started oejs.Server@");
        warJvm = keep(Jvm.attach(war.pid()));
        addresses.put("war-http-unix", "unix:" + httpSocket);
        addresses.put("war-fastcgi-unix", "unix:" + base.resolve("run/fastcgi.sock"));
    }

    private void startTomcat() throws Exception {
        List<Path> jars = new ArrayList<>(Jars.in(tomcatJars));
        Path classes = work.resolve("tomcat-classes");
        Sources.compile(List.of("BenchmarkServlet", "TomcatApplication"), jars, classes);
        jars.add(0, classes);
        Program tomcat = keep(Program.start(work, logs.resolve("tomcat.log"), java(jars, "TomcatApplication")));
        tomcat.awaitLine("ready");
        addPorts(tomcat);
        backends.put(Row.Backend.TOMCAT, tomcat);
        jvms.put(Row.Backend.TOMCAT, keep(Jvm.attach(tomcat.pid())));
    }

    private void startResponder(Results results) throws Exception {
        Optional<String> compiler = Program.find("gcc", "cc");
        if (compiler.isEmpty()) {
            results.leaveOut(Row.RESPONDER.label() + ": no C compiler on this machine");
            return;
        }
        Path program = work.resolve("responder");
        Path source = Sources.copy("responder.c", work);
        Program.run(work, List.of(compiler.get(), "-O2", "-o", program.toString(), source.toString()));
        Path socket = work.resolve("responder.sock");
        Program responder = keep(
                Program.start(work, logs.resolve("responder.log"), List.of(program.toString(), socket.toString())));
        responder.awaitLine("ready");
        addresses.put("responder-unix", "unix:" + socket);
        backends.put(Row.Backend.RESPONDER, responder);
    }

    private void startPhp(Results results) throws Exception {
        Optional<String> program = Program.find("php-fpm", "php-fpm8.4", "php-fpm8.3", "php-fpm8.2", "php-fpm8.1");
        if (program.isEmpty()) {
            results.leaveOut(Row.PHP.label() + ": no php-fpm on this machine");
            return;
        }
        Path directory = Files.createDirectories(work.resolve("nginx"));
        Sources.copy("application/application.php", directory);
        Path socket = work.resolve("php.sock");
        Path configuration = Sources.fill(
                "php-fpm.conf",
                work,
                Map.of(
                        "directory", work.toString(),
                        "socket", socket.toString(),
                        "user", isRoot() ? "user = nobody" : ""));
        Program php = keep(Program.start(
                work, logs.resolve("php-fpm.log"), List.of(program.get(), "--fpm-config", configuration.toString())));
        php.await(socket.toString(), () -> Files.exists(socket));
        addresses.put("php-unix", "unix:" + socket);
        backends.put(Row.Backend.PHP, php);
    }

    private void startApache(Results results) throws Exception {
        Optional<String> program = Program.find("apache2", "httpd");
        Optional<Path> modules = Stream.of("/usr/lib/apache2/modules", "/usr/lib64/httpd/modules")
                .map(Path::of)
                .filter(Files::isDirectory)
                .findFirst();
        if (program.isEmpty() || modules.isEmpty()) {
            results.leaveOut(Row.APACHE_FASTCGI.label() + ": no Apache httpd on this machine");
            results.leaveOut(Row.APACHE_AJP.label() + ": no Apache httpd on this machine");
            return;
        }
        Path configuration = Sources.fill(
                "apache.conf",
                Files.createDirectories(work.resolve("apache")),
                Map.of(
                        "directory", work.resolve("apache").toString(),
                        "modules", modules.get().toString(),
                        "user", isRoot() ? "User nobody\nGroup nogroup" : "",
                        "fastcgiListen", Integer.toString(apacheFastCGIPort),
                        "fastcgiSocket", work.resolve("servlet-fastcgi.sock").toString(),
                        "ajpListen", Integer.toString(apacheAjpPort),
                        "ajpAddress", addresses.getOrDefault("tomcat-ajp-tcp", "127.0.0.1:1")));
        apache = keep(Program.start(
                work,
                logs.resolve("apache.log"),
                List.of(program.get(), "-DFOREGROUND", "-f", configuration.toString())));
        Ports.awaitAccepting(apache, apacheAjpPort);
    }

    private void addPorts(Program application) throws IOException {
        for (String line : application.output()) {
            String[] words = line.split(" ");
            if (words[0].equals("port")) {
                addresses.put(words[1] + "-tcp", "127.0.0.1:" + words[2]);
            }
        }
    }

    /** Where the row begins, or {@code null} when it can't be reached. */
    String origin(Row row, Cell cell) {
        Integer port = switch (row.front()) {
            case NGINX -> nginxServers.port(row, cell);
            case APACHE -> apache == null ? null : row == Row.APACHE_AJP ? apacheAjpPort : apacheFastCGIPort;
            case NONE ->
                Integer.valueOf(addresses.get(row.upstream(cell.application())).split(":")[1]);
        };
        return port == null ? null : "http://127.0.0.1:" + port;
    }

    /** What the processes of a row have used so far. */
    record Usage(long applicationMicros, long frontMicros, long allocated, long gcMillis) {}

    Usage usage(Row row, Cell cell) {
        boolean isWar = cell.application() == Application.WAR;
        Program application = isWar ? war : backends.get(row.backend());
        Jvm jvm = isWar ? warJvm : jvms.get(row.backend());
        Program front = switch (row.front()) {
            case NONE -> null;
            case NGINX -> nginx;
            case APACHE -> apache;
        };
        return new Usage(
                application == null ? 0 : CpuTime.ofTree(application.pid()),
                front == null ? 0 : CpuTime.ofTree(front.pid()),
                jvm == null ? 0 : jvm.allocated(),
                jvm == null ? 0 : jvm.gcMillis());
    }

    /** Time that all JVMs have spent on compiling. */
    long compilationMillis() {
        Stream<Jvm> others = warJvm == null ? Stream.empty() : Stream.of(warJvm);
        return Stream.concat(jvms.values().stream(), others)
                .mapToLong(Jvm::compilationMillis)
                .sum();
    }

    Jvm jetty() {
        return jvms.get(Row.Backend.JETTY);
    }

    Path fastcgiSocket() {
        return work.resolve("servlet-fastcgi.sock");
    }

    Path workDirectory() {
        return work;
    }

    private List<String> java(List<Path> classPath, String application) {
        return concat(List.of(
                List.of(javaProgram()),
                JVM_OPTIONS,
                application.equals("JettyApplication") ? options.jvmOptions() : List.of(),
                List.of("-classpath", Jars.classPath(classPath), "benchmark." + application, work.toString())));
    }

    private static String javaProgram() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private static List<String> concat(List<List<String>> parts) {
        return parts.stream().flatMap(List::stream).toList();
    }

    static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    @Override
    public void close() throws IOException {
        while (!started.isEmpty()) {
            started.pop().close();
        }
        Path errors = work.resolve("nginx/error.log");
        if (Files.exists(errors) && Files.size(errors) > 0) {
            Files.copy(errors, logs.resolve("nginx-error.log"), StandardCopyOption.REPLACE_EXISTING);
        }
        try (Stream<Path> files = Files.walk(work)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}

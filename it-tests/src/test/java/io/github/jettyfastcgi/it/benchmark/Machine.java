package io.github.jettyfastcgi.it.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the figures were measured on. */
final class Machine {
    private static final Pattern VERSION = Pattern.compile("\\d+(\\.\\d+)+");

    private Machine() {}

    static List<String> describe() throws IOException, InterruptedException {
        List<String> lines = new ArrayList<>();
        String model = Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.substring(line.indexOf(':') + 2))
                .findFirst()
                .orElse(System.getProperty("os.arch"));
        lines.add(Runtime.getRuntime().availableProcessors() + " CPUs, " + model + ", Linux "
                + System.getProperty("os.version"));
        lines.add(System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version")
                + ", Jetty " + System.getProperty("benchmark.jetty.version", "of the distribution")
                + ", Tomcat " + System.getProperty("benchmark.tomcat.version", "embedded"));
        List<String> programs = new ArrayList<>();
        addVersion(programs, "nginx", "-v", "nginx");
        addVersion(programs, "Apache httpd", "-v", "apache2", "httpd");
        addVersion(programs, "php-fpm", "-v", "php-fpm", "php-fpm8.4", "php-fpm8.3", "php-fpm8.2", "php-fpm8.1");
        addVersion(programs, "wrk", "-v", "wrk");
        lines.add(String.join(", ", programs));
        return lines;
    }

    private static void addVersion(List<String> lines, String name, String option, String... programs)
            throws IOException, InterruptedException {
        var program = Program.find(programs);
        if (program.isPresent()) {
            Process process = new ProcessBuilder(program.get(), option)
                    .redirectErrorStream(true)
                    .start();
            Matcher version =
                    VERSION.matcher(new String(process.getInputStream().readAllBytes()));
            process.waitFor();
            if (version.find()) {
                lines.add(name + " " + version.group());
            }
        }
    }
}

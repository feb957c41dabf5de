package io.github.jettyfastcgi.it.benchmark;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Loads a server with wrk. One thread of it is faster than any server here, and leaves the CPUs to these. */
final class Wrk {
    private static final Pattern RESULT =
            Pattern.compile("microseconds=(\\d+) requests=(\\d+) bytes=(\\d+) errors=(\\d+) p50=(\\d+) p99=(\\d+)");

    private final String program;
    private final Path directory;
    private final Path script;

    Wrk(Path directory) throws IOException {
        this.program = Program.find("wrk").orElseThrow(() -> new IOException("wrk is not on this machine"));
        this.directory = directory;
        this.script = Sources.copy("load.lua", directory);
    }

    Sample.Load run(Cell cell, String origin, int seconds) throws IOException, InterruptedException {
        Workload workload = cell.workload();
        List<String> command = new ArrayList<>(List.of(
                program,
                "--threads",
                "1",
                "--connections",
                Integer.toString(cell.connections()),
                "--duration",
                seconds + "s",
                "--timeout",
                "10s",
                "--script",
                script.toString()));
        for (String field : workload.fields()) {
            command.add("--header");
            command.add(field);
        }
        command.add(origin + workload.target());
        if (workload.up() > 0) {
            command.add(Integer.toString(workload.up()));
        }
        String output = Program.run(directory, command);
        Matcher result = RESULT.matcher(output);
        if (!result.find()) {
            throw new IOException(output);
        }
        return new Sample.Load(
                Long.parseLong(result.group(1)),
                Long.parseLong(result.group(2)),
                Long.parseLong(result.group(3)),
                Long.parseLong(result.group(4)),
                Long.parseLong(result.group(5)),
                Long.parseLong(result.group(6)));
    }
}

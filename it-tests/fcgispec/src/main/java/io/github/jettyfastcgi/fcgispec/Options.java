package io.github.jettyfastcgi.fcgispec;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What the command line asks for.
 *
 * @param address where the application listens; {@code null} for {@code --list}
 * @param path the path of the URI that the application is asked for, without query
 * @param variables further variables of each request
 * @param only which cases are run, by id; none for all
 * @param junit where the report goes, or {@code null}
 * @param timeout how long an application may be silent
 * @param failOn the weakest level whose failures fail the run
 * @param list whether the cases are listed only
 */
record Options(
        Address address,
        String path,
        Map<String, String> variables,
        List<Pattern> only,
        Path junit,
        Duration timeout,
        Level failOn,
        boolean list) {

    private static final Duration FIRST_TIMEOUT = Duration.ofSeconds(10);

    static final String USAGE = """
            Usage: java -jar fcgispec.jar unix:PATH|tcp:HOST:PORT [OPTION...]

            Tests the FastCGI application that listens there. It has to offer what README.md says.

              --request-uri=PATH      the path of the requests' URI (default: /fcgispec)
              --script-filename=FILE  SCRIPT_FILENAME, which php-fpm needs
              --param NAME=VALUE      a further variable of each request; also --param=NAME=VALUE
              --only=ID,...           these cases only; * stands for anything
              --junit=FILE            writes a report in JUnit's XML
              --timeout=MILLISECONDS  how long the application may be silent (default: 3000)
              --fail-on=LEVEL         the weakest level whose failures count: must, should, practice (default), may
              --list                  lists the cases; needs no address

            Exit status: 0 all was met, 1 something wasn't, 2 the application or an option can't be used.
            """;

    Options {
        variables = Collections.unmodifiableMap(new LinkedHashMap<>(variables));
        only = List.copyOf(only);
    }

    /** {@return the same for the first requests, which an application that warms up may answer late} */
    Options patient() {
        Duration patience = timeout.compareTo(FIRST_TIMEOUT) < 0 ? FIRST_TIMEOUT : timeout;
        return new Options(address, path, variables, only, junit, patience, failOn, list);
    }

    /** {@return whether the case is wanted} */
    boolean selects(Case each) {
        return only.isEmpty()
                || only.stream().anyMatch(pattern -> pattern.matcher(each.id()).matches());
    }

    /**
     * Reads the command line.
     *
     * @throws IllegalArgumentException with one line that names what can't be used
     */
    static Options parse(String... arguments) {
        Parser parser = new Parser();
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i].equals("--param") && i + 1 < arguments.length) parser.param(arguments[++i]);
            else parser.argument(arguments[i]);
        }
        return parser.options();
    }

    private static final class Parser {
        private Address address;
        private String path = "/fcgispec";
        private final Map<String, String> variables = new LinkedHashMap<>();
        private final List<Pattern> only = new ArrayList<>();
        private Path junit;
        private Duration timeout = Duration.ofSeconds(3);
        private Level failOn = Level.PRACTICE;
        private boolean list;

        void argument(String argument) {
            int equals = argument.indexOf('=');
            String name = equals < 0 ? argument : argument.substring(0, equals);
            String value = equals < 0 ? "" : argument.substring(equals + 1);
            switch (name) {
                case "--request-uri" -> path = value;
                case "--script-filename" -> variables.put("SCRIPT_FILENAME", value);
                case "--param" -> param(value);
                case "--only" ->
                    Arrays.stream(value.split(",")).map(Parser::pattern).forEach(only::add);
                case "--junit" -> junit = Path.of(value);
                case "--timeout" -> timeout = timeout(value);
                case "--fail-on" -> failOn = level(value);
                case "--list" -> list = true;
                default -> {
                    if (name.startsWith("-") || address != null)
                        throw new IllegalArgumentException("unknown option: " + argument);
                    address = Address.parse(argument);
                }
            }
        }

        void param(String variable) {
            int equals = variable.indexOf('=');
            if (equals < 1) throw new IllegalArgumentException("--param has no NAME=VALUE: " + variable);
            variables.put(variable.substring(0, equals), variable.substring(equals + 1));
        }

        private static Pattern pattern(String glob) {
            return Pattern.compile(Arrays.stream(glob.split("\\*", -1))
                    .map(Pattern::quote)
                    .reduce((left, right) -> left + ".*" + right)
                    .orElseThrow());
        }

        private static Duration timeout(String value) {
            if (!value.matches("[1-9][0-9]{0,6}"))
                throw new IllegalArgumentException("--timeout is no number of milliseconds: " + value);
            return Duration.ofMillis(Long.parseLong(value));
        }

        private static Level level(String value) {
            try {
                return Level.valueOf(value.toUpperCase(Locale.ROOT));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("--fail-on is none of must, should, practice, may: " + value);
            }
        }

        Options options() {
            if (address == null && !list) throw new IllegalArgumentException("no address of an application");
            return new Options(address, path, variables, only, junit, timeout, failOn, list);
        }
    }
}

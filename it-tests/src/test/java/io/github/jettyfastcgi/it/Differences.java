package io.github.jettyfastcgi.it;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The differences between the two ways that are as they should be, in the notation of {@code differences.txt}. */
final class Differences {
    private static final Pattern NAME = Pattern.compile("\\[(everywhere )?(\\S+)]");
    private static final Pattern RULE = Pattern.compile("(?<aspect>.+?): (?<http>.+) => (?<fastcgi>.+)");
    private static final String REASON_INDENT = "    ";
    private static final int EXCERPT = 200;
    private static final String ABSENT = "(absent)";

    private final Map<String, Difference> byName = new LinkedHashMap<>();
    private final Set<String> unseen = new TreeSet<>();

    private Differences() {}

    static Differences parse(String text) {
        Differences differences = new Differences();
        Difference difference = null;
        for (String line : text.lines().toList()) {
            Matcher name = NAME.matcher(line);
            if (name.matches()) {
                difference = new Difference(name.group(1) != null, new ArrayList<>(), new ArrayList<>());
                differences.byName.put(name.group(2), difference);
            } else if (line.startsWith(REASON_INDENT)) {
                difference.reason.add(line.strip());
            } else if (!line.isBlank() && !line.startsWith("#")) {
                difference.rules.add(Rule.parse(line));
            }
        }
        differences.byName.forEach((name, each) -> {
            if (each.reason.isEmpty() || each.rules.isEmpty()) {
                throw new IllegalArgumentException(name + " has no reason, or no rule");
            }
        });
        differences.unseen.addAll(differences.byName.keySet());
        return differences;
    }

    /**
     * Compares the aspects of the answers to one request.
     *
     * @param allowed the names of the differences that are allowed here, besides those that are everywhere
     * @return what is wrong: values that differ otherwise, and allowed differences that aren't there
     */
    List<String> complaints(Map<String, String> http, Map<String, String> fastcgi, List<String> allowed) {
        Set<String> unused = new TreeSet<>(allowed);
        List<String> complaints = new ArrayList<>();
        Set<String> aspects = new TreeSet<>(http.keySet());
        aspects.addAll(fastcgi.keySet());
        for (String aspect : aspects) {
            String httpValue = http.getOrDefault(aspect, ABSENT);
            String fastcgiValue = fastcgi.getOrDefault(aspect, ABSENT);
            if (!httpValue.equals(fastcgiValue)) {
                List<String> reasons = Stream.concat(everywhere(), allowed.stream())
                        .filter(name -> difference(name).covers(aspect, httpValue, fastcgiValue))
                        .toList();
                if (reasons.isEmpty()) {
                    complaints.add(aspect + ": " + excerpts(httpValue, fastcgiValue));
                }
                reasons.forEach(unused::remove);
                reasons.forEach(unseen::remove);
            }
        }
        unused.forEach(name -> complaints.add("There is no difference " + name));
        return complaints;
    }

    /** The texts from shortly before they begin to differ. */
    private static String excerpts(String http, String fastcgi) {
        int start = Math.max(0, Arrays.mismatch(http.toCharArray(), fastcgi.toCharArray()) - EXCERPT / 2);
        return excerpt(http, start) + " => " + excerpt(fastcgi, start);
    }

    private static String excerpt(String text, int start) {
        int end = start + EXCERPT;
        String excerpt = text.substring(Math.min(start, text.length()), Math.min(end, text.length()));
        return (start > 0 ? "..." : "") + excerpt + (end < text.length() ? "..." : "");
    }

    private Difference difference(String name) {
        return Objects.requireNonNull(byName.get(name), name);
    }

    private Stream<String> everywhere() {
        return byName.entrySet().stream()
                .filter(entry -> entry.getValue().everywhere)
                .map(Map.Entry::getKey);
    }

    /** The differences that no comparison found. */
    Set<String> unseen() {
        return unseen;
    }

    private record Difference(boolean everywhere, List<Rule> rules, List<String> reason) {
        boolean covers(String aspect, String http, String fastcgi) {
            return rules.stream()
                    .anyMatch(rule -> rule.aspect.matcher(aspect).matches()
                            && rule.http.matcher(http).matches()
                            && rule.fastcgi.matcher(fastcgi).matches());
        }
    }

    private record Rule(Pattern aspect, Pattern http, Pattern fastcgi) {
        static Rule parse(String line) {
            Matcher rule = RULE.matcher(line);
            if (!rule.matches()) {
                throw new IllegalArgumentException("No rule: " + line);
            }
            return new Rule(glob(rule.group("aspect")), glob(rule.group("http")), glob(rule.group("fastcgi")));
        }

        private static Pattern glob(String text) {
            return Pattern.compile(
                    Stream.of(text.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*")),
                    Pattern.DOTALL);
        }
    }
}

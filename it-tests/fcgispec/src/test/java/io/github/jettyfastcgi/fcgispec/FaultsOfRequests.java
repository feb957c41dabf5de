package io.github.jettyfastcgi.fcgispec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Faults in what an application makes of what it receives. */
final class FaultsOfRequests {
    private FaultsOfRequests() {}

    static List<FaultsIT.Seen> all() {
        return List.of(
                variables("takes each method for GET", "request-method", all -> {
                    all.put("REQUEST_METHOD", "GET");
                    return all;
                }),
                without(
                        "loses variables",
                        "params-variable,params-order",
                        (name, value) -> name.equals("FCGISPEC_VALUE")),
                without("loses fields", "params-field", (name, value) -> name.startsWith("HTTP_F")),
                without("loses empty values", "params-value-empty", (name, value) -> value.isEmpty()),
                without("loses long values", "params-value-lengths", (name, value) -> value.length() > 255),
                without("loses long names", "params-name-long", (name, value) -> name.length() > 127),
                variables("takes values for ASCII", "params-value-bytes", all -> {
                    all.replaceAll((name, value) -> value.replaceAll("[^\\x00-\\x7F]", "?"));
                    return all;
                }),
                without("loses many variables", "params-many", (name, value) -> name.matches("FCGISPEC_4\\d\\d")),
                closes(
                        "refuses odd names",
                        "params-names-odd",
                        record -> text(record).contains("CASE~NAME")),
                closes(
                        "refuses repeated variables",
                        "params-repeated-variable",
                        record -> text(record).split("FCGISPEC_VALUE").length > 2),
                closes(
                        "refuses lengths of four bytes where one would do",
                        "params-lengths-of-four-bytes",
                        record -> text(record).contains("\u0080\0\0\0")),
                of("keeps variables", "params-of-one-request", KeepsVariables::new),
                closes(
                        "refuses other reserved bytes in BEGIN_REQUEST",
                        "request-begin-reserved",
                        record -> record.type() == RecordType.BEGIN_REQUEST && record.content()[7] != 0),
                closes("refuses other reserved bytes in headers", "record-reserved", record -> record.reserved() != 0),
                closes(
                        "takes lengths for signed",
                        "record-length-largest,stdin-records-of-odd-lengths",
                        record -> record.content().length > 32_767),
                closes(
                        "refuses an empty CONTENT_LENGTH",
                        "stdin-content-length-empty",
                        record -> text(record).contains("\u000E\0CONTENT_LENGTH")),
                closes(
                        "refuses small records",
                        "stdin-records-of-one-byte",
                        record -> record.type() == RecordType.STDIN && record.content().length == 1),
                of("loses the content of GET", "stdin-of-get", LosesContentOfGet::new),
                of("mistakes a byte", "stdin-content,stdin-late", MistakesByte::new),
                of("makes content up", "stdin-empty", MakesContentUp::new),
                of("passes content on", "stdin-longer-next-request,stdin-after-end", PassesContentOn::new),
                of("reads records at once or never", "record-byte-by-byte,record-slow", ReadsAtOnce::new),
                of("closes what is idle", "request-late", ClosesIdle::new));
    }

    private static FaultsIT.Seen of(String name, String cases, Supplier<Fault> faults) {
        return new FaultsIT.Seen(name, faults, cases);
    }

    private static String text(WireRecord record) {
        return new String(record.content(), ISO_8859_1);
    }

    private static FaultsIT.Seen closes(String name, String cases, Predicate<WireRecord> condition) {
        return of(name, cases, () -> new Fault() {
            @Override
            List<WireRecord> toApplication(WireRecord received) {
                return condition.test(received) ? null : List.of(received);
            }
        });
    }

    /** Alters the variables of requests that send them in one record. */
    private static FaultsIT.Seen variables(String name, String cases, UnaryOperator<Map<String, String>> alteration) {
        return of(name, cases, () -> new Fault() {
            @Override
            List<WireRecord> toApplication(WireRecord received) {
                if (received.type() != RecordType.PARAMS || received.content().length == 0) return List.of(received);
                return List.of(withContent(received, encode(alteration.apply(Pairs.parse(received.content())))));
            }
        });
    }

    private static byte[] encode(Map<String, String> variables) {
        return Records.concat(variables.entrySet().stream()
                .map(each -> Pairs.pair(each.getKey(), each.getValue()))
                .toArray(byte[][]::new));
    }

    private interface Variables {
        boolean include(String name, String value);
    }

    private static FaultsIT.Seen without(String name, String cases, Variables lost) {
        return variables(name, cases, all -> {
            all.entrySet().removeIf(each -> lost.include(each.getKey(), each.getValue()));
            return all;
        });
    }

    private static final class KeepsVariables extends Fault {
        private final Map<String, String> kept = new LinkedHashMap<>();

        @Override
        List<WireRecord> toApplication(WireRecord received) {
            if (received.type() != RecordType.PARAMS || received.content().length == 0) return List.of(received);
            kept.putAll(Pairs.parse(received.content()));
            return List.of(withContent(received, encode(kept)));
        }
    }

    private static final class LosesContentOfGet extends Fault {
        private boolean isGet;

        @Override
        List<WireRecord> toApplication(WireRecord received) {
            if (text(received).contains("REQUEST_METHODGET")) isGet = true;
            boolean isLost = isGet && received.type() == RecordType.STDIN && received.content().length > 0;
            return isLost ? List.of() : List.of(received);
        }
    }

    private static final class MistakesByte extends Fault {
        @Override
        List<WireRecord> toApplication(WireRecord received) {
            if (received.type() != RecordType.STDIN || received.content().length < 500) return List.of(received);
            byte[] content = received.content().clone();
            content[499]++;
            return List.of(withContent(received, content));
        }
    }

    private static final class MakesContentUp extends Fault {
        @Override
        List<WireRecord> toApplication(WireRecord received) {
            if (text(received).contains("\u000E\u0001CONTENT_LENGTH0")) {
                Map<String, String> variables = Pairs.parse(received.content());
                variables.put("CONTENT_LENGTH", "2");
                return List.of(withContent(received, encode(variables)));
            }
            return received.type() == RecordType.STDIN && received.content().length == 0
                    ? List.of(withContent(received, Pairs.bytes("up")), received)
                    : List.of(received);
        }
    }

    /** What exceeds CONTENT_LENGTH, or comes after the end of STDIN, is put before the content of the next request. */
    private static final class PassesContentOn extends Fault {
        private byte[] excess = {};
        private int left;
        private boolean ended = true;

        @Override
        List<WireRecord> toApplication(WireRecord received) {
            switch (received.type()) {
                case RecordType.BEGIN_REQUEST -> ended = false;
                case RecordType.PARAMS -> {
                    if (received.content().length > 0)
                        left = Integer.parseInt(Pairs.parse(received.content()).getOrDefault("CONTENT_LENGTH", "0"));
                }
                case RecordType.STDIN -> {
                    return stdin(received);
                }
                default -> {}
            }
            return List.of(received);
        }

        private List<WireRecord> stdin(WireRecord received) {
            byte[] content = received.content();
            if (ended) {
                excess = Records.concat(excess, content);
                return List.of();
            }
            if (content.length == 0) {
                ended = true;
                return List.of(received);
            }
            byte[] all = Records.concat(excess, content);
            int length = Math.min(left, all.length);
            left -= length;
            excess = Arrays.copyOfRange(all, length, all.length);
            return length == 0 ? List.of() : List.of(withContent(received, Arrays.copyOf(all, length)));
        }
    }

    private static final class ReadsAtOnce extends Fault {
        @Override
        boolean acceptsRead(byte[] bytes) {
            return bytes.length >= 64;
        }
    }

    private static final class ClosesIdle extends Fault {
        private final long opened = System.nanoTime();

        @Override
        boolean acceptsRead(byte[] bytes) {
            return System.nanoTime() - opened < 400_000_000;
        }
    }
}

package io.github.jettyfastcgi.fcgispec;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Faults that an application has with connections: it dies with one, or can't serve enough of them. */
final class FaultsOfProcesses {
    private static final int FEW = 16;

    private FaultsOfProcesses() {}

    static List<FaultsIT.Seen> all() {
        return List.of(
                new FaultsIT.Seen(
                        "dies of connections that break off",
                        DiesOfBreak::new,
                        "fault-opened-only,fault-cut-in-request,fault-cut-in-response"),
                new FaultsIT.Seen(
                        "dies of records out of order",
                        DiesOfDisorder::new,
                        "fault-begin-length,fault-begin-twice,fault-stdin-within-params,fault-params-endless,"
                                + "fault-values-cut-off,fault-records-of-applications"),
                new FaultsIT.Seen("dies of another version", DiesOfVersion::new, "fault-random-bytes,fault-version"),
                new FaultsIT.Seen("closes along with the web server", ClosesAlong::new, "fault-half-closed"),
                new FaultsIT.Seen("serves one connection", ServesOne::new, "multiplex-kept-connection-aside"),
                new FaultsIT.Seen("serves few connections", servesFew(), "multiplex-connections"));
    }

    /** One connection after the other, so that none is served beside the one that is the end. */
    private abstract static class Deadly extends Fault {
        @Override
        boolean isConcurrent() {
            return false;
        }
    }

    private static final class DiesOfBreak extends Deadly {
        private volatile boolean isActive = true;

        @Override
        List<WireRecord> toWebServer(WireRecord sent) {
            isActive = sent.type() != RecordType.END_REQUEST;
            return List.of(sent);
        }

        @Override
        boolean isDeadly() {
            return isActive;
        }
    }

    private static final class DiesOfDisorder extends Deadly {
        private static final int MAX_PARAMS = 1_000_000;
        private static final Set<Integer> OF_APPLICATIONS = Set.of(
                RecordType.STDOUT,
                RecordType.STDERR,
                RecordType.END_REQUEST,
                RecordType.GET_VALUES_RESULT,
                RecordType.UNKNOWN_TYPE);

        private final Set<Integer> active = new HashSet<>();
        private int paramsLength;
        private boolean paramsEnded;
        private volatile boolean isDead;

        @Override
        List<WireRecord> toApplication(WireRecord received) {
            isDead = isDisorder(received);
            return isDead ? null : List.of(received);
        }

        private boolean isDisorder(WireRecord received) {
            byte[] content = received.content();
            return switch (received.type()) {
                case RecordType.BEGIN_REQUEST -> content.length != 8 || !active.add(received.requestId());
                case RecordType.PARAMS -> {
                    paramsLength += content.length;
                    paramsEnded = content.length == 0;
                    yield paramsLength > MAX_PARAMS;
                }
                case RecordType.STDIN -> !paramsEnded;
                case RecordType.GET_VALUES -> isCutOff(content);
                default -> OF_APPLICATIONS.contains(received.type());
            };
        }

        private static boolean isCutOff(byte[] pairs) {
            try {
                Pairs.parse(pairs);
                return false;
            } catch (Unmet e) {
                return true;
            }
        }

        @Override
        boolean isDeadly() {
            return isDead;
        }
    }

    private static final class DiesOfVersion extends Deadly {
        private boolean isRead;
        private volatile boolean isDead;

        @Override
        boolean acceptsRead(byte[] bytes) {
            isDead = !isRead && bytes[0] != 1;
            isRead = true;
            return !isDead;
        }

        @Override
        boolean isDeadly() {
            return isDead;
        }
    }

    private static final class ClosesAlong extends Fault {
        @Override
        boolean closesAlong() {
            return true;
        }
    }

    private static final class ServesOne extends Fault {
        @Override
        boolean isConcurrent() {
            return false;
        }
    }

    private static Supplier<Fault> servesFew() {
        AtomicInteger connections = new AtomicInteger();
        return () -> new Fault() {
            private final int number = connections.incrementAndGet();

            @Override
            boolean acceptsRead(byte[] bytes) {
                return number <= FEW;
            }
        };
    }
}

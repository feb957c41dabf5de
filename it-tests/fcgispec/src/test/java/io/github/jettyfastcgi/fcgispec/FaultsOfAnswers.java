package io.github.jettyfastcgi.fcgispec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Faults in what an application sends. */
final class FaultsOfAnswers {
    private FaultsOfAnswers() {}

    static List<FaultsIT.Seen> all() {
        return List.of(
                each(
                        "sends ids of one byte",
                        "request-id-two-bytes,request-id-largest",
                        record -> Fault.withId(record, record.requestId() & 0xFF)),
                each(
                        "sends the id 1",
                        "request-id-changes",
                        record -> record.requestId() == 0 ? record : Fault.withId(record, 1)),
                each(
                        "sends the version 0",
                        "output-version",
                        record -> new WireRecord(0, record.type(), record.requestId(), 0, 0, record.content())),
                of(
                        "closes after each request",
                        "request-keep,request-id-reused,params-of-one-request",
                        ClosesAfterEnd::new),
                of(
                        "never ends a request",
                        "request-plain,abort-before-params,abort-before-stdin,abort-while-running,abort-within-response,"
                                + "role-authorizer,role-filter",
                        WithoutEnd::new),
                of("never closes", "abort-closes-connection", NeverCloses::new),
                of("ends requests twice", "output-end-once", EndsTwice::new),
                each("ends with an appStatus of 1", "output-end-status", FaultsOfAnswers::withAppStatus),
                of("cuts responses", "output-large,output-slow-reader,stdin-large", Cuts::new),
                of("sends no STDOUT", "output-stdout-of-head", WithoutStdout::new),
                of("sends management records unasked", "output-only-what-belongs", SpeaksUnasked::new),
                of("holds responses back", "stdin-answered-early,output-flushed", HoldsBack::new),
                of("divides heads", "response-head-in-one-record", DividesHead::new),
                head("leaves a blank before colons", "response-header-block", text -> text.replace(": ", " : ")),
                head(
                        "leaves CGI fields away",
                        "response-cgi-field",
                        text -> text.replaceAll("(Status|Content-Type|Location)(:)", "X-$1$2")),
                head("leaves Content-Type away", "response-content-type", text -> text.replace("Content-", "X-")),
                head("leaves reasons away", "response-status", text -> text.replaceAll("(Status: \\d+).*", "$1")),
                head("writes a status line", "response-no-status-line", text -> "HTTP/1.1 200 OK\r\n" + text),
                head("alters Location", "response-redirect", text -> text.replace("Location: ", "Location: x")),
                head(
                        "leaves Status away",
                        "response-redirect-status,response-redirect-local",
                        text -> text.replace("Status: 302", "X: 302")),
                head("joins cookies", "response-cookies", text -> text.replace("\r\nSet-Cookie: b", ", b")),
                head(
                        "tells of the connection",
                        "response-no-connection-fields",
                        text -> "Connection: keep-alive\r\n" + text),
                head(
                        "miscounts",
                        "response-content-length",
                        text -> text.replaceAll("Content-Length: \\d+", "Content-Length: 7")),
                head("sends an interim response", "response-no-interim", text -> "Status: 100 Continue\r\n\r\n" + text),
                head("sends content always", "response-204,response-304,response-head", text -> text + "content"));
    }

    private static FaultsIT.Seen of(String name, String cases, Supplier<Fault> faults) {
        return new FaultsIT.Seen(name, faults, cases);
    }

    private static FaultsIT.Seen each(String name, String cases, UnaryOperator<WireRecord> alteration) {
        return of(name, cases, () -> new Fault() {
            @Override
            List<WireRecord> toWebServer(WireRecord sent) {
                return List.of(alteration.apply(sent));
            }
        });
    }

    /** A fault in the record that begins a response. */
    private static FaultsIT.Seen head(String name, String cases, UnaryOperator<String> alteration) {
        return each(name, cases, sent -> {
            if (sent.type() != RecordType.STDOUT || Head.length(sent.content()) < 0) return sent;
            int length = Head.length(sent.content());
            String all = new String(sent.content(), ISO_8859_1);
            String altered = alteration.apply(all.substring(0, length)) + all.substring(length);
            return Fault.withContent(sent, altered.getBytes(ISO_8859_1));
        });
    }

    private static WireRecord withAppStatus(WireRecord sent) {
        if (sent.type() != RecordType.END_REQUEST) return sent;
        byte[] content = sent.content().clone();
        content[3] = 1;
        return Fault.withContent(sent, content);
    }

    private static final class ClosesAfterEnd extends Fault {
        private boolean ended;

        @Override
        List<WireRecord> toWebServer(WireRecord sent) {
            ended = sent.type() == RecordType.END_REQUEST;
            return List.of(sent);
        }

        @Override
        List<WireRecord> toApplication(WireRecord received) {
            return ended ? null : List.of(received);
        }
    }

    private static final class WithoutEnd extends Fault {
        @Override
        List<WireRecord> toWebServer(WireRecord sent) {
            return sent.type() == RecordType.END_REQUEST ? List.of() : List.of(sent);
        }
    }

    private static final class NeverCloses extends Fault {
        @Override
        boolean closes() {
            return false;
        }
    }

    private static final class EndsTwice extends Fault {
        @Override
        List<WireRecord> toWebServer(WireRecord sent) {
            return sent.type() == RecordType.END_REQUEST ? List.of(sent, sent) : List.of(sent);
        }
    }

    private static final class Cuts extends Fault {
        private int length;

        @Override
        List<WireRecord> toWebServer(WireRecord sent) {
            if (sent.type() == RecordType.STDOUT) length += sent.content().length;
            return length > 500_000 && sent.content().length > 8 ? List.of() : List.of(sent);
        }
    }

    private static final class WithoutStdout extends Fault {
        private boolean isHead;

        @Override
        List<WireRecord> toApplication(WireRecord received) {
            isHead |= new String(received.content(), ISO_8859_1).contains("REQUEST_METHODHEAD");
            return List.of(received);
        }

        @Override
        List<WireRecord> toWebServer(WireRecord sent) {
            return sent.type() == RecordType.STDOUT && isHead ? List.of() : List.of(sent);
        }
    }

    private static final class SpeaksUnasked extends Fault {
        @Override
        List<WireRecord> toWebServer(WireRecord sent) {
            return List.of(new WireRecord(1, RecordType.UNKNOWN_TYPE, 0, 0, 0, new byte[8]), sent);
        }
    }

    private static final class HoldsBack extends Fault {
        private final List<WireRecord> held = new ArrayList<>();

        @Override
        List<WireRecord> toWebServer(WireRecord sent) {
            held.add(sent);
            if (sent.type() != RecordType.END_REQUEST) return List.of();
            List<WireRecord> all = List.copyOf(held);
            held.clear();
            return all;
        }
    }

    private static final class DividesHead extends Fault {
        @Override
        List<WireRecord> toWebServer(WireRecord sent) {
            if (sent.type() != RecordType.STDOUT || Head.length(sent.content()) < 0) return List.of(sent);
            String all = new String(sent.content(), ISO_8859_1);
            return List.of(
                    withContent(sent, all.substring(0, 5).getBytes(ISO_8859_1)),
                    withContent(sent, all.substring(5).getBytes(ISO_8859_1)));
        }
    }
}

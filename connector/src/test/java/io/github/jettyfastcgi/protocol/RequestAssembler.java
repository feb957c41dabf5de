package io.github.jettyfastcgi.protocol;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes requests of a parser's events, as plainly as possible: any number at once, everything is kept.
 */
final class RequestAssembler implements RecordParser.Listener {
    /** A request as it was received; bytes are read as ISO-8859-1. */
    record Received(
            int id,
            int role,
            boolean keepConnection,
            boolean paramsEnd,
            boolean stdinEnd,
            boolean aborted,
            List<Capture.Variable> params,
            List<Capture.StdinRecord> stdinRecords,
            String stdin) {}

    private static final int PARAMS_LIMIT = 128 * 1024;

    private final List<Assembly> assemblies = new ArrayList<>();
    private final Map<Integer, Assembly> active = new HashMap<>();
    private final NameValuePairs valuesAsked = new NameValuePairs(PARAMS_LIMIT);
    private RecordHeader header;
    private ByteBuffer beginContent;

    /** {@return what was received, in the order in which the requests began} */
    List<Received> requests() {
        return assemblies.stream().map(Assembly::toReceived).toList();
    }

    /** {@return the names that GET_VALUES asked for} */
    List<String> valuesAsked() {
        return variables(valuesAsked).stream().map(Capture.Variable::name).toList();
    }

    @Override
    public boolean onRecord(RecordHeader next) {
        header = next;
        if (header.type() == RecordType.BEGIN_REQUEST) beginContent = ByteBuffer.allocate(BeginRequest.LENGTH);
        return true;
    }

    @Override
    public boolean onContent(ByteBuffer content) {
        switch (header.type()) {
            case BEGIN_REQUEST -> beginContent.put(content);
            case PARAMS -> active.get(header.requestId()).params.append(content);
            case STDIN -> {
                byte[] bytes = new byte[content.remaining()];
                content.get(bytes);
                active.get(header.requestId()).stdin.writeBytes(bytes);
            }
            case GET_VALUES -> valuesAsked.append(content);
            default -> throw new AssertionError("no content belongs into " + header);
        }
        return true;
    }

    @Override
    public boolean onRecordEnd() {
        int id = header.requestId();
        switch (header.type()) {
            case BEGIN_REQUEST -> {
                Assembly assembly = new Assembly(id, BeginRequest.readFrom(beginContent.flip()));
                assemblies.add(assembly);
                active.put(id, assembly);
            }
            case ABORT_REQUEST -> active.get(id).aborted = true;
            case PARAMS -> active.get(id).paramsEnd |= header.contentLength() == 0;
            case STDIN -> active.get(id).stdinRecordEnds(header);
            case GET_VALUES -> assertThatManagementHasIdZero(id);
            default -> throw new AssertionError("no web server sends " + header);
        }
        return true;
    }

    private static void assertThatManagementHasIdZero(int id) {
        if (id != RecordHeader.MANAGEMENT_ID) throw new AssertionError("GET_VALUES with id " + id);
    }

    private static List<Capture.Variable> variables(NameValuePairs pairs) {
        List<Capture.Variable> variables = new ArrayList<>();
        pairs.forEach((bytes, nameOffset, nameLength, valueOffset, valueLength) -> variables.add(new Capture.Variable(
                new String(bytes, nameOffset, nameLength, StandardCharsets.ISO_8859_1),
                new String(bytes, valueOffset, valueLength, StandardCharsets.ISO_8859_1))));
        return variables;
    }

    private static final class Assembly {
        private final int id;
        private final BeginRequest begin;
        private final NameValuePairs params = new NameValuePairs(PARAMS_LIMIT);
        private final ByteArrayOutputStream stdin = new ByteArrayOutputStream();
        private final List<Capture.StdinRecord> stdinRecords = new ArrayList<>();
        private boolean paramsEnd;
        private boolean stdinEnd;
        private boolean aborted;

        private Assembly(int id, BeginRequest begin) {
            this.id = id;
            this.begin = begin;
        }

        private void stdinRecordEnds(RecordHeader header) {
            stdinRecords.add(new Capture.StdinRecord(header.contentLength(), header.paddingLength()));
            stdinEnd |= header.contentLength() == 0;
        }

        private Received toReceived() {
            if (!params.isComplete()) throw new AssertionError("the variables of request " + id + " are cut off");
            return new Received(
                    id,
                    begin.roleCode(),
                    begin.keepConnection(),
                    paramsEnd,
                    stdinEnd,
                    aborted,
                    variables(params),
                    stdinRecords,
                    stdin.toString(StandardCharsets.ISO_8859_1));
        }
    }
}

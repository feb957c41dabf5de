package io.github.jettyfastcgi.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordParserTest {
    private final RecordParser parser = new RecordParser();
    private final Events events = new Events();

    @Test
    void recordsAreToldInOrder() throws FastCGIException {
        ByteBuffer buffer = ByteBuffer.wrap(new RecordScript()
                .begin(1, 1, 1)
                .stdin(1, "hello")
                .stdin(1, "")
                .abort(1)
                .bytes());

        boolean stopped = parser.parse(buffer, events);

        assertThat(stopped).isFalse();
        assertThat(buffer.hasRemaining()).isFalse();
        assertThat(events.log)
                .containsExactly(
                        "1 BEGIN_REQUEST 8",
                        "\0\1\1\0\0\0\0\0",
                        "end",
                        "1 STDIN 5",
                        "hello",
                        "end",
                        "1 STDIN 0",
                        "end",
                        "1 ABORT_REQUEST 0",
                        "end");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5})
    void parserIsBetweenRecordsWhereOneEnds(int padding) throws FastCGIException {
        byte[] bytes = new RecordScript().padding(padding).stdin(1, "abc").bytes();

        for (int i = 0; i < bytes.length; i++) {
            assertThat(parser.isBetweenRecords()).as("at byte %d", i).isEqualTo(i == 0);
            parser.parse(ByteBuffer.wrap(bytes, i, 1), events);
        }

        assertThat(parser.isBetweenRecords()).isTrue();
    }

    /** As an abort is found behind content that nobody reads. */
    @ParameterizedTest
    @ValueSource(ints = {0, 5})
    void recordIsFoundAheadBehindWhatIsNotParsed(int padding) throws FastCGIException {
        byte[] bytes = new RecordScript()
                .padding(padding)
                .stdin(1, "content")
                .stdin(1, "more of it")
                .abort(2)
                .bytes();
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        events.stopAt("content");
        parser.parse(buffer, events);
        int parsed = buffer.position();

        assertThat(parser.isAhead(buffer, RecordType.ABORT_REQUEST, 2)).isTrue();
        assertThat(parser.isAhead(buffer, RecordType.ABORT_REQUEST, 1)).isFalse();
        assertThat(parser.isAhead(buffer, RecordType.PARAMS, 2)).isFalse();
        assertThat(parser.isAhead(buffer.slice(parsed, buffer.remaining() - padding - 1), RecordType.ABORT_REQUEST, 2))
                .as("with its header cut off")
                .isFalse();
        assertThat(buffer.position()).isEqualTo(parsed);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, 255})
    void paddingIsSkipped(int padding) throws FastCGIException {
        byte[] bytes = new RecordScript()
                .padding(padding)
                .stdin(1, "content")
                .stdin(1, "")
                .getValues("FCGI_MAX_REQS")
                .bytes();

        parser.parse(ByteBuffer.wrap(bytes), events);

        assertThat(events.log)
                .containsExactly(
                        "1 STDIN 7",
                        "content",
                        "end",
                        "1 STDIN 0",
                        "end",
                        "0 GET_VALUES 15",
                        "\15\0FCGI_MAX_REQS",
                        "end");
        assertBetweenRecords(parser);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 7, 255})
    void streamSplitAnywhereIsTheSame(int padding) throws FastCGIException {
        byte[] bytes = new RecordScript()
                .padding(padding)
                .stdin(1, "first")
                .stdin(1, "")
                .params(2, "NAME", "value")
                .bytes();
        parser.parse(ByteBuffer.wrap(bytes), events);

        for (int first = 0; first <= bytes.length; first++) {
            RecordParser another = new RecordParser();
            Events split = new Events();
            another.parse(ByteBuffer.wrap(bytes, 0, first), split);
            another.parse(ByteBuffer.wrap(bytes, first, bytes.length - first), split);

            assertThat(split.records()).as("split at %d", first).isEqualTo(events.records());
            assertBetweenRecords(another);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 7, 255})
    void streamInSingleBytesIsTheSame(int padding) throws FastCGIException {
        byte[] bytes = new RecordScript()
                .padding(padding)
                .begin(1, 1, 0)
                .stdin(1, "content")
                .stdin(1, "")
                .bytes();
        parser.parse(ByteBuffer.wrap(bytes), events);

        RecordParser another = new RecordParser();
        Events single = new Events();
        for (byte b : bytes)
            assertThat(another.parse(ByteBuffer.wrap(new byte[] {b}), single)).isFalse();

        assertThat(single.records()).isEqualTo(events.records());
        assertThat(single.log).contains("c", "o", "n", "t");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7})
    void headerSplitAnywhereIsToldOnceItIsWhole(int first) throws FastCGIException {
        byte[] bytes = new RecordScript().padding(3).stdin(513, "abc").bytes();

        assertThat(parser.parse(ByteBuffer.wrap(bytes, 0, first), events)).isFalse();
        assertThat(events.log).isEmpty();

        parser.parse(ByteBuffer.wrap(bytes, first, bytes.length - first), events);
        assertThat(events.log).containsExactly("513 STDIN 3", "abc", "end");
        assertThat(events.header).isEqualTo(new RecordHeader(5, 513, 3, 3));
        assertBetweenRecords(parser);
    }

    @Test
    void emptyRecordEndsWithItsHeader() throws FastCGIException {
        byte[] bytes = new RecordScript().padding(5).stdin(1, "").bytes();

        parser.parse(ByteBuffer.wrap(bytes, 0, RecordHeader.LENGTH), events);

        assertThat(events.log).containsExactly("1 STDIN 0", "end");
        parser.parse(ByteBuffer.wrap(bytes, RecordHeader.LENGTH, 5), events);
        assertBetweenRecords(parser);
    }

    @Test
    void recordEndsWithItsLastContentByteNotWithItsPadding() throws FastCGIException {
        byte[] bytes = new RecordScript().padding(2).stdin(1, "abc").bytes();

        parser.parse(ByteBuffer.wrap(bytes, 0, bytes.length - 2), events);

        assertThat(events.log).containsExactly("1 STDIN 3", "abc", "end");
        parser.parse(ByteBuffer.wrap(bytes, bytes.length - 2, 2), events);
        assertBetweenRecords(parser);
    }

    @Test
    void longestRecordIsRead() throws FastCGIException {
        String content = "x".repeat(RecordHeader.MAX_CONTENT_LENGTH);
        byte[] bytes = new RecordScript()
                .padding(255)
                .stdin(65_535, content)
                .abort(65_535)
                .bytes();

        parser.parse(ByteBuffer.wrap(bytes), events);

        assertThat(events.log).containsExactly("65535 STDIN 65535", content, "end", "65535 ABORT_REQUEST 0", "end");
    }

    @Test
    void unknownTypesAreToldLikeAnyOther() throws FastCGIException {
        byte[] bytes = new RecordScript()
                .padding(1)
                .record(12, 0, new byte[] {'m'})
                .record(255, 7, new byte[] {'a'})
                .record(0, 7, new byte[0])
                .bytes();

        parser.parse(ByteBuffer.wrap(bytes), events);

        assertThat(events.log)
                .containsExactly("0 type 12 1", "m", "end", "7 type 255 1", "a", "end", "7 type 0 0", "end");
    }

    @Test
    void refusedRecordIsOfferedAgain() throws FastCGIException {
        ByteBuffer buffer = ByteBuffer.wrap(new RecordScript()
                .padding(4)
                .stdin(1, "")
                .begin(3, 1, 1)
                .abort(3)
                .bytes());
        events.stopAt("3 BEGIN_REQUEST 8");

        assertThat(parser.parse(buffer, events)).isTrue();
        assertThat(parser.parse(buffer, events)).isTrue();
        assertThat(events.log).containsExactly("1 STDIN 0", "end", "3 BEGIN_REQUEST 8", "3 BEGIN_REQUEST 8");
        assertThat(buffer.position()).isEqualTo(8 + 4 + 8);

        events.log.clear();
        events.goOn();
        assertThat(parser.parse(buffer, events)).isFalse();
        assertThat(events.log)
                .containsExactly("3 BEGIN_REQUEST 8", "\0\1\1\0\0\0\0\0", "end", "3 ABORT_REQUEST 0", "end");
    }

    @Test
    void refusedRecordIsOfferedAgainFromAnEmptyBuffer() throws FastCGIException {
        byte[] bytes = new RecordScript().begin(1, 1, 0).bytes();
        events.stopAt("1 BEGIN_REQUEST 8");
        parser.parse(ByteBuffer.wrap(bytes, 0, RecordHeader.LENGTH), events);
        events.goOn();

        boolean stopped = parser.parse(ByteBuffer.allocate(0), events);
        parser.parse(ByteBuffer.wrap(bytes, RecordHeader.LENGTH, BeginRequest.LENGTH), events);

        assertThat(stopped).isFalse();
        assertThat(events.log).containsExactly("1 BEGIN_REQUEST 8", "1 BEGIN_REQUEST 8", "\0\1\0\0\0\0\0\0", "end");
    }

    @Test
    void stopInContentContinuesBehindIt() throws FastCGIException {
        byte[] bytes = new RecordScript().padding(7).stdin(1, "abcdef").abort(1).bytes();
        ByteBuffer start = ByteBuffer.wrap(bytes, 0, RecordHeader.LENGTH + 2);
        ByteBuffer rest = ByteBuffer.wrap(bytes, RecordHeader.LENGTH + 2, bytes.length - RecordHeader.LENGTH - 2);
        events.stopAt("ab", "cdef");

        assertThat(parser.parse(start, events)).isTrue();
        assertThat(start.hasRemaining()).isFalse();
        assertThat(parser.parse(rest, events)).isTrue();
        assertThat(events.log).containsExactly("1 STDIN 6", "ab", "cdef");

        assertThat(parser.parse(rest, events)).isFalse();
        assertThat(events.log).containsExactly("1 STDIN 6", "ab", "cdef", "end", "1 ABORT_REQUEST 0", "end");
    }

    @Test
    void stopAtTheEndOfARecordContinuesWithItsPadding() throws FastCGIException {
        ByteBuffer buffer = ByteBuffer.wrap(
                new RecordScript().padding(6).stdin(1, "").abort(1).bytes());
        events.stopAt("end");

        assertThat(parser.parse(buffer, events)).isTrue();
        assertThat(buffer.position()).isEqualTo(RecordHeader.LENGTH);
        assertThat(parser.parse(buffer, events)).isTrue();
        assertThat(events.log).containsExactly("1 STDIN 0", "end", "1 ABORT_REQUEST 0", "end");

        assertThat(parser.parse(buffer, events)).isFalse();
        assertBetweenRecords(parser);
        assertThat(events.log).hasSize(4);
    }

    @Test
    void stoppingAtEveryEventLosesNothing() throws FastCGIException {
        byte[] bytes = new RecordScript()
                .padding(7)
                .begin(1, 1, 1)
                .params(1, "A", "b")
                .stdin(1, "content")
                .stdin(1, "")
                .bytes();
        parser.parse(ByteBuffer.wrap(bytes), events);
        RecordParser another = new RecordParser();
        Events stopping = new Events();
        stopping.stopEverywhere();
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        int stops = 0;
        while (another.parse(buffer, stopping)) stops++;

        List<String> expected = new ArrayList<>();
        for (String event : events.log) {
            expected.add(event);
            if (event.startsWith("1 ")) expected.add(event);
        }
        assertThat(stopping.log).isEqualTo(expected);
        assertThat(stops).isEqualTo(events.log.size());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 71, 255})
    void otherVersionIsRefused(int version) {
        byte[] bytes = {(byte) version, 1, 0, 1, 0, 8, 0, 0};

        assertThatThrownBy(() -> parser.parse(ByteBuffer.wrap(bytes), events))
                .isInstanceOfSatisfying(
                        FastCGIException.class,
                        failure -> assertThat(failure.reason()).isEqualTo(FastCGIException.Reason.UNSUPPORTED_VERSION));

        assertThat(events.log).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 7})
    void otherVersionBehindAGoodRecordIsRefusedWhenItsHeaderIsWhole(int first) throws FastCGIException {
        byte[] bytes = new RecordScript()
                .stdin(1, "good")
                .raw("HTTP/1.1".getBytes(StandardCharsets.US_ASCII))
                .bytes();
        int split = RecordHeader.LENGTH + 4 + first;
        parser.parse(ByteBuffer.wrap(bytes, 0, split), events);

        assertThatThrownBy(() -> parser.parse(ByteBuffer.wrap(bytes, split, bytes.length - split), events))
                .isInstanceOf(FastCGIException.class)
                .hasMessage("version 72 (expected: 1)");

        assertThat(events.log).containsExactly("1 STDIN 4", "good", "end");
    }

    @ParameterizedTest
    @ValueSource(strings = {"onRecord", "onContent", "onRecordEnd"})
    void failureOfTheListenerReachesTheCaller(String method) {
        FastCGIException failure = new FastCGIException(FastCGIException.Reason.BAD_BEGIN_REQUEST, "no");
        RecordParser.Listener failing = new RecordParser.Listener() {
            @Override
            public boolean onRecord(RecordHeader header) throws FastCGIException {
                return goOnUnless("onRecord");
            }

            @Override
            public boolean onContent(ByteBuffer content) throws FastCGIException {
                return goOnUnless("onContent");
            }

            @Override
            public boolean onRecordEnd() throws FastCGIException {
                return goOnUnless("onRecordEnd");
            }

            private boolean goOnUnless(String failingMethod) throws FastCGIException {
                if (method.equals(failingMethod)) throw failure;
                return true;
            }
        };
        byte[] bytes = new RecordScript().begin(1, 1, 1).bytes();

        assertThatThrownBy(() -> parser.parse(ByteBuffer.wrap(bytes), failing)).isSameAs(failure);
    }

    @Test
    void nothingBeyondTheLimitOfTheBufferIsRead() throws FastCGIException {
        byte[] record = new RecordScript().stdin(1, "abc").bytes();
        byte[] bytes =
                new RecordScript().raw(new byte[5]).raw(record).raw(record).bytes();
        ByteBuffer buffer = ByteBuffer.wrap(bytes, 5, record.length - 1);

        parser.parse(buffer, events);

        assertThat(events.log).containsExactly("1 STDIN 3", "ab");
        assertThat(buffer.position()).isEqualTo(buffer.limit()).isEqualTo(5 + record.length - 1);
    }

    @Test
    void contentIsInTheBufferBetweenPositionAndLimit() throws FastCGIException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(100);
        buffer.put(new RecordScript().stdin(1, "abc").abort(1).bytes()).flip();
        int end = buffer.limit();

        parser.parse(buffer, events);

        assertThat(events.contents)
                .singleElement()
                .satisfies(content -> assertThat(content).isSameAs(buffer));
        assertThat(events.log).containsExactly("1 STDIN 3", "abc", "end", "1 ABORT_REQUEST 0", "end");
        assertThat(buffer.position()).isEqualTo(end);
        assertThat(buffer.limit()).isEqualTo(end);
    }

    @Test
    void contentNeedNotBeRead() throws FastCGIException {
        ByteBuffer buffer = ByteBuffer.wrap(
                new RecordScript().padding(3).stdin(1, "abc").abort(1).bytes());
        events.stopAt("abc");

        parser.parse(buffer, events);

        assertThat(buffer.position()).isEqualTo(RecordHeader.LENGTH + 3);
        assertThat(buffer.limit()).isEqualTo(buffer.capacity());
    }

    @Test
    void readOnlyBufferIsParsed() throws FastCGIException {
        byte[] bytes = new RecordScript().stdin(1, "abc").bytes();

        parser.parse(ByteBuffer.wrap(bytes).asReadOnlyBuffer(), events);

        assertThat(events.log).containsExactly("1 STDIN 3", "abc", "end");
    }

    @Test
    void nothingToParseChangesNothing() throws FastCGIException {
        assertThat(parser.parse(ByteBuffer.allocate(0), events)).isFalse();

        assertBetweenRecords(parser);
        assertThat(events.log).isEmpty();
    }

    /** The next byte is taken for the first of a header. */
    static void assertBetweenRecords(RecordParser parser) throws FastCGIException {
        Events next = new Events();
        parser.parse(ByteBuffer.wrap(new RecordScript().abort(4711).bytes()), next);
        assertThat(next.log).containsExactly("4711 ABORT_REQUEST 0", "end");
    }

    /** The events as strings: a header's line, content, "end". */
    private static final class Events implements RecordParser.Listener {
        private static final String END = "end";

        private final List<String> log = new ArrayList<>();
        private final List<String> records = new ArrayList<>();
        private final List<ByteBuffer> contents = new ArrayList<>();
        private Predicate<String> goesOn = event -> true;
        private RecordHeader header;

        void stopAt(String... events) {
            goesOn = Predicate.not(List.of(events)::contains);
        }

        void goOn() {
            goesOn = event -> true;
        }

        /** Stops at every event; a record is taken when it is offered for the second time. */
        void stopEverywhere() {
            goesOn =
                    event -> log.size() > 1 && event.equals(header.toString()) && event.equals(log.get(log.size() - 2));
        }

        /** {@return each record's events as one string, in however many pieces its content came} */
        List<String> records() {
            return records;
        }

        @Override
        public boolean onRecord(RecordHeader next) {
            header = next;
            records.add("");
            return event(next.toString());
        }

        @Override
        public boolean onContent(ByteBuffer content) {
            assertThat(content.hasRemaining()).as("content is never empty").isTrue();
            contents.add(content);
            return event(StandardCharsets.ISO_8859_1.decode(content.duplicate()).toString());
        }

        @Override
        public boolean onRecordEnd() {
            return event(END);
        }

        private boolean event(String event) {
            log.add(event);
            records.set(records.size() - 1, records.get(records.size() - 1) + event);
            return goesOn.test(event);
        }
    }
}

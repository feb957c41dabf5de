package io.github.jettyfastcgi.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NameValuePairsTest {
    /** The specification's lengths, both forms, to the last bit. */
    private static final String LENGTHS = """
            length,     bytes
            0,          00
            1,          01
            127,        7f
            128,        80000080
            255,        800000ff
            256,        80000100
            1000,       800003e8
            32767,      80007fff
            32768,      80008000
            65535,      8000ffff
            65536,      80010000
            8388608,    80800000
            16777215,   80ffffff
            16777216,   81000000
            33554431,   81ffffff
            1073741824, c0000000
            2147483631, ffffffef
            """;

    private static final int LARGE = 1024 * 1024;

    @ParameterizedTest
    @CsvSource(textBlock = LENGTHS, useHeadersInDisplayName = true)
    void lengthIsWrittenInItsShortestForm(int length, String bytes) {
        ByteBuffer buffer = ByteBuffer.allocate(4);

        NameValuePairs.writeLength(length, buffer);

        assertThat(HexFormat.of().formatHex(buffer.array(), 0, buffer.position()))
                .isEqualTo(bytes);
    }

    @Test
    void longestLengthIsWritten() {
        ByteBuffer buffer = ByteBuffer.allocate(4);

        NameValuePairs.writeLength(Integer.MAX_VALUE, buffer);

        assertThat(buffer.array()).isEqualTo(hex("ffffffff"));
    }

    /** A pair exceeds a limit that is one byte below its size, and no other: that is how its length was read. */
    @ParameterizedTest
    @CsvSource(textBlock = LENGTHS, useHeadersInDisplayName = true)
    void longLengthKeepsAll31Bits(int length, String bytes) {
        byte[] lengthOfName = hex(bytes + "00");
        byte[] lengthOfValue = hex("00" + bytes);
        int pairSize = lengthOfName.length + length;

        for (byte[] lengths : List.of(lengthOfName, lengthOfValue)) {
            if (length > 0)
                assertThat(new NameValuePairs(pairSize - 1).append(buffer(lengths)))
                        .isFalse();
            assertThat(new NameValuePairs(pairSize).append(buffer(lengths))).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ffffffff00", "00ffffffff", "ffffffffffffffff", "ffffffff01", "01ffffffff"})
    void longestLengthExceedsEveryLimit(String lengths) {
        NameValuePairs pairs = new NameValuePairs(Integer.MAX_VALUE);

        assertThat(pairs.append(buffer(hex(lengths)))).isFalse();

        assertThat(pairs.isOverflow()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(textBlock = LENGTHS, useHeadersInDisplayName = true)
    void pairOfAnyLengthIsRead(int length, String bytes) {
        int readable = Math.min(length, LARGE);
        String lengthBytes = readable == length ? bytes : "80100000";
        byte[] content = new byte[readable];
        Arrays.fill(content, (byte) 'x');
        ByteBuffer stream = ByteBuffer.allocate(2 * readable + 16);
        stream.put(hex(lengthBytes)).put(hex("01")).put(content).put((byte) 'v');
        stream.put(hex("01")).put(hex(lengthBytes)).put((byte) 'n').put(content);

        List<String> read = readAll(stream.flip());

        String text = "x".repeat(readable);
        assertThat(read).containsExactly(text, "v", "n", text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"80000001 01 61 62", "01 80000001 61 62", "80000001 80000001 61 62"})
    void shortLengthInLongFormIsRead(String bytes) {
        assertThat(readAll(buffer(hex(bytes)))).containsExactly("a", "b");
    }

    @Test
    void pairsAreVisitedInOrderWithRepeatedAndEmptyNames() {
        byte[] stream = hex("0b02" + "5345525645525f504f5254" + "3830" // SERVER_PORT=80
                + "0000"
                + "0100" + "61" // a=
                + "0001" + "62" // =b
                + "0b03" + "5345525645525f504f5254" + "343433"); // SERVER_PORT=443

        assertThat(readAll(buffer(stream)))
                .containsExactly("SERVER_PORT", "80", "", "", "a", "", "", "b", "SERVER_PORT", "443");
    }

    @Test
    void nothingIsAWholeStream() {
        NameValuePairs pairs = new NameValuePairs(10);

        assertThat(pairs.append(ByteBuffer.allocate(0))).isTrue();

        assertThat(pairs.isComplete()).isTrue();
        assertThat(visited(pairs)).isEmpty();
    }

    @Test
    void pairSplitAcrossAppendsIsWhole() {
        byte[] stream = streamOfAllForms();
        List<String> whole = readAll(buffer(stream));

        for (int first = 0; first <= stream.length; first++) {
            NameValuePairs pairs = new NameValuePairs(stream.length);
            pairs.append(ByteBuffer.wrap(stream, 0, first));
            pairs.append(ByteBuffer.wrap(stream, first, stream.length - first));

            assertThat(visited(pairs)).as("split at %d", first).isEqualTo(whole);
            assertThat(pairs.isComplete()).isTrue();
        }
    }

    @Test
    void pairsInSingleBytesAreWhole() {
        byte[] stream = streamOfAllForms();
        NameValuePairs pairs = new NameValuePairs(stream.length);

        for (byte b : stream) assertThat(pairs.append(buffer(b))).isTrue();

        assertThat(visited(pairs)).isEqualTo(readAll(buffer(stream)));
        assertThat(pairs.isComplete()).isTrue();
    }

    @Test
    void onlyWholePairsAreVisitedWhileTheLastIsCutOff() {
        byte[] stream = streamOfAllForms();
        List<String> whole = readAll(buffer(stream));

        int complete = 0;
        for (int length = 0; length < stream.length; length++) {
            NameValuePairs pairs = new NameValuePairs(stream.length);
            pairs.append(ByteBuffer.wrap(stream, 0, length));

            List<String> visited = visited(pairs);
            assertThat(whole.subList(0, visited.size())).isEqualTo(visited);
            if (pairs.isComplete()) complete++;
        }
        assertThat(complete).isEqualTo(whole.size() / 2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"01", "80", "800000", "80000001", "0101", "010161", "0180", "0180000001", "018000000161"})
    void pairCutOffAnywhereIsIncomplete(String bytes) {
        NameValuePairs pairs = new NameValuePairs(100);
        pairs.append(buffer(hex("01016162")));

        pairs.append(buffer(hex(bytes)));

        assertThat(pairs.isComplete()).isFalse();
        assertThat(pairs.isOverflow()).isFalse();
        assertThat(visited(pairs)).containsExactly("a", "b");
    }

    /** Where the array is full, a look at a length that hasn't come yet would be one beyond its end. */
    @ParameterizedTest
    @ValueSource(strings = {"00", "01", "80", "800000", "80000000", "8000000080", "800000008000"})
    void pairCutOffAtTheLimitIsIncomplete(String bytes) {
        byte[] stream = hex("01016162" + bytes);
        NameValuePairs pairs = new NameValuePairs(stream.length);

        assertThat(pairs.append(buffer(stream))).isTrue();

        assertThat(pairs.isComplete()).isFalse();
        assertThat(visited(pairs)).containsExactly("a", "b");
    }

    @Test
    void streamOfExactlyTheLimitPasses() {
        byte[] stream = streamOfAllForms();
        NameValuePairs pairs = new NameValuePairs(stream.length);

        assertThat(pairs.append(buffer(stream))).isTrue();

        assertThat(pairs.isComplete()).isTrue();
        assertThat(pairs.isOverflow()).isFalse();
    }

    @Test
    void receivedBytesOverTheLimitAreRefusedAndNothingIsKeptOfThem() {
        byte[] stream = hex("0101616201016364");
        NameValuePairs pairs = new NameValuePairs(stream.length - 1);
        ByteBuffer content = buffer(stream);

        assertThat(pairs.append(content)).isFalse();

        assertThat(content.hasRemaining()).isFalse();
        assertOverflow(pairs, "a", "b");
    }

    @Test
    void receivedBytesOverTheLimitAreRefusedAlsoInSeveralPieces() {
        NameValuePairs pairs = new NameValuePairs(5);

        assertThat(pairs.append(buffer(hex("01016162")))).isTrue();
        assertThat(pairs.append(buffer(hex("80")))).isTrue();
        assertThat(pairs.append(buffer(hex("00")))).isFalse();

        assertOverflow(pairs, "a", "b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"6500", "0065", "8000006500", "0080000065", "3333", "7f7f", "8000000080000063"})
    void declaredLengthsOverTheLimitAreRefusedBeforeTheBytesCome(String lengths) {
        NameValuePairs pairs = new NameValuePairs(100);

        assertThat(pairs.append(buffer(hex(lengths)))).isFalse();

        assertOverflow(pairs);
    }

    @Test
    void lengthsThatArriveByteByByteAreRefusedWithTheirLast() {
        NameValuePairs pairs = new NameValuePairs(1000);

        for (String b : List.of("05", "80", "00", "04"))
            assertThat(pairs.append(buffer(hex(b)))).isTrue();
        assertThat(pairs.append(buffer(hex("00")))).isFalse();

        assertOverflow(pairs);
    }

    @Test
    void limitCountsTheStreamNotThePair() {
        NameValuePairs pairs = new NameValuePairs(10);
        assertThat(pairs.append(buffer(hex("01016162")))).isTrue();

        assertThat(pairs.append(buffer(hex("0203")))).isFalse();

        assertOverflow(pairs, "a", "b");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 100})
    void pairsBeforeTheLimitAreKeptHoweverTheyCome(int pieces) {
        byte[] stream = hex("0101616201016364010165660202676768680101696a");
        NameValuePairs pairs = new NameValuePairs(15);

        for (int at = 0; at < stream.length; at += pieces)
            pairs.append(ByteBuffer.wrap(stream, at, Math.min(pieces, stream.length - at)));

        assertOverflow(pairs, "a", "b", "c", "d", "e", "f");
    }

    @Test
    void everythingAfterAnOverflowIsDropped() {
        NameValuePairs pairs = new NameValuePairs(4);
        pairs.append(buffer(hex("7f7f")));
        ByteBuffer content = buffer(hex("01016162"));

        assertThat(pairs.append(content)).isFalse();

        assertThat(content.hasRemaining()).isFalse();
        assertOverflow(pairs);
    }

    @Test
    void instanceIsReusedForTheNextStream() {
        NameValuePairs pairs = new NameValuePairs(100);
        pairs.append(buffer(hex("010161620580")));

        pairs.clear();
        assertThat(pairs.isComplete()).isTrue();
        assertThat(visited(pairs)).isEmpty();

        pairs.append(buffer(hex("01016364")));
        assertThat(pairs.isComplete()).isTrue();
        assertThat(visited(pairs)).containsExactly("c", "d");
    }

    @Test
    void instanceIsReusedAfterAnOverflow() {
        NameValuePairs pairs = new NameValuePairs(4);
        pairs.append(buffer(hex("7f7f")));

        pairs.clear();

        assertThat(pairs.isOverflow()).isFalse();
        assertThat(pairs.append(buffer(hex("01016162")))).isTrue();
        assertThat(visited(pairs)).containsExactly("a", "b");
    }

    @Test
    void arrayIsKeptForTheNextStreamUnlessItIsLong() {
        NameValuePairs pairs = new NameValuePairs(LARGE);

        byte[] small = arrayOf(pairs, 1000);
        byte[] smallAgain = arrayOf(pairs, 500);
        byte[] large = arrayOf(pairs, NameValuePairs.RETAINED_CAPACITY + 1);
        byte[] afterLarge = arrayOf(pairs, 1000);

        assertThat(smallAgain).isSameAs(small);
        assertThat(large.length).isGreaterThan(NameValuePairs.RETAINED_CAPACITY);
        assertThat(afterLarge).isNotSameAs(large).hasSizeLessThanOrEqualTo(NameValuePairs.RETAINED_CAPACITY);
    }

    @Test
    void allPairsLieInOneArray() {
        NameValuePairs pairs = new NameValuePairs(LARGE);
        for (int i = 0; i < 500; i++) pairs.append(buffer(RecordScript.pairs("NAME_" + i, "value " + i)));

        List<byte[]> arrays = new ArrayList<>();
        pairs.forEach((bytes, nameOffset, nameLength, valueOffset, valueLength) -> {
            assertThat(valueOffset).isEqualTo(nameOffset + nameLength);
            arrays.add(bytes);
        });

        assertThat(arrays).hasSize(500).allSatisfy(array -> assertThat(array).isSameAs(arrays.get(0)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7})
    void pairOfOneMegabyteSplitInsideItsLengthsIsWhole(int first) {
        ByteBuffer stream = ByteBuffer.allocate(8 + 2 * LARGE);
        stream.put(hex("8010000080100000"));
        for (int i = 0; i < 2 * LARGE; i++) stream.put((byte) ('a' + i % 26));
        byte[] bytes = stream.array();
        NameValuePairs pairs = new NameValuePairs(bytes.length);

        assertThat(pairs.append(ByteBuffer.wrap(bytes, 0, first))).isTrue();
        for (int offset = first; offset < bytes.length; offset += RecordHeader.MAX_CONTENT_LENGTH) {
            int length = Math.min(RecordHeader.MAX_CONTENT_LENGTH, bytes.length - offset);
            assertThat(pairs.append(ByteBuffer.wrap(bytes, offset, length))).isTrue();
        }

        String text = new String(bytes, 8, 2 * LARGE, StandardCharsets.ISO_8859_1);
        assertThat(visited(pairs)).containsExactly(text.substring(0, LARGE), text.substring(LARGE));
    }

    @Test
    void pairOfOneMegabyteIsRefusedByASmallerLimit() {
        NameValuePairs pairs = new NameValuePairs(LARGE);

        assertThat(pairs.append(buffer(hex("0f80100000")))).isFalse();

        assertOverflow(pairs);
    }

    @Test
    void declaredLengthHoldsNoMemory() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        NameValuePairs pairs = new NameValuePairs(Integer.MAX_VALUE);
        ByteBuffer lengths = buffer(hex("04fffffff0")); // two gigabytes, and the limit allows them
        ByteBuffer name = buffer("NAME".getBytes(StandardCharsets.US_ASCII));

        long before = threads.getThreadAllocatedBytes(thread);
        boolean accepted = pairs.append(lengths) && pairs.append(name);
        long allocated = threads.getThreadAllocatedBytes(thread) - before;

        assertThat(accepted).isTrue();
        assertThat(allocated).isLessThan(16 * 1024);
    }

    @Test
    void arrayGrowsWithWhatWasReceived() {
        NameValuePairs pairs = new NameValuePairs(LARGE);
        pairs.append(buffer(hex("01016162")));
        pairs.append(buffer(hex("0180080000"))); // half a megabyte is still to come
        pairs.append(ByteBuffer.allocate(10_000));

        List<byte[]> arrays = new ArrayList<>();
        pairs.forEach((bytes, nameOffset, nameLength, valueOffset, valueLength) -> arrays.add(bytes));

        assertThat(arrays).singleElement().satisfies(array -> assertThat(array).hasSizeBetween(10_009, 20_018));
    }

    @ParameterizedTest
    @CsvSource({
        "'', '', 0000",
        "A, '', 010041",
        "'', b, 000162",
        "FCGI_MAX_REQS, 10, 0d02464347495f4d41585f524551533130"
    })
    void pairIsWrittenWithBothLengthsFirst(String name, String value, String bytes) {
        ByteBuffer buffer = ByteBuffer.allocate(100);

        NameValuePairs.write(
                name.getBytes(StandardCharsets.US_ASCII), value.getBytes(StandardCharsets.US_ASCII), buffer);

        assertThat(HexFormat.of().formatHex(buffer.array(), 0, buffer.position()))
                .isEqualTo(bytes);
    }

    private static void assertOverflow(NameValuePairs pairs, String... namesAndValues) {
        assertThat(pairs.isOverflow()).isTrue();
        assertThat(pairs.isComplete()).isFalse();
        assertThat(visited(pairs)).containsExactly(namesAndValues);
    }

    /** Both forms of both lengths, and empty names and values. */
    private static byte[] streamOfAllForms() {
        return RecordScript.pairs(
                "REQUEST_METHOD",
                "GET",
                "EMPTY",
                "",
                "LONG",
                "v".repeat(200),
                "N".repeat(128),
                "short",
                "",
                "nameless",
                "M".repeat(130),
                "w".repeat(300),
                "",
                "",
                "LAST",
                "1");
    }

    private static byte[] arrayOf(NameValuePairs pairs, int length) {
        byte[][] array = new byte[1][];
        pairs.clear();
        pairs.append(buffer(RecordScript.pairs("N", "v".repeat(length))));
        pairs.forEach((bytes, nameOffset, nameLength, valueOffset, valueLength) -> array[0] = bytes);
        return array[0];
    }

    private static List<String> readAll(ByteBuffer stream) {
        NameValuePairs pairs = new NameValuePairs(stream.remaining());
        assertThat(pairs.append(stream)).isTrue();
        assertThat(stream.hasRemaining()).isFalse();
        assertThat(pairs.isComplete()).isTrue();
        return visited(pairs);
    }

    private static List<String> visited(NameValuePairs pairs) {
        List<String> namesAndValues = new ArrayList<>();
        pairs.forEach((bytes, nameOffset, nameLength, valueOffset, valueLength) -> {
            namesAndValues.add(new String(bytes, nameOffset, nameLength, StandardCharsets.ISO_8859_1));
            namesAndValues.add(new String(bytes, valueOffset, valueLength, StandardCharsets.ISO_8859_1));
        });
        return namesAndValues;
    }

    private static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits.replace(" ", ""));
    }

    private static ByteBuffer buffer(byte... bytes) {
        return ByteBuffer.wrap(bytes);
    }

    @Test
    void pairsOverTheirNumberAreFoundAsSoonAsTheirLengthsAre() {
        NameValuePairs pairs = new NameValuePairs(1000, 2);
        assertThat(pairs.append(ByteBuffer.wrap(new byte[] {1, 1, 'a', 'b', 1, 0, 'c'})))
                .isTrue();
        assertThat(pairs.append(ByteBuffer.wrap(new byte[] {100}))).isTrue();

        assertThat(pairs.append(ByteBuffer.wrap(new byte[] {100}))).isFalse();

        assertThat(pairs.isOverflow()).isTrue();
        pairs.clear();
        assertThat(pairs.append(ByteBuffer.wrap(new byte[] {1, 1, 'a', 'b', 1, 0, 'c'})))
                .isTrue();
        assertThat(pairs.isComplete()).isTrue();
    }
}

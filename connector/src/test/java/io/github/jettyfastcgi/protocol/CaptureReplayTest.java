package io.github.jettyfastcgi.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What real web servers sent must be read as what it is, in however many pieces it arrives.
 */
class CaptureReplayTest {
    /** Longer captures are divided near every record boundary, and at some places between. */
    private static final int LONG_CAPTURE = 20_000;

    private static final int NEAR = 9;
    private static final int STRIDE = 97;

    static List<Capture> captures() {
        return Capture.all();
    }

    @Test
    void allCapturesAreThere() {
        assertThat(captures()).hasSize(398);
        assertThat(captures().stream()
                        .map(capture -> capture.server() + "/" + capture.name())
                        .distinct())
                .hasSize(347);
        assertThat(Capture.servers()).hasSize(8);
    }

    @ParameterizedTest
    @MethodSource("captures")
    void wholeCaptureIsWhatItsDescriptionSays(Capture capture) throws FastCGIException {
        RequestAssembler assembler = new RequestAssembler();
        RecordParser parser = new RecordParser();
        ByteBuffer buffer = ByteBuffer.wrap(capture.bytes());

        boolean stopped = parser.parse(buffer, assembler);

        assertThat(stopped).isFalse();
        assertThat(buffer.hasRemaining()).isFalse();
        RecordParserTest.assertBetweenRecords(parser);
        assertThat(assembler.requests()).hasSameSizeAs(capture.requests());
        for (int i = 0; i < capture.requests().size(); i++)
            assertDescribed(assembler.requests().get(i), capture.requests().get(i));
    }

    @ParameterizedTest
    @MethodSource("captures")
    void onlyCapturesWithMultiplexingAskForValues(Capture capture) throws FastCGIException {
        RequestAssembler assembler = new RequestAssembler();

        new RecordParser().parse(ByteBuffer.wrap(capture.bytes()), assembler);

        boolean asks = capture.server().startsWith("haproxy") && capture.name().startsWith("mpx");
        if (asks) assertThat(assembler.valuesAsked()).containsExactly("FCGI_MAX_REQS", "FCGI_MPXS_CONNS");
        else assertThat(assembler.valuesAsked()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("captures")
    void captureInSingleBytesIsTheSame(Capture capture) throws FastCGIException {
        RequestAssembler assembler = new RequestAssembler();
        RecordParser parser = new RecordParser();

        for (byte b : capture.bytes()) parser.parse(ByteBuffer.wrap(new byte[] {b}), assembler);

        RecordParserTest.assertBetweenRecords(parser);
        assertThat(assembler.requests()).isEqualTo(requestsOfWhole(capture));
    }

    @ParameterizedTest
    @MethodSource("captures")
    void captureSplitInTwoIsTheSame(Capture capture) throws FastCGIException {
        byte[] bytes = capture.bytes();
        List<RequestAssembler.Received> whole = requestsOfWhole(capture);

        for (int offset : offsets(bytes)) {
            RequestAssembler assembler = new RequestAssembler();
            RecordParser parser = new RecordParser();
            parser.parse(ByteBuffer.wrap(bytes, 0, offset), assembler);
            parser.parse(ByteBuffer.wrap(bytes, offset, bytes.length - offset), assembler);

            assertThat(assembler.requests()).as("split at %d", offset).isEqualTo(whole);
        }
    }

    @ParameterizedTest
    @MethodSource("captures")
    void captureTwiceInARowGivesEachRequestTwice(Capture capture) throws FastCGIException {
        RequestAssembler assembler = new RequestAssembler();
        RecordParser parser = new RecordParser();

        parser.parse(ByteBuffer.wrap(capture.bytes()), assembler);
        parser.parse(ByteBuffer.wrap(capture.bytes()), assembler);

        List<RequestAssembler.Received> twice = new ArrayList<>(requestsOfWhole(capture));
        twice.addAll(requestsOfWhole(capture));
        assertThat(assembler.requests()).isEqualTo(twice);
    }

    private static void assertDescribed(RequestAssembler.Received received, Capture.Request described) {
        assertThat(received.id()).isEqualTo(described.id());
        assertThat(received.role()).isEqualTo(described.role());
        assertThat(received.keepConnection()).isEqualTo(described.keepConnection());
        assertThat(received.paramsEnd()).isEqualTo(described.paramsEnd());
        assertThat(received.stdinEnd()).isEqualTo(described.stdinEnd());
        assertThat(received.aborted()).isEqualTo(described.aborted());
        assertThat(received.params()).containsExactlyElementsOf(described.params());
        assertThat(received.stdinRecords()).isEqualTo(described.stdinRecords());
        assertThat(received.stdin()).hasSize(described.stdinLength());
        assertThat(sha256(received.stdin())).isEqualTo(described.stdinSha256());
        if (described.stdin() != null) assertThat(received.stdin()).isEqualTo(described.stdin());
    }

    private static List<RequestAssembler.Received> requestsOfWhole(Capture capture) throws FastCGIException {
        RequestAssembler assembler = new RequestAssembler();
        new RecordParser().parse(ByteBuffer.wrap(capture.bytes()), assembler);
        return assembler.requests();
    }

    private static Iterable<Integer> offsets(byte[] bytes) {
        if (bytes.length <= LONG_CAPTURE)
            return IntStream.rangeClosed(0, bytes.length).boxed().toList();
        TreeSet<Integer> offsets = new TreeSet<>();
        for (int offset = 0; offset <= bytes.length; offset += STRIDE) offsets.add(offset);
        for (int boundary = 0; boundary < bytes.length; boundary = nextRecord(bytes, boundary))
            for (int offset = boundary - NEAR; offset <= boundary + NEAR; offset++) offsets.add(offset);
        for (int offset = bytes.length - NEAR; offset <= bytes.length; offset++) offsets.add(offset);
        return offsets.subSet(0, bytes.length + 1);
    }

    private static int nextRecord(byte[] bytes, int boundary) {
        int contentLength = (bytes[boundary + 4] & 0xFF) * 256 + (bytes[boundary + 5] & 0xFF);
        int paddingLength = bytes[boundary + 6] & 0xFF;
        return boundary + 8 + contentLength + paddingLength;
    }

    private static String sha256(String content) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(content.getBytes(StandardCharsets.ISO_8859_1)));
        } catch (NoSuchAlgorithmException x) {
            throw new AssertionError(x);
        }
    }
}

package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.jettyfastcgi.protocol.RecordScript;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.eclipse.jetty.logging.JettyLevel;
import org.eclipse.jetty.logging.JettyLogger;
import org.eclipse.jetty.util.BufferUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The debug log's lines about records: all of them, in both directions, and nothing of their content. */
class RecordLogTest extends ConnectionTestBase {
    private static final int LARGEST_RECORD = 65_528;
    private static final JettyLogger LOGGER = (JettyLogger) LoggerFactory.getLogger(RecordLog.class);

    @AfterEach
    void switchOff() {
        LOGGER.setLevel(JettyLevel.INFO);
    }

    /** {@return the lines: direction, id, type and length} */
    private List<String> lines() {
        return log().lines(".RecordLog:").stream()
                .map(line ->
                        line.replaceFirst(".*: (<<|>>) (\\d+ .+ \\d+) igjs\\.FastCGIConnection@\\p{XDigit}+$", "$1 $2"))
                .toList();
    }

    @Test
    void everyRecordIsOneLine() throws Exception {
        LOGGER.setLevel(JettyLevel.DEBUG);
        startLocal(ConnectionTestBase::echo);
        LocalPeer peer = connectLocal();

        peer.getValues("FCGI_MPXS_CONNS")
                .record(77, 0, new byte[3])
                .post(259, "/", "hello")
                .send();
        peer.readRecord();
        peer.readRecord();
        peer.readAnswer(259).assertText("hello");

        assertThat(lines())
                .containsExactly(
                        "<< 0 GET_VALUES 17",
                        ">> 0 GET_VALUES_RESULT 18",
                        "<< 0 type 77 3",
                        ">> 0 UNKNOWN_TYPE 8",
                        "<< 259 BEGIN_REQUEST 8",
                        "<< 259 PARAMS 60",
                        "<< 259 PARAMS 68",
                        "<< 259 PARAMS 17",
                        "<< 259 PARAMS 0",
                        "<< 259 STDIN 5",
                        "<< 259 STDIN 0",
                        ">> 259 STDOUT 42",
                        ">> 259 STDOUT 0",
                        ">> 259 END_REQUEST 8");
        peer.end();
    }

    @Test
    void refusalIsLogged() throws Exception {
        LOGGER.setLevel(JettyLevel.DEBUG);
        startLocal(ConnectionTestBase::answerPath);
        LocalPeer peer = connectLocal();

        peer.begin(1, Wire.FILTER, Wire.KEEP).send();
        peer.readAnswer(1);

        assertThat(lines().subList(2, 4)).containsExactly(">> 1 STDOUT 0", ">> 1 END_REQUEST 8");
        peer.end();
    }

    @Test
    void gatheredAndCopiedContentIsLoggedByRecord() throws Exception {
        LOGGER.setLevel(JettyLevel.DEBUG);
        int size = 9 * LARGEST_RECORD + 1;
        startLocal((request, response, callback) -> {
            boolean direct = request.getHttpURI().getPath().equals("/direct");
            ByteBuffer content = direct ? BufferUtil.allocateDirect(size) : BufferUtil.allocate(size);
            response.write(true, content.limit(size), callback);
            return true;
        });

        for (String path : List.of("/direct", "/heap")) {
            LocalPeer peer = connectLocal();
            peer.get(1, path).send();
            Answer answer = peer.readAnswer(1);
            assertThat(answer.content()).hasSize(size);
            assertThat(lines().stream().filter(line -> line.startsWith(">>")))
                    .containsExactlyElementsOf(answer.records().stream()
                            .map(record -> ">> 1 " + (record.type() == Wire.STDOUT ? "STDOUT " : "END_REQUEST ")
                                    + record.content().length)
                            .toList());
            peer.end();
            log().clear();
        }
    }

    @Test
    void contentStaysOutOfTheLog() throws Exception {
        LOGGER.setLevel(JettyLevel.DEBUG);
        startLocal(ConnectionTestBase::echo);
        LocalPeer peer = connectLocal();

        peer.head(1, Wire.KEEP, "POST", "/?q=secret", "HTTP_COOKIE", "secret", "CONTENT_LENGTH", "6")
                .stdin(1, "secret")
                .endStdin(1)
                .send();
        peer.readAnswer(1).assertText("secret");

        assertThat(lines()).isNotEmpty();
        assertThat(log().text()).doesNotContain("secret");
        peer.end();
    }

    @Test
    void nothingIsLoggedUnlessAskedFor() throws Exception {
        startLocal(ConnectionTestBase::answerPath);
        LocalPeer peer = connectLocal();

        peer.get(1, "/").send();
        peer.readAnswer(1).assertText("/");

        assertThat(lines()).isEmpty();
        peer.end();
    }

    @Test
    void recordsAreFoundWhereverBuffersEnd() {
        byte[] records = new RecordScript()
                .stdin(1, new byte[3])
                .record(Wire.END_REQUEST, 65_535, new byte[8])
                .padding(7)
                .record(200, 0, new byte[300])
                .bytes();
        int firstContent = 8;
        int secondContent = 3 + firstContent + 8;

        for (int first = firstContent; first <= firstContent + 3; first++) {
            for (int second = secondContent; second <= secondContent + 8; second++) {
                ByteBuffer[] buffers = {
                    ByteBuffer.wrap(records, 0, first),
                    ByteBuffer.allocate(0),
                    ByteBuffer.wrap(records, first, second - first),
                    ByteBuffer.wrap(records, second, records.length - second).slice()
                };
                assertThat(RecordLog.headers(buffers).stream().map(Object::toString))
                        .as("%d, %d", first, second)
                        .containsExactly("1 STDIN 3", "65535 END_REQUEST 8", "0 type 200 300");
                assertThat(Arrays.stream(buffers)
                                .mapToInt(ByteBuffer::remaining)
                                .sum())
                        .isEqualTo(records.length);
            }
        }
    }
}

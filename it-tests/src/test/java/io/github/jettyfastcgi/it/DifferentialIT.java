package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The same requests to the same Jetty, over HTTP and over FastCGI: the answers must not differ, but for what
 * {@code differential/differences.txt} lists and explains. The requests are in {@code differential/corpus.txt}.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DifferentialIT {
    private static final int LEAST_REQUESTS = 400;
    private static final Differences DIFFERENCES = Differences.parse(Resources.text("differential/differences.txt"));

    /** The frames of a stack trace on Jetty's error pages are those of a connector, too; a cookie expires later. */
    private static final Normalization NORMALIZATION = Normalization.STANDARD
            .and("(?m)^\\t(?:at |\\.\\.\\. \\d+ more).*\\R", "")
            .and("Expires=" + Normalization.HTTP_DATE, "Expires=HTTP-DATE");

    @TempDir
    static Path directory;

    static TwoWaySite site;
    private static int passedOn;

    @BeforeAll
    static void startSite() throws Exception {
        JettyBase base = JettyBase.create(
                        directory.resolve("base"),
                        "fastcgi-unix",
                        "http",
                        "forwarded",
                        "security",
                        "compression-gzip",
                        "ee10-deploy",
                        "ee10-jsp",
                        "static-deploy")
                .copy(Resources.directory("differential/base"))
                .deploySample("ROOT");
        addFiles(base.directory().resolve(Path.of("webapps", "docs")));
        site = new TwoWaySite(base, List.of("-Xmx256m"), "etc/realms.xml");
    }

    /** Files that a repository had better not hold: compressed, generated, with odd names. */
    private static void addFiles(Path docs) throws IOException {
        String line = "A line of a text that is long enough to be worth compressing.\n";
        Files.writeString(docs.resolve("long.txt"), line.repeat(200));
        Files.writeString(docs.resolve("packed.txt"), line);
        try (OutputStream packed = new GZIPOutputStream(Files.newOutputStream(docs.resolve("packed.txt.gz")))) {
            packed.write(line.getBytes(StandardCharsets.US_ASCII));
        }
        for (String name : List.of("a b.txt", "a+b%.txt", "a;b.txt", "a'(b)!.txt")) {
            Files.writeString(docs.resolve(name), "Content of " + name);
        }
    }

    @AfterAll
    static void stopSite() {
        if (site != null) {
            site.close();
        }
    }

    static List<Conversation> conversations() {
        return Conversation.parse(Resources.text("differential/corpus.txt"));
    }

    @Order(1)
    @ParameterizedTest(name = "{0}")
    @MethodSource("conversations")
    void answersAreTheSameBothWays(Conversation conversation) throws IOException {
        List<Answer> http = conversation.hold(site.port(Way.HTTP));
        List<Answer> fastcgi = conversation.hold(site.port(Way.FASTCGI));

        List<String> complaints = new ArrayList<>();
        for (int i = 0; i < http.size(); i++) {
            passedOn += isFromNginx(http.get(i)) ? 0 : 1;
            complaints.addAll(DIFFERENCES.complaints(
                    Aspects.of(http.get(i), NORMALIZATION),
                    Aspects.of(fastcgi.get(i), NORMALIZATION),
                    conversation.requests().get(i).differences()));
        }
        assertThat(complaints)
                .withFailMessage(() ->
                        String.join("\n", complaints) + "\n\n" + site.nginx().describe())
                .isEmpty();
    }

    /** nginx refuses some requests by itself; it signs its pages. */
    private static boolean isFromNginx(Answer answer) {
        return answer.text().contains("<center>nginx");
    }

    @Order(2)
    @Test
    void corpusIsLargeAndNoDifferenceIsListedForNothing() {
        assertThat(passedOn).as("requests that got to Jetty").isGreaterThanOrEqualTo(LEAST_REQUESTS);
        assertThat(DIFFERENCES.unseen()).as("differences that didn't occur").isEmpty();
    }
}

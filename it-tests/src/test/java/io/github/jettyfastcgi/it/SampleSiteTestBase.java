package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests against one {@link SampleSite} for each class. A test during which nginx logs an error or the connector a
 * warning fails, unless it took them itself.
 */
abstract class SampleSiteTestBase {
    static final Duration REQUEST_LIMIT = Duration.ofSeconds(60);

    static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(REQUEST_LIMIT)
            .build();

    @TempDir
    static Path directory;

    static SampleSite site;

    @RegisterExtension
    static final DescribeFailure DESCRIBE_FAILURE = new DescribeFailure(() -> site.describe());

    @BeforeAll
    static void startSite() throws Exception {
        site = new SampleSite(directory, "ee10");
    }

    @AfterAll
    static void stopSite() {
        if (site != null) {
            site.close();
        }
    }

    @AfterEach
    void nothingIsLogged() {
        assertThat(site.nginx().takeErrors()).as("errors logged by nginx").isEmpty();
        assertThat(site.takeConnectorWarnings()).as("warnings of the connector").isEmpty();
    }

    static HttpRequest.Builder request(Front front, String target) {
        return HttpRequest.newBuilder(site.uri(front, target)).timeout(REQUEST_LIMIT);
    }

    static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return CLIENT.send(request.build(), BodyHandlers.ofString());
    }

    static HttpResponse<String> get(Front front, String target) throws Exception {
        return send(request(front, target));
    }

    /** What the application was told of this request. */
    static Info info(HttpRequest.Builder request) throws Exception {
        return Info.of(send(request.setHeader("Accept", "application/json")));
    }
}

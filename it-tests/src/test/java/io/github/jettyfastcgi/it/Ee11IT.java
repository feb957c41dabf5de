package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same WAR file in the other servlet environment. */
class Ee11IT {
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir
    static Path directory;

    @Test
    void samplePagesWork() throws Exception {
        try (SampleSite site = new SampleSite(directory, "ee11")) {
            for (String target : new String[] {"/", "/info", "/session", "/upload", "/echo", "/jsp/hello.jsp"}) {
                HttpResponse<String> page = get(site, target);
                assertThat(page.statusCode()).as(target + " " + site.describe()).isEqualTo(200);
                assertThat(page.body()).as(target).contains("</html>");
            }

            Info info = Info.of(get(site, "/info/a%20b?format=json"));
            assertThat(info.get("pathInfo")).isEqualTo("/a b");
            assertThat(info.get("requestURL"))
                    .isEqualTo(site.uri(Front.UNIX_KEPT, "/info/a%20b").toString());

            assertThat(get(site, "/no/such/page").statusCode()).isEqualTo(404);
            assertThat(get(site, "/fail").statusCode()).isEqualTo(500);
            assertThat(get(site, "/async?timeout=50").statusCode()).isEqualTo(503);
            assertThat(site.nginx().takeErrors()).isEmpty();
        }
    }

    private static HttpResponse<String> get(SampleSite site, String target) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(site.uri(Front.UNIX_KEPT, target)).build();
        return CLIENT.send(request, BodyHandlers.ofString());
    }
}

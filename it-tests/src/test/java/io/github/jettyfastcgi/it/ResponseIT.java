package io.github.jettyfastcgi.it;

import static java.net.http.HttpRequest.BodyPublishers.noBody;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.util.ajax.JSON;

/** What of the application's answer reaches the client. */
class ResponseIT extends SampleSiteTestBase {

    @EachFront
    void pagesAndTheirTypes(Front front) throws Exception {
        HttpResponse<String> index = get(front, "/");
        assertThat(index.statusCode()).isEqualTo(200);
        assertThat(index.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/html");
        assertThat(index.body()).contains("</html>").contains("info");

        HttpResponse<String> jsp = get(front, "/jsp/hello.jsp");
        assertThat(jsp.statusCode()).isEqualTo(200);
        assertThat(jsp.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/html");
        assertThat(jsp.body()).contains("</html>").doesNotContain("<%");
    }

    @EachFront
    void conditionalRequestOfAStaticFile(Front front) throws Exception {
        HttpResponse<String> index = get(front, "/index.html");
        String lastModified = index.headers().firstValue("Last-Modified").orElseThrow();

        HttpResponse<String> unmodified = send(request(front, "/index.html").header("If-Modified-Since", lastModified));

        assertThat(unmodified.statusCode()).isEqualTo(304);
        assertThat(unmodified.body()).isEmpty();
    }

    @EachFront
    void statusesAndWhatFollowsThemOnTheConnection(Front front) throws Exception {
        try (RawConnection connection = new RawConnection(site.port(front))) {
            for (int status : List.of(200, 201, 202, 204, 304, 400, 403, 404, 409, 410, 418, 451, 500, 503)) {
                connection.sendHead("GET /status?code=" + status + " HTTP/1.1", "Host: example.com");
                RawConnection.Response response = connection.read();

                assertThat(response.status()).isEqualTo(status);
                if (status == 204 || status == 304) {
                    assertThat(response.field("Transfer-Encoding")).isEmpty();
                    assertThat(response.content()).isEmpty();
                }
            }

            connection.sendHead("GET /info?format=json HTTP/1.1", "Host: example.com");
            assertThat(Info.of(connection.read()).get("servletPath")).isEqualTo("/info");
        }
    }

    @EachFront
    void redirectLeadsToTheSameSite(Front front) throws Exception {
        HttpResponse<String> response = get(front, "/redirect?to=/info%3Fformat%3Djson");

        assertThat(response.statusCode()).isEqualTo(302);
        URI location = URI.create(response.headers().firstValue("Location").orElseThrow());
        assertThat(site.uri(front, "/redirect").resolve(location)).isEqualTo(site.uri(front, "/info?format=json"));
    }

    @EachFront
    void sessionGoesOnUntilLogout(Front front) throws Exception {
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .cookieHandler(new CookieManager())
                .build();

        HttpRequest visit = request(front, "/session?format=json").build();

        HttpResponse<String> first = client.send(visit, BodyHandlers.ofString());
        assertThat(first.headers().allValues("Set-Cookie"))
                .singleElement()
                .asString()
                .startsWith("JSESSIONID=");
        assertThat(counter(first)).isEqualTo(1);
        HttpResponse<String> second = client.send(visit, BodyHandlers.ofString());
        assertThat(second.headers().allValues("Set-Cookie")).isEmpty();
        assertThat(counter(second)).isEqualTo(2);

        HttpResponse<String> logout =
                client.send(request(front, "/session").POST(noBody()).build(), BodyHandlers.ofString());
        assertThat(logout.statusCode()).isEqualTo(302);
        assertThat(counter(client.send(visit, BodyHandlers.ofString()))).isEqualTo(1);
    }

    private static long counter(HttpResponse<String> response) {
        assertThat(response.statusCode()).isEqualTo(200);
        return (Long) ((Map<?, ?>) new JSON().fromJSON(response.body())).get("counter");
    }

    @EachFront
    void errorPageForAMissingResource(Front front) throws Exception {
        HttpResponse<String> response = get(front, "/no/such/page");

        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(response.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/html");
        assertThat(response.body()).contains("404").contains("</html>");
    }

    @EachFront
    void errorPageForAnException(Front front) throws Exception {
        HttpResponse<String> response = get(front, "/fail");

        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(response.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/html");
        assertThat(response.body()).contains("500").contains("</html>");
    }

    @EachFront
    void badRequestIsAnsweredLikeAnyOther(Front front) throws Exception {
        try (RawConnection connection = new RawConnection(site.port(front))) {
            connection.sendHead("GET /info/a%2Fb HTTP/1.1", "Host: example.com");
            assertThat(connection.read().status()).isEqualTo(400);

            connection.sendHead("GET /info?format=json HTTP/1.1", "Host: example.com");
            assertThat(Info.of(connection.read()).get("requestURI")).isEqualTo("/info");
        }
    }

    @EachFront
    void asynchronousAnswer(Front front) throws Exception {
        HttpResponse<String> response = get(front, "/async?delay=50");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isNotBlank();
    }

    @EachFront
    void asynchronousTimeout(Front front) throws Exception {
        HttpResponse<String> response = get(front, "/async?timeout=50");

        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body()).isNotBlank();
    }
}

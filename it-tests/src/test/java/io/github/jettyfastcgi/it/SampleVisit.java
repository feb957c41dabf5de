package io.github.jettyfastcgi.it;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;

/** Everything that the sample application has. */
final class SampleVisit implements Visit {
    private final String context;
    private final int jspStatus;

    /**
     * A visit to a context.
     *
     * @param context its path
     * @param hasJsp whether the compiled JSP runs there; it is of ee10
     */
    SampleVisit(String context, boolean hasJsp) {
        this.context = context;
        this.jspStatus = hasJsp ? 200 : 501;
    }

    @Override
    public void pay(Visitor visitor) throws IOException {
        visitor.get(301, context);
        visitor.follow(200);
        for (String page : new String[] {"/session", "/upload", "/echo", "/events.html"}) {
            assertThat(visitor.get(200, context + page).text()).contains("</html>");
        }
        visitor.get(jspStatus, context + "/jsp/hello.jsp?name=Gr%C3%BC%C3%9Fe");
        askForInfo(visitor);
        count(visitor);
        send(visitor);
        wait(visitor);
        fail(visitor);
    }

    private void askForInfo(Visitor visitor) throws IOException {
        Info info = Info.of(visitor.get(200, context + "/info/a%20b;v=1/%C3%A9?format=json&a=%E2%82%AC"));
        assertThat(info.get("requestURL")).isEqualTo("http://www.example.com" + context + "/info/a%20b;v=1/%C3%A9");
        assertThat(info.get("contextPath")).isEqualTo(context);
        assertThat(info.get("servletPath")).isEqualTo("/info");
        assertThat(info.get("pathInfo")).isEqualTo("/a b/\u00e9");
        assertThat(info.get("remoteAddr")).isEqualTo("127.0.0.1");
        assertThat(info.parameter("a")).containsExactly("\u20ac");

        Map<String, String> form = Map.of("a", "Gr\u00fc\u00dfe");
        info = Info.of(visitor.post(200, context + "/info?format=json&a=0", form));
        assertThat(info.parameter("a")).containsExactly("0", "Gr\u00fc\u00dfe");
        visitor.send(200, "PUT", context + "/info?format=json", "x".getBytes(US_ASCII), "Content-Type: text/xml");
        visitor.send(200, "OPTIONS", context + "/session", null);
    }

    private void count(Visitor visitor) throws IOException {
        assertThat(visitor.get(200, context + "/session?format=json").text()).contains("\"counter\":2");
        visitor.post(302, context + "/session", Map.of());
        assertThat(visitor.get(200, context + "/session?format=json").text()).contains("\"counter\":1");
    }

    private void send(Visitor visitor) throws IOException {
        byte[] file = Pattern251.bytes(0, 200_000);
        Answer parts = visitor.upload(
                200, context + "/upload?format=json", Map.of("note", "Gr\u00fc\u00dfe"), "file", "f.bin", file);
        assertThat(parts.text()).contains("\"size\":200000");
        byte[] chunks = "5\r\nhello\r\n5\r\n, \u20ac\r\n0\r\n\r\n".getBytes(UTF_8);
        assertThat(visitor.send(200, "POST", context + "/echo", chunks, "Transfer-Encoding: chunked")
                        .text())
                .isEqualTo("hello, \u20ac");
        Answer large = visitor.get(200, context + "/download?size=1000000&length=false");
        assertThat(large.content()).isEqualTo(Pattern251.bytes(0, 1_000_000));
        visitor.send(200, "HEAD", context + "/download?size=1000000", null);
    }

    private void wait(Visitor visitor) throws IOException {
        assertThat(visitor.get(200, context + "/async?delay=20").text()).isEqualTo("Answered after 20 ms\n");
        assertThat(visitor.get(503, context + "/async?timeout=20").text()).isEqualTo("No answer within 20 ms\n");
        assertThat(visitor.get(200, context + "/events?count=3&interval=10").text())
                .endsWith("id: 3\ndata: 3\n\n");
    }

    private void fail(Visitor visitor) throws IOException {
        Answer style = visitor.get(200, context + "/style.css");
        visitor.get(304, context + "/style.css", "If-Modified-Since: " + style.field("Last-Modified"));
        visitor.get(206, context + "/style.css", "Range: bytes=10-19");
        visitor.get(416, context + "/style.css", "Range: bytes=99999-");
        visitor.get(302, context + "/redirect?to=upload");
        visitor.follow(200);
        visitor.get(204, context + "/status?code=204");
        assertThat(visitor.get(404, context + "/nothing").text()).contains("Error 404");
        assertThat(visitor.get(500, context + "/fail").text()).contains("Error 500");
    }
}

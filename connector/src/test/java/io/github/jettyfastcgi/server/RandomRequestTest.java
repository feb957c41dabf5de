package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Requests put together by chance of what parsers stumble over: the same over FastCGI as over HTTP. What
 * {@link OddRequestTest} lists as a difference doesn't occur.
 */
class RandomRequestTest extends ConnectionTestBase {
    private static final int REQUESTS = 200;

    private static final List<String> METHODS = words("GET GET POST OPTIONS PUT DELETE get Post FOO PRI M-SEARCH");
    private static final List<String> TARGET =
            words("/ / a b .. . ; ;x=1 %2e %2E%2e %2f %5c \\ %00 %25 % %2 %zz %u0041 %u002e %c3%a4 %e4 %C0%AF "
                    + "\u00c3\u00a4 \u00e4 \u0001 \u007f ? # & = + * : @ [ ] http:// user@h %3f %3b %23 | < \" ^ "
                    + "{ ~ $ %0d%0a %20 %7f \u00f0\u009f\u0098\u0080");
    private static final List<String> HOST =
            words("h h.example H : :80 :8080 :0 :65535 :65536 :x :-1 :+80 :080 ::1 [ ] [::1] [fe80::1%25eth0] "
                    + "[v1.x] 127.0.0.1 1.2.3 @ u:p@ / ? # %41 _ - . .. , ; \u00e4 xn--a * ' \" ~ | \\");
    private static final List<String> NAMES =
            words("X Accept Cookie User-Agent Range If-Modified-Since Authorization X-Forwarded-For Via "
                    + "Content-Encoding X.Y Max-Forwards Http Origin");
    private static final List<String> VALUE = List.of(
            "a",
            " ",
            "\t",
            ",",
            ";",
            "=",
            "\"",
            "\\",
            "\u00e4",
            "\u00c3\u00a4",
            "\u0080",
            "\u00a0",
            "\u0085",
            "\u00ff",
            "%41",
            "(",
            "\u0001",
            "\0",
            "\u007f",
            "\u000b",
            "\u001b");

    private static List<String> words(String text) {
        return List.of(text.split(" "));
    }

    private enum Compliance {
        DEFAULT(UriCompliance.DEFAULT, HttpCompliance.RFC9110),
        STRICT(UriCompliance.RFC3986, HttpCompliance.STRICT),
        LAX(UriCompliance.UNSAFE, HttpCompliance.STRICT.with("all", HttpCompliance.Violation.values()));

        private final UriCompliance uri;
        private final HttpCompliance http;

        Compliance(UriCompliance uri, HttpCompliance http) {
            this.uri = uri;
            this.http = http;
        }

        void applyTo(HttpConfiguration configuration) {
            configuration.setUriCompliance(uri);
            configuration.setHttpCompliance(http);
        }
    }

    @ParameterizedTest
    @EnumSource
    void isTheSameOverFastCGI(Compliance compliance) throws Exception {
        expectWarning("HostPort");
        expectWarning("writeError"); // what Jetty makes of odd hosts where all are allowed
        HttpConfiguration httpConfiguration = new HttpConfiguration();
        compliance.applyTo(httpConfiguration);
        compliance.applyTo(configuration);
        ServerConnector http = new ServerConnector(server, 1, 1, new HttpConnectionFactory(httpConfiguration));
        http.setHost("127.0.0.1");
        server.addConnector(http);
        startLocal(OddRequestTest::describe);
        LocalPeer peer = connectLocal();
        Random random = new Random(compliance.ordinal());

        for (int i = 0; i < REQUESTS; i++) {
            OddRequestTest.Odd odd = request(random);
            String overHttp = OddRequestTest.overHttp(http.getLocalPort(), odd);

            assertThat(OddRequestTest.overFastCGI(peer, odd)).as(odd.toString()).isEqualTo(overHttp);
        }
    }

    /** One part of it is odd, or all are. */
    private static OddRequestTest.Odd request(Random random) {
        int part = random.nextInt(4);
        boolean all = part == 3;
        String method = part == 0 || all ? some(METHODS, 1, random) : "GET";
        String target = part == 0 || all ? "/" + some(TARGET, 6, random) : "/a";
        String host = part == 1 || all ? some(HOST, 4, random) : "h";
        String field = part == 2 || all ? some(NAMES, 1, random) + ": " + some(VALUE, 5, random) : "X: a";
        return new OddRequestTest.Odd(null, method + " " + target + " HTTP/1.1", "Host: " + host, field);
    }

    private static String some(List<String> parts, int most, Random random) {
        return random.ints(1 + random.nextInt(most), 0, parts.size())
                .mapToObj(parts::get)
                .collect(Collectors.joining());
    }
}

package io.github.jettyfastcgi.cgi;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.jettyfastcgi.protocol.FuzzInput;
import io.github.jettyfastcgi.protocol.NameValuePairs;
import io.github.jettyfastcgi.server.LogCapture;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.util.HostPort;

/**
 * Any variables are a request that has nothing in it which HTTP couldn't carry, or one that is refused; and what a
 * connection remembers of one request changes nothing of another. The input is a byte that chooses the settings, two for
 * the length of the variables of a first request, those variables, and those of a second request.
 */
public final class RequestMapperFuzzer {
    private static final List<HttpCompliance> COMPLIANCES = List.of(HttpCompliance.RFC9110, HttpCompliance.LEGACY);
    private static final int LIMIT = 65_536;
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final Pattern CONTROL = Pattern.compile("[\\x00-\\x08\\x0A-\\x1F\\x7F]");
    private static final Pattern BLANK = Pattern.compile("[ \t]");
    private static final Pattern HOP_BY_HOP =
            Pattern.compile("(?i)(Proxy|Connection|Keep-Alive|TE|Trailer|Transfer-Encoding|Upgrade)");

    private RequestMapperFuzzer() {}

    public static void fuzzerTestOneInput(byte[] data) {
        FuzzInput input = new FuzzInput(data);
        PathSource[] sources = PathSource.values();
        int choice = input.choice(2 * sources.length * COMPLIANCES.size());
        HostPort authority = choice < sources.length * COMPLIANCES.size() ? null : new HostPort("fallback", 8080);
        HttpCompliance compliance = COMPLIANCES.get(choice / sources.length % COMPLIANCES.size());
        RequestMapper mapper = new RequestMapper(sources[choice % sources.length], compliance, authority);
        byte[] first = input.bytes(input.choice(256) << 8 | input.choice(256));
        byte[] second = input.rest();
        VariableCache cache = new VariableCache();

        LogCapture log = new LogCapture();
        try {
            for (byte[] request : List.of(first, second, first, second)) {
                CGIRequest alone = map(mapper, request, new VariableCache());
                check(alone, compliance);
                assertThat(RequestText.inFull(map(mapper, request, cache))).isEqualTo(RequestText.inFull(alone));
            }
            if (isStrict(compliance)) assertThat(log.text()).isEmpty();
        } finally {
            log.close();
        }
    }

    private static CGIRequest map(RequestMapper mapper, byte[] bytes, VariableCache cache) {
        NameValuePairs pairs = new NameValuePairs(LIMIT);
        pairs.append(ByteBuffer.wrap(bytes));
        MetaVariables variables = new MetaVariables();
        pairs.forEach(variables::add);
        assertThat(variables.toMap()).hasSizeLessThanOrEqualTo(variables.size());
        return mapper.map(0, variables, cache);
    }

    private static void check(CGIRequest request, HttpCompliance compliance) {
        if (request.failure() != null) {
            assertThat(request.failure().getCode()).isEqualTo(400);
            return;
        }
        assertThat(request.getMethod()).matches(TOKEN);
        String uri = request.getHttpURI().asString();
        assertThat(uri).doesNotContainPattern(CONTROL);
        if (isStrict(compliance)) assertThat(uri).doesNotContainPattern(BLANK);
        assertThat(request.getContentLength()).isGreaterThanOrEqualTo(-1);
        for (HttpField field : request.getHttpFields()) {
            assertThat(field.getName()).matches(TOKEN).doesNotMatch(HOP_BY_HOP);
            if (field.getValue() != null) assertThat(field.getValue()).doesNotContainPattern(CONTROL);
        }
    }

    /** {@return whether a Host is only taken if it is one} */
    private static boolean isStrict(HttpCompliance compliance) {
        return !compliance.allows(HttpCompliance.Violation.UNSAFE_HOST_HEADER);
    }
}

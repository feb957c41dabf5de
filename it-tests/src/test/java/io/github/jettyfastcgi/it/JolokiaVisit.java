package io.github.jettyfastcgi.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;

/** JMX over HTTP: everything is in the path, escaped twice, behind BASIC login. */
final class JolokiaVisit implements Visit {
    private static final String AUTHORIZATION = "Authorization: Basic bW9uaXRvcjpnYXVnZQ==";

    @Override
    public Normalization normalization(Normalization standard) {
        return standard.and(Normalization.HTTP_DATE, "HTTP-DATE").and("\"timestamp\":\\d+", "\"timestamp\":TIME");
    }

    @Override
    public void pay(Visitor visitor) throws IOException {
        visitor.get(301, "/jolokia");
        visitor.get(401, "/jolokia/version");
        visitor.get(401, "/jolokia/version", "Authorization: Basic bW9uaXRvcjp3cm9uZw==");
        assertThat(read(visitor, "version")).contains("\"agent\":\"2.0.0\"");
        assertThat(read(visitor, "read/java.lang:type=Runtime/SpecName,SpecVersion"))
                .contains("SpecVersion");
        assertThat(read(visitor, "read/java.lang:name=Metaspace%20Manager,type=MemoryManager/Name,Valid"))
                .contains("\"Metaspace Manager\"");
        assertThat(read(visitor, "read/java.nio:name=mapped%20-%20!'non-volatile%20memory!',type=BufferPool/Name"))
                .contains("mapped - 'non-volatile memory'");
        assertThat(read(visitor, "search/java.lang:type=MemoryPool,*")).contains("Metaspace");
        assertThat(read(visitor, "list/java.lang/type=Memory/attr/Verbose")).contains("boolean");
        assertThat(read(visitor, "exec/java.util.logging:type=Logging/getLoggerLevel/no!/such!/logger"))
                .contains("\"no\\/such\\/logger\"");
        assertThat(read(visitor, "read/no.such:type=Bean")).contains("InstanceNotFoundException");

        String bulk = """
                [{"type": "read", "mbean": "java.lang:type=OperatingSystem", "attribute": ["Name", "Arch"]},
                 {"type": "exec", "mbean": "java.util.logging:type=Logging", "operation": "getLoggerLevel",
                  "arguments": ["Grüße"]}]
                """;
        Answer answers = visitor.send(
                200, "POST", "/jolokia/", bulk.getBytes(UTF_8), AUTHORIZATION, "Content-Type: application/json");
        assertThat(answers.text()).contains("\"Arch\"", "Gr\u00fc\u00dfe");
        visitor.get(404, "/jolokia/WEB-INF/web.xml", AUTHORIZATION);
        visitor.send(200, "OPTIONS", "/jolokia/", null, AUTHORIZATION, "Origin: http://other.example");
    }

    private static String read(Visitor visitor, String path) throws IOException {
        return visitor.get(200, "/jolokia/" + path, AUTHORIZATION).text();
    }
}

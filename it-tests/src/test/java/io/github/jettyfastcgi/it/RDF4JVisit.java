package io.github.jettyfastcgi.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A database behind Spring and filters: methods besides GET and POST, large content both ways, compressed answers. */
final class RDF4JVisit implements Visit {
    private static final int TRIPLES = 20_000;
    private static final int CHUNK = 10_000;
    private static final String EVERYTHING = "SELECT ?s ?p ?o WHERE { ?s ?p ?o } ORDER BY ?s";
    private static final String SOME = "SELECT ?o WHERE { <http://example.com/subject/00017> ?p ?o }";
    private static final String JSON = "Accept: application/sparql-results+json";

    @Override
    public void pay(Visitor visitor) throws IOException {
        String repository = "/rdf4j/repositories/" + visitor.name();
        visitor.get(301, "/rdf4j");
        visitor.get(200, "/rdf4j/protocol");
        visitor.get(404, repository + "/size");

        visitor.send(204, "PUT", repository, configuration(visitor.name()), "Content-Type: text/turtle");
        visitor.get(200, "/rdf4j/repositories", JSON);
        visitor.send(
                204,
                "POST",
                repository + "/statements",
                chunked(triples()),
                "Content-Type: application/n-triples; charset=UTF-8",
                "Transfer-Encoding: chunked");
        assertThat(visitor.get(200, repository + "/size").text()).isEqualTo(Integer.toString(TRIPLES));
        query(visitor, repository);
        update(visitor, repository);
        visitor.send(204, "DELETE", repository, null);
        visitor.get(404, repository + "/size");

        visitor.get(200, "/rdf4j/images/INFO.png");
        visitor.get(200, "/rdf4j/styles/w3-html40-recommended.css");
        visitor.get(404, "/rdf4j/nothing");
    }

    private static byte[] configuration(String name) {
        return """
                @prefix rep: <http://www.openrdf.org/config/repository#> .
                @prefix sr: <http://www.openrdf.org/config/repository/sail#> .
                @prefix sail: <http://www.openrdf.org/config/sail#> .
                @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

                [] a rep:Repository ;
                    rep:repositoryID "%s" ;
                    rdfs:label "Grüße" ;
                    rep:repositoryImpl [
                        rep:repositoryType "openrdf:SailRepository" ;
                        sr:sailImpl [ sail:sailType "openrdf:MemoryStore" ]
                    ] .
                """.formatted(name).getBytes(UTF_8);
    }

    private static byte[] triples() {
        return IntStream.range(0, TRIPLES)
                .mapToObj(
                        "<http://example.com/subject/%1$05d> <http://example.com/predicate> \"Objekt Nr. %1$05d €\" .\n"
                                ::formatted)
                .collect(Collectors.joining())
                .getBytes(UTF_8);
    }

    private static byte[] chunked(byte[] content) {
        ByteArrayOutputStream chunks = new ByteArrayOutputStream();
        for (int start = 0; start < content.length; start += CHUNK) {
            int length = Math.min(CHUNK, content.length - start);
            chunks.writeBytes((Integer.toHexString(length) + "\r\n").getBytes(UTF_8));
            chunks.write(content, start, length);
            chunks.writeBytes("\r\n".getBytes(UTF_8));
        }
        chunks.writeBytes("0\r\n\r\n".getBytes(UTF_8));
        return chunks.toByteArray();
    }

    private static void query(Visitor visitor, String repository) throws IOException {
        String byGet = repository + "?query=" + URLEncoder.encode(SOME, UTF_8);
        assertThat(visitor.get(200, byGet, JSON).text()).contains("Objekt Nr. 00017 \u20ac");
        Answer byPost = visitor.post(200, repository, Map.of("query", SOME), JSON);
        assertThat(byPost.text()).contains("Objekt Nr. 00017 \u20ac");

        Answer large = visitor.post(200, repository, Map.of("query", EVERYTHING), "Accept: text/csv");
        assertThat(large.content()).hasSizeGreaterThan(1_600_000);
        assertThat(large.text()).contains("Objekt Nr. 19999 \u20ac");
        Answer compressed =
                visitor.post(200, repository, Map.of("query", EVERYTHING), "Accept: text/csv", "Accept-Encoding: gzip");
        assertThat(compressed.field("Content-Encoding")).isEqualTo("gzip");
        assertThat(compressed.content()).hasSizeLessThan(large.content().length / 2);

        visitor.get(400, repository + "?query=nonsense", JSON);
    }

    private static void update(Visitor visitor, String repository) throws IOException {
        Map<String, String> form = Map.of("update", "DELETE WHERE { <http://example.com/subject/00017> ?p ?o }");
        visitor.post(204, repository + "/statements", form);
        assertThat(visitor.get(200, repository + "/size").text()).isEqualTo(Integer.toString(TRIPLES - 1));
    }
}

package io.github.jettyfastcgi.it;

import static org.junit.jupiter.api.Named.named;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Applications that others made, unmodified, each in the environment it was made for, beside each other in one Jetty.
 * Somebody visits each over HTTP, and then over FastCGI: page by page the answers must be the same.
 */
class ApplicationsIT {
    @TempDir
    static Path directory;

    static TwoWaySite site;

    @BeforeAll
    static void startSite() throws Exception {
        JettyBase base = JettyBase.create(
                        directory.resolve("base"),
                        "fastcgi-unix",
                        "http",
                        "forwarded",
                        "security",
                        "ee8-deploy",
                        "ee8-annotations",
                        "ee8-jsp",
                        "ee8-jstl",
                        "ee8-websocket-javax",
                        "ee10-deploy",
                        "ee10-annotations",
                        "ee10-ext",
                        "ee10-plus",
                        "ee10-jsp",
                        "ee10-jstl")
                .copy(Resources.directory("applications"))
                .copy(Distribution.applications());
        Path scratch = Files.createDirectories(directory.resolve("scratch"));
        site = new TwoWaySite(
                base,
                List.of(
                        "-Xmx512m",
                        "--add-opens=java.base/java.lang=ALL-UNNAMED", // Wicket
                        "-Dorg.eclipse.rdf4j.appdata.basedir=" + scratch.resolve("rdf4j"),
                        "-Duser.home=" + scratch, // where JSPWiki keeps its pages
                        "-Djava.io.tmpdir=" + scratch),
                "etc/realms.xml");
    }

    @AfterAll
    static void stopSite() {
        if (site != null) {
            site.close();
        }
    }

    static Stream<Named<Visit>> visits() {
        return Stream.of(
                named("JSPWiki", new JSPWikiVisit()),
                named("Wicket", new WicketVisit()),
                named("RDF4J", new RDF4JVisit()),
                named("Jolokia", new JolokiaVisit()),
                named("Demo of the specification", new DemoSpecVisit()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("visits")
    void visitIsTheSameBothWays(Visit visit) throws Exception {
        new BothWays(site).pay(visit);
    }
}

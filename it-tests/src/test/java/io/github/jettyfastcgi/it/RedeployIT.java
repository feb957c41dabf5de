package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The WAR of an application is replaced, again and again, under a load through nginx. Requests that are under way finish,
 * later ones are served by the new application, and of the old one nothing stays.
 */
class RedeployIT {
    private static final int REDEPLOYMENTS = Integer.getInteger("it.change.rounds", 2);
    private static final int ANSWERS_BETWEEN = 1_000;
    private static final Duration LIMIT = Duration.ofMinutes(1);

    /** How many classes more or less are loaded, at the same places, because of chance: what the JVM generates. */
    private static final long CLASSES_BY_CHANCE = 60;

    @TempDir
    Path directory;

    private final AtomicInteger version = new AtomicInteger();

    @Test
    void replacedApplicationsFinishAndGo() throws Exception {
        JettyBase base = JettyBase.create(directory.resolve("base"), "fastcgi-unix", "ee10-deploy");
        deploy(base);
        int port = Ports.free();
        try (ServerProcess jetty = base.start(List.of("-Xmx192m"), "jetty.deploy.scanInterval=1");
                NginxServer nginx =
                        NginxServer.start(directory.resolve("nginx"), NginxExample.configuration(base, port));
                SteadyLoad load = new SteadyLoad(port, "/app/version.txt", this::isVersion, "/app/echo")) {
            load.awaitAnswers(ANSWERS_BETWEEN);
            redeploy(base, jetty, load);
            LoadedClasses first = loadedClasses(jetty);
            for (int i = 1; i < REDEPLOYMENTS; i++) redeploy(base, jetty, load);
            LoadedClasses last = loadedClasses(jetty);
            load.end();

            assertThat(load.faults()).as(jetty.tail() + nginx.describe()).isEmpty();
            assertThat(last.webApplications())
                    .as("class loaders of web applications")
                    .isEqualTo(1);
            assertThat(last.count() - first.count())
                    .as(first + ", then " + last)
                    .isLessThan(CLASSES_BY_CHANCE);
            System.out.printf(
                    "%d redeployments during %d requests, of which %d were answered with 503; %s, then %s%n",
                    REDEPLOYMENTS, load.answers(), load.unavailable(), first, last);
        }
    }

    /** Puts the next version in place by a rename. */
    private void deploy(JettyBase base) throws IOException {
        Path war = Files.copy(Distribution.sampleWar(), directory.resolve("next.war"));
        try (FileSystem entries = FileSystems.newFileSystem(war)) {
            Files.writeString(entries.getPath("version.txt"), "version " + version.incrementAndGet());
        }
        Files.move(war, base.directory().resolve("webapps").resolve("app.war"), StandardCopyOption.ATOMIC_MOVE);
    }

    private void redeploy(JettyBase base, ServerProcess jetty, SteadyLoad load) throws Exception {
        deploy(base);
        try (Client client = new Client(load.port())) {
            long deadline = System.nanoTime() + LIMIT.toNanos();
            while (!client.get("/app/version.txt").text().equals("version " + version)) {
                assertThat(deadline - System.nanoTime())
                        .as("time left. " + jetty.tail())
                        .isPositive();
                Thread.sleep(20);
            }
        }
        load.awaitAnswers(ANSWERS_BETWEEN);
    }

    /** {@return what is loaded when the old one has been stopped, which is behind the start of the new one, and collected} */
    private static LoadedClasses loadedClasses(ServerProcess jetty) throws InterruptedException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        LoadedClasses loaded = LoadedClasses.of(jetty);
        while (loaded.webApplications() > 1 && System.nanoTime() < deadline) loaded = LoadedClasses.of(jetty);
        return loaded;
    }

    /** The old one is right until the new one serves, and no later than a request lasts. */
    private boolean isVersion(Answer answer) {
        return answer.status() == 200
                && (answer.text().equals("version " + version)
                        || answer.text().equals("version " + (version.get() - 1)));
    }
}

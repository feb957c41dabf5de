package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jetty is restarted, again and again, under a load through nginx: a new process takes the socket over, then the old one is
 * told to stop. No request may fail, POSTs included, which nginx doesn't repeat.
 */
class RestartIT {
    private static final int RESTARTS = Integer.getInteger("it.change.rounds", 2);
    private static final int ANSWERS_BETWEEN = 2_000;
    private static final List<String> JVM_OPTIONS = List.of("-Xmx128m", "-XX:TieredStopAtLevel=1");

    @TempDir
    Path directory;

    @Test
    void takeOverUnderLoadLosesNothing() throws Exception {
        JettyBase base = JettyBase.create(directory.resolve("base"), "fastcgi-unix", "ee10-deploy")
                .deploySample("app");
        ServerProcess jetty = base.start(JVM_OPTIONS);
        int port = Ports.free();
        try (NginxServer nginx = NginxServer.start(directory.resolve("nginx"), NginxExample.configuration(base, port));
                SteadyLoad load = new SteadyLoad(
                        port,
                        "/app/download?size=1000&chunk=1000",
                        answer -> answer.status() == 200 && answer.content().length == 1000,
                        "/app/echo")) {
            load.awaitAnswers(ANSWERS_BETWEEN);
            for (int i = 0; i < RESTARTS; i++) {
                ServerProcess old = jetty;
                jetty = base.start(JVM_OPTIONS, "jetty.fastcgi.unix.takeOver=true");
                old.close();
                load.awaitAnswers(ANSWERS_BETWEEN);
            }
            load.end();

            assertThat(load.faults()).as(nginx.describe()).isEmpty();
            assertThat(load.unavailable()).isZero();
            System.out.printf("%d restarts during %d requests, none failed%n", RESTARTS, load.answers());
        } finally {
            jetty.close();
        }
    }
}

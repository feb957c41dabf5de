package io.github.jettyfastcgi.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.jettyfastcgi.session.SessionServer.Visitor;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.eclipse.jetty.server.Handler;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The cache serves web applications of each environment. Those of ee9 and ee11 differ from these in names alone. */
class SessionEnvironmentsTest {
    enum Environment {
        EE8(CounterOfEE8::create),
        EE10(CounterOfEE10::create);

        private final Function<List<String>, Handler> application;

        Environment(Function<List<String>, Handler> application) {
            this.application = application;
        }
    }

    @ParameterizedTest
    @EnumSource
    void listenersOfTheApplicationHearOfAnEviction(Environment environment) throws Exception {
        List<String> heard = new CopyOnWriteArrayList<>();
        SessionServer site =
                new SessionServer(2).add(environment.application.apply(heard)).start();
        try {
            Visitor visitor = site.visitor();
            assertThat(visitor.visit("/")).isEqualTo(1);
            assertThat(visitor.visit("/")).isEqualTo(2);
            heard.clear(); // what the second visit has replaced

            site.flood("/", 2);

            assertThat(heard).containsExactly("destroyed with 1", "unbound");
            assertThat(visitor.visit("/")).isEqualTo(3);
        } finally {
            site.stop();
        }
    }
}

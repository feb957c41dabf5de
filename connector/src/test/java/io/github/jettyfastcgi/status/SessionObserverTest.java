package io.github.jettyfastcgi.status;

import static org.assertj.core.api.Assertions.assertThat;

import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.Response;
import org.junit.jupiter.api.Test;

/** Whether sessions are used is tested with the handler. */
class SessionObserverTest {
    private static final long LONG = 60_000;

    private static Response setting(String cookie) {
        HttpFields.Mutable fields = HttpFields.build().put("Set-Cookie", cookie);
        return new Response.Wrapper(null, null) {
            @Override
            public HttpFields.Mutable getHeaders() {
                return fields;
            }
        };
    }

    @Test
    void knowsNothingOfASessionBeforeItsGraceIsOver() {
        SessionObserver patient = new SessionObserver(LONG);
        SessionObserver impatient = new SessionObserver(0);
        patient.onResponse(setting("JSESSIONID=a; Path=/"));
        impatient.onResponse(setting("JSESSIONID=a; Path=/"));

        patient.sweep();
        impatient.sweep();

        assertThat(patient.known()).isZero();
        assertThat(impatient.known()).isEqualTo(1);
        assertThat(impatient.unused()).isEqualTo(1);
    }

    @Test
    void waitsForAThousandAtATime() {
        SessionObserver observer = new SessionObserver(0);
        for (int i = 0; i < 1500; i++) observer.onResponse(setting("JSESSIONID=" + i));

        observer.sweep();
        assertThat(observer.known()).isEqualTo(1000);

        observer.onResponse(setting("JSESSIONID=next"));
        observer.sweep();
        assertThat(observer.known()).isEqualTo(1001);
    }

    @Test
    void cookieThatIsTakenBackIsNoSession() {
        SessionObserver observer = new SessionObserver(0);
        observer.onResponse(setting("JSESSIONID=; Max-Age=0"));
        observer.onResponse(setting("JSESSIONID"));

        observer.sweep();

        assertThat(observer.known()).isZero();
    }
}

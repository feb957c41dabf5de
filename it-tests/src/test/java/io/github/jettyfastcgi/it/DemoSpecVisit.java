package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;

/** What the Servlet specification has: annotations, fragments, JNDI, FORM login, multipart, asynchronous answers. */
final class DemoSpecVisit implements Visit {
    private static final String IMAGE = "/spec/small_powered_by.gif";

    @Override
    public void pay(Visitor visitor) throws IOException {
        visitor.get(301, "/spec");
        visitor.follow(200);
        askForStaticFiles(visitor);
        assertThat(visitor.post(200, "/spec/test", Map.of()).text()).contains("PASS");
        assertThat(visitor.get(200, "/spec/dynamicjsp/x").text()).contains("Programmatically Added Jsp File");
        visitor.get(200, "/spec/fragmentA/index.html");
        visitor.get(200, "/spec/fragment");
        visitor.get(200, "/spec/classloader");
        visitor.post(200, "/spec/asy/xx", Map.of());
        byte[] file = Pattern251.bytes(0, 5_000);
        Answer parts =
                visitor.upload(200, "/spec/multi", Map.of("note", "Gr\u00fc\u00dfe"), "userfile1", "file.bin", file);
        assertThat(parts.text()).contains("userfile1");
        logIn(visitor);
        visitor.get(404, "/spec/nothing");
    }

    private static void askForStaticFiles(Visitor visitor) throws IOException {
        Answer whole = visitor.get(200, IMAGE);
        Answer part = visitor.get(206, IMAGE, "Range: bytes=1000-1999");
        assertThat(part.content()).isEqualTo(java.util.Arrays.copyOfRange(whole.content(), 1000, 2000));
        visitor.get(206, IMAGE, "Range: bytes=0-9,100-109");
        visitor.get(416, IMAGE, "Range: bytes=99999-");
        visitor.get(304, IMAGE, "If-Modified-Since: " + whole.field("Last-Modified"));
    }

    private static void logIn(Visitor visitor) throws IOException {
        visitor.post(303, "/spec/role/x", Map.of("kept", "while logging in"));
        Form form = Form.in(visitor.follow(200), "j_security_check")
                .with("j_username", "admin")
                .with("j_password", "wrong");
        visitor.post(303, visitor.resolve(form.action()), form.fields());
        assertThat(visitor.follow(200).text()).contains("Authentication Failure");
        visitor.post(
                303,
                visitor.resolve(form.action()),
                form.with("j_password", "admin").fields());
        visitor.follow(200);
        visitor.post(200, "/spec/sec/foo", Map.of());
        visitor.get(200, "/spec/logout.jsp");
        visitor.get(302, "/spec/role/x");
    }
}

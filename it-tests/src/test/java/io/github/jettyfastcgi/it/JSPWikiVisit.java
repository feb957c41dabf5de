package io.github.jettyfastcgi.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;

/** A wiki: JSPs, UTF-8 in every direction, a login of its own, attachments. */
final class JSPWikiVisit implements Visit {
    private static final String TEXT = "Gr\u00fc\u00dfe, 100 \u20ac, \uD83D\uDE00";
    private static final String PASSWORD = "Secret-1234";
    private static final byte[] FILE = {0, 1, 2, '\r', '\n', (byte) 0xFF, 'x'};
    private static final String SCRIPT = "/jspwiki/scripts/haddock.js";

    @Override
    public Normalization normalization(Normalization standard) {
        return standard.and(Normalization.HTTP_DATE, "HTTP-DATE")
                .and("\\d\\d-\\w{3}-\\d{4} \\d\\d:\\d\\d", "TIME")
                .and("data-sortvalue=\"\\d{13}\"", "data-sortvalue=\"TIME\"")
                .and("<input type='hidden' name='\\w{6}' value='-?\\d+' />", "SPAM-CHECK")
                .and("\\p{XDigit}{8}(?:-\\p{XDigit}{4}){3}-\\p{XDigit}{12}", "PROGRESS-ID");
    }

    @Override
    public void pay(Visitor visitor) throws IOException {
        visitor.get(301, "/jspwiki");
        visitor.follow(200);
        logIn(visitor);
        String page = visitor.name() + "Page";
        edit(visitor, page);
        attach(visitor, page);
        askForStaticFiles(visitor);
        visitor.get(404, "/jspwiki/nothing.html");
        visitor.get(404, "/jspwiki/attach/" + page + "/nothing");
        visitor.get(302, "/jspwiki/Logout.jsp");
        assertThat(visitor.follow(200).text()).doesNotContain("(authenticated)");
    }

    private static void logIn(Visitor visitor) throws IOException {
        visitor.get(200, "/jspwiki/Login.jsp?redirect=Main");
        Answer refusal = visitor.post(200, "/jspwiki/Login.jsp", credentials("nobody", "wrong"));
        assertThat(refusal.text()).contains("class=\"error\"").doesNotContain("(authenticated)");

        Map<String, String> profile = Map.of(
                "loginname",
                visitor.name(),
                "password",
                PASSWORD,
                "password2",
                PASSWORD,
                "fullname",
                visitor.name() + " Gr\u00fc\u00dfe",
                "email",
                visitor.name() + "@example.com",
                "redirect",
                "Main",
                "action",
                "saveProfile");
        visitor.post(302, "/jspwiki/Login.jsp?tab=register", profile);
        visitor.get(302, "/jspwiki/Logout.jsp");
        visitor.post(302, "/jspwiki/Login.jsp", credentials(visitor.name(), PASSWORD));
        assertThat(visitor.follow(200).text()).contains(visitor.name() + " Gr\u00fc\u00dfe (authenticated)");
    }

    private static Map<String, String> credentials(String name, String password) {
        return Map.of(
                "j_username", name,
                "j_password", password,
                "redirect", "Main",
                "action", "login",
                "submitlogin", "Log in");
    }

    private static void edit(Visitor visitor, String page) throws IOException {
        Form form = Form.in(visitor.get(200, "/jspwiki/Edit.jsp?page=" + page), "editform")
                .with("_editedtext", TEXT + " __bold__")
                .with("ok", "Save");
        visitor.post(302, form.action(), form.fields());
        assertThat(visitor.follow(200).text()).contains(TEXT + " <b>bold</b>");
        visitor.get(200, "/jspwiki/Diff.jsp?page=" + page + "&r1=1");
        visitor.get(200, "/jspwiki/wiki/" + page);
    }

    private static void attach(Visitor visitor, String page) throws IOException {
        Form form = Form.in(visitor.get(200, "/jspwiki/Upload.jsp?page=" + page), "/jspwiki/attach");
        visitor.upload(302, form.action(), form.fields(), "content", "gr\u00fc\u00dfe.bin", FILE);
        assertThat(visitor.follow(200).text()).contains("gr\u00fc\u00dfe.bin");
        assertThat(visitor.get(200, "/jspwiki/attach/" + page + "/gr%C3%BC%C3%9Fe.bin")
                        .content())
                .isEqualTo(FILE);
    }

    private static void askForStaticFiles(Visitor visitor) throws IOException {
        Answer whole = visitor.get(200, SCRIPT);
        Answer part = visitor.get(206, SCRIPT, "Range: bytes=100-199");
        assertThat(whole.text().getBytes(UTF_8)).hasSize(whole.content().length);
        assertThat(part.text()).isEqualTo(whole.text().substring(100, 200));
        visitor.get(304, SCRIPT, "If-Modified-Since: " + whole.field("Last-Modified"));
        visitor.get(416, SCRIPT, "Range: bytes=99999999-");
        visitor.send(200, "HEAD", SCRIPT, null);
    }
}

package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;

/** The examples of a framework whose pages live in the session: redirects after every form, sessions in URLs. */
final class WicketVisit implements Visit {
    private static final String TEXT = "Gr\u00fc\u00dfe, \u20ac";

    @Override
    public Normalization normalization(Normalization standard) {
        return standard.and("nonce-[\\w-]{24}", "nonce-NONCE")
                .and("nonce=\"[\\w-]{24}\"", "nonce=\"NONCE\"")
                .and("dur=\\d+", "dur=DURATION")
                .and("(?s)<h4>Current files.*?</table>", "FILES")
                .and("(?s)<p></p>\\s*(?:<span id=\"comments\">.*?)?(?=</div>)", "COMMENTS");
    }

    @Override
    public void pay(Visitor visitor) throws IOException {
        visitor.get(302, "/wicket/");
        visitor.follow(200);
        logIn(visitor);
        visitor.refuseCookies();
        writeIntoGuestBook(visitor);
        upload(visitor);
        visitor.get(200, "/wicket/ie.css");
        visitor.get(404, "/wicket/nothing.html");
    }

    private static void writeIntoGuestBook(Visitor visitor) throws IOException {
        visitor.get(302, "/wicket/guestbook/");
        Answer page = visitor.follow(200);
        Form form = Form.in(page, "commentForm").with("text", TEXT + " " + visitor.name());
        assertThat(form.action()).contains(";jsessionid=");
        visitor.post(302, visitor.resolve(form.action()), form.fields());
        assertThat(visitor.follow(200).text()).contains(TEXT + " " + visitor.name());
    }

    private static void upload(Visitor visitor) throws IOException {
        visitor.get(302, "/wicket/upload/single");
        Form form = Form.in(visitor.follow(200), "simpleUpload");
        byte[] file = Pattern251.bytes(0, 50_000);
        visitor.upload(302, visitor.resolve(form.action()), form.fields(), "fileInput", visitor.name() + ".bin", file);
        assertThat(visitor.follow(200).text()).contains(visitor.name() + ".bin", "saved file");
    }

    private static void logIn(Visitor visitor) throws IOException {
        visitor.get(302, "/wicket/authentication1/");
        Form form = Form.in(visitor.follow(200), "signInForm");
        form = Form.in(submit(visitor, form, "wrong"), "signInForm");
        assertThat(submit(visitor, form, "wicket").text()).contains("Sign Out");
    }

    private static Answer submit(Visitor visitor, Form form, String password) throws IOException {
        form.with("username", "wicket").with("password", password);
        visitor.post(302, visitor.resolve(form.action()), form.fields());
        return visitor.follow(200);
    }
}

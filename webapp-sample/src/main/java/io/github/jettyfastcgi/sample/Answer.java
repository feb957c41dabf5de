package io.github.jettyfastcgi.sample;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;

/** Sends whole answers: a page in the frame that all pages share, JSON, or plain text. Always UTF-8, never cached. */
final class Answer {
    private static final String FRAME = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>%1$s - Jetty FastCGI sample</title>
            <link rel="icon" href="data:,">
            <link rel="stylesheet" href="%2$s/style.css">
            </head>
            <body>
            <header><a href="%2$s/index.html">Jetty FastCGI sample</a></header>
            <main>
            <h1>%1$s</h1>
            %3$s
            </main>
            </body>
            </html>
            """;

    private Answer() {}

    static void page(HttpServletRequest request, HttpServletResponse response, String title, Html content)
            throws IOException {
        Html page = Html.of(FRAME, title, request.getContextPath(), content);
        send(response, "text/html; charset=utf-8", page.markup());
    }

    static void json(HttpServletResponse response, Object value) throws IOException {
        send(response, "application/json", Json.of(value));
    }

    static void text(HttpServletResponse response, String text) throws IOException {
        send(response, "text/plain; charset=utf-8", text);
    }

    /** Whether the client asks for JSON, by {@code ?format=json} or by its {@code Accept} field. */
    static boolean wantsJson(HttpServletRequest request) {
        return "json".equals(request.getParameter("format"))
                || Collections.list(request.getHeaders("Accept")).stream()
                        .anyMatch(accept -> accept.contains("application/json"));
    }

    private static void send(HttpServletResponse response, String contentType, String content) throws IOException {
        byte[] bytes = content.getBytes(UTF_8);
        response.setContentType(contentType);
        response.setContentLength(bytes.length);
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.getOutputStream().write(bytes);
    }
}

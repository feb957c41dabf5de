package io.github.jettyfastcgi.sample;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Takes a multipart form and answers the name, size and SHA-256 of each part. Parts above the threshold that web.xml
 * sets lie in files while the request lasts, and are read through one small buffer: no upload is too large for the heap.
 */
public final class UploadServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Answer.page(request, response, "Upload", Html.of("""
                <form method="post" enctype="multipart/form-data">
                <p><label>Note <input name="note" value="Grüße"></label></p>
                <p><label>Files <input type="file" name="file" multiple></label></p>
                <p><button>Upload</button></p>
                </form>
                """));
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        String contentType = Objects.requireNonNullElse(request.getContentType(), "");
        if (!contentType.toLowerCase(Locale.ROOT).startsWith("multipart/form-data")) {
            response.sendError(HttpServletResponse.SC_UNSUPPORTED_MEDIA_TYPE, "Expected multipart/form-data");
            return;
        }
        List<Map<String, Object>> parts = new ArrayList<>();
        for (Part part : request.getParts()) {
            parts.add(describe(part));
            part.delete();
        }
        response.setHeader("Vary", "Accept");
        if (Answer.wantsJson(request)) {
            Answer.json(response, Map.of("parts", parts));
        } else {
            sendPage(request, response, parts);
        }
    }

    private static Map<String, Object> describe(Part part) throws IOException {
        Map<String, Object> description = new LinkedHashMap<>();
        description.put("name", part.getName());
        description.put("submittedFileName", part.getSubmittedFileName());
        description.put("size", part.getSize());
        try (InputStream content = part.getInputStream()) {
            description.put("sha256", sha256(content));
        }
        return description;
    }

    static String sha256(InputStream content) throws IOException {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every Java platform has SHA-256", e);
        }
        byte[] buffer = new byte[8192];
        for (int length = content.read(buffer); length >= 0; length = content.read(buffer)) {
            digest.update(buffer, 0, length);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static void sendPage(
            HttpServletRequest request, HttpServletResponse response, List<Map<String, Object>> parts)
            throws IOException {
        List<Html> rows = parts.stream()
                .map(part -> Html.of(
                        "<tr><td>%s</td><td>%s</td><td>%s</td><td><code>%s</code></td></tr>",
                        part.get("name"),
                        Objects.requireNonNullElse(part.get("submittedFileName"), ""),
                        part.get("size"),
                        part.get("sha256")))
                .toList();
        Answer.page(request, response, "Uploaded", Html.of("""
                <table>
                <tr><th>Name</th><th>File</th><th>Size</th><th>SHA-256</th></tr>
                %s
                </table>
                <p><a class="button" href="">Upload more</a></p>
                """, Html.join(rows)));
    }
}

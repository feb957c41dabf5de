package benchmark;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** What every servlet container answers in the benchmark. */
public final class BenchmarkServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private static final byte[] HELLO = "Hello, world!".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] JSON = """
            {"id":4711,"name":"Ada Lovelace","email":"ada@example.org","active":true,"tags":["math","engines"],"score":9.75}""".getBytes(StandardCharsets.UTF_8);
    private static final String DOWNLOAD = "/download/";
    private static final byte[] BLOCK = new byte[32 * 1024];

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String path = request.getRequestURI();
        if (path.startsWith(DOWNLOAD)) download(Long.parseLong(path.substring(DOWNLOAD.length())), response);
        else if (path.equals("/json")) answer("application/json", JSON, response);
        else answer("text/plain", HELLO, response);
    }

    private static void answer(String contentType, byte[] content, HttpServletResponse response) throws IOException {
        response.setContentType(contentType);
        response.setContentLength(content.length);
        response.getOutputStream().write(content);
    }

    private static void download(long size, HttpServletResponse response) throws IOException {
        response.setContentType("application/octet-stream");
        response.setContentLengthLong(size);
        OutputStream output = response.getOutputStream();
        for (long left = size; left > 0; left -= BLOCK.length)
            output.write(BLOCK, 0, (int) Math.min(left, BLOCK.length));
    }

    /** Sends /echo back, and reads /upload to its end. */
    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        InputStream input = request.getInputStream();
        if (request.getRequestURI().equals("/echo")) {
            byte[] content = input.readAllBytes();
            answer("application/octet-stream", content, response);
            return;
        }
        byte[] block = new byte[BLOCK.length];
        long size = 0;
        for (int length = input.read(block); length >= 0; length = input.read(block)) size += length;
        if (size == request.getContentLengthLong()) answer("text/plain", HELLO, response);
        else response.sendError(HttpServletResponse.SC_BAD_REQUEST);
    }
}

package io.github.jettyfastcgi.sample;

import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Sends {@code size} bytes (default 1 MiB) of a {@link Pattern}, in writes of {@code chunk} bytes (default 8192), with
 * a Content-Length unless {@code length=false}.
 */
public final class DownloadServlet extends ParameterServlet {
    private static final long serialVersionUID = 1L;
    private static final int MAX_CHUNK = 16 * 1024 * 1024;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        long size = sizeOf(request);
        int chunk = (int) number(request, "chunk", 8192, 1, MAX_CHUNK);
        setHead(request, response, size);
        Pattern pattern = new Pattern((int) Math.min(chunk, size));
        ServletOutputStream output = response.getOutputStream();
        long position = 0;
        while (position < size) {
            int length = (int) Math.min(chunk, size - position);
            output.write(pattern.array(), pattern.offset(position), length);
            position += length;
        }
    }

    /** Spares the container to discard all the bytes of {@link #doGet}. */
    @Override
    protected void doHead(HttpServletRequest request, HttpServletResponse response) throws ServletException {
        setHead(request, response, sizeOf(request));
    }

    private static long sizeOf(HttpServletRequest request) throws BadParameterException {
        return number(request, "size", 1024 * 1024, 0, Long.MAX_VALUE);
    }

    private static void setHead(HttpServletRequest request, HttpServletResponse response, long size) {
        response.setContentType("application/octet-stream");
        if (!"false".equals(request.getParameter("length"))) {
            response.setContentLengthLong(size);
        }
    }
}

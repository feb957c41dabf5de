package io.github.jettyfastcgi.sample;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Throws; with {@code when=committed} only after the first bytes of the answer have left. */
public final class FailServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        if ("committed".equals(request.getParameter("when"))) {
            response.setContentType("text/plain; charset=utf-8");
            response.getOutputStream().print("This answer has a beginning, but no end.\n");
            response.flushBuffer();
        }
        throw new ServletException("This page fails on purpose");
    }
}

package io.github.jettyfastcgi.sample;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Stands in for a JSP where the server has no JSP support. */
public final class NoJspServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setStatus(HttpServletResponse.SC_NOT_IMPLEMENTED);
        Answer.page(request, response, "No JSP support", Html.of("""
                <p>This page is a JSP, and the server runs without JSP support. Jetty's module <code>ee10-jsp</code> adds
                it, or <code>ee11-jsp</code> where the application is deployed in ee11.</p>
                """));
    }
}

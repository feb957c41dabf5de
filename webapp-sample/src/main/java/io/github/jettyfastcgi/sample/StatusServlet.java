package io.github.jettyfastcgi.sample;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Answers the status {@code code} (default 200) to any method, with a short text where the status allows content. */
public final class StatusServlet extends ParameterServlet {
    private static final long serialVersionUID = 1L;

    @Override
    void answer(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
        int code = (int) number(request, "code", 200, 200, 599);
        response.setStatus(code);
        if (allowsContent(code)) {
            Answer.text(response, "Status " + code + "\n");
        }
    }

    static boolean allowsContent(int code) {
        return code != HttpServletResponse.SC_NO_CONTENT
                && code != HttpServletResponse.SC_RESET_CONTENT
                && code != HttpServletResponse.SC_NOT_MODIFIED;
    }
}

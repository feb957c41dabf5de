package io.github.jettyfastcgi.sample;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** A servlet that answers 400, with the reason, to a {@link BadParameterException}. */
abstract class ParameterServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected final void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        try {
            answer(request, response);
        } catch (BadParameterException e) {
            response.sendError(HttpServletResponse.SC_BAD_REQUEST, e.getMessage());
        }
    }

    /** Answers a request of any method, here by the method of HttpServlet that is named after it. */
    void answer(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
        super.service(request, response);
    }

    /** The value of a parameter that is a whole number from {@code minimum} to {@code maximum}. */
    static long number(HttpServletRequest request, String name, long defaultValue, long minimum, long maximum)
            throws BadParameterException {
        String text = request.getParameter(name);
        return text == null ? defaultValue : parse(name, text, minimum, maximum);
    }

    static long parse(String name, String text, long minimum, long maximum) throws BadParameterException {
        try {
            long value = Long.parseLong(text);
            if (value >= minimum && value <= maximum) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Not a number, or one of more than 64 bits: the same answer as for one out of range.
        }
        throw new BadParameterException(
                name + " is \"" + text + "\" (expected: a number from " + minimum + " to " + maximum + ")");
    }
}

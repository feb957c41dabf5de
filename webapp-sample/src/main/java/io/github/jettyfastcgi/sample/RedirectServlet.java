package io.github.jettyfastcgi.sample;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;

/** Redirects to {@code to} (default the index), which must be a path or a URL of the same origin. */
public final class RedirectServlet extends ParameterServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        String target = request.getParameter("to");
        if (target == null) {
            target = request.getContextPath() + "/index.html";
        }
        if (!staysOnOrigin(target, request.getScheme(), request.getServerName(), request.getServerPort())) {
            throw refused(target);
        }
        try {
            response.sendRedirect(URI.create(target).toASCIIString());
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw refused(target); // The container finds no URL in it: it leads above the root, for example.
        }
    }

    private static BadParameterException refused(String target) {
        return new BadParameterException("to is \"" + target + "\" (expected: a path or a URL of this server)");
    }

    /**
     * Whether a browser that follows the target stays on the origin. Whatever isn't a valid URI is refused, as browsers
     * repair it in ways of their own; so is {@code //} in the path, since without the segments before it, which
     * {@code ..} can remove, it begins a host.
     */
    static boolean staysOnOrigin(String target, String scheme, String host, int port) {
        URI uri;
        try {
            uri = new URI(target);
        } catch (URISyntaxException e) {
            return false;
        }
        if (uri.isOpaque() || uri.getRawPath().contains("//")) {
            return false;
        }
        if (!uri.isAbsolute()) {
            return uri.getRawAuthority() == null && !target.startsWith("//");
        }
        return scheme.equalsIgnoreCase(uri.getScheme()) && host.equalsIgnoreCase(uri.getHost()) && port == portOf(uri);
    }

    private static int portOf(URI uri) {
        if (uri.getPort() >= 0) {
            return uri.getPort();
        }
        return "https".equalsIgnoreCase(uri.getScheme()) ? 443 : 80;
    }
}

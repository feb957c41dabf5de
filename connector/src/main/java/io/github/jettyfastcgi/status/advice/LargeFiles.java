package io.github.jettyfastcgi.status.advice;

import java.util.Map;

/** Large files go through Jetty and FastCGI, where the web server could send them itself. */
final class LargeFiles implements Rule {
    private static final int MIN_SEEN = 5;
    private static final String NEEDS = " Jetty's module fastcgi-sendfile hands them over to the web server.";

    private static final Map<WebServer, Advice.Directive> DIRECTIVES = Map.of(
            WebServer.NGINX,
                    new Advice.Directive(
                            "the server block, with the folder of the files",
                            "location /internal/files/ {\n    internal;\n    alias /srv/files/;\n}"),
            WebServer.LIGHTTPD,
                    new Advice.Directive(
                            "fastcgi.server, with the folder of the files",
                            "\"x-sendfile\" => \"enable\",\n\"x-sendfile-docroot\" => ( \"/srv/files\" ),"),
            WebServer.APACHE,
                    new Advice.Directive(
                            "the virtual host, with mod_xsendfile and the folder of the files",
                            "XSendFile on\nXSendFilePath /srv/files\nFileETag None"));

    @Override
    public Advice check(Observations seen) {
        long files = seen.get(Figure.SEEN_LARGE_FILES);
        if (files < MIN_SEEN) return null;
        return Advice.of(
                seen,
                Severity.HINT,
                "Large files are sent by Jetty, where the web server could do it.",
                files + " of " + seen.get(Figure.SEEN_REQUESTS)
                        + " requests looked at were answered with a file of 1 MB or more." + NEEDS,
                DIRECTIVES);
    }
}

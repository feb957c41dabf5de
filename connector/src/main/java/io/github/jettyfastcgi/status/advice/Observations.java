package io.github.jettyfastcgi.status.advice;

import java.util.Map;

/**
 * What was seen, for rules to judge.
 *
 * @param webServer the web server in front
 * @param socket the path of a Unix-domain socket that it could use
 * @param figures those that are not 0
 */
public record Observations(WebServer webServer, String socket, Map<Figure, Long> figures) {
    long get(Figure figure) {
        return figures.getOrDefault(figure, 0L);
    }

    /** {@return how many kept connections were closed at once, be it not for a response that was refused} */
    long closedAtOnce() {
        return get(Figure.CLOSED_AT_ONCE) - get(Figure.LARGE_HEAD_ENDS);
    }

    /** {@return how large a figure is in percent of another} */
    long percent(Figure part, Figure whole) {
        return get(whole) == 0 ? 0 : 100 * get(part) / get(whole);
    }
}

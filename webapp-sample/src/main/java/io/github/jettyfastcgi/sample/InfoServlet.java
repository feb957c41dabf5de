package io.github.jettyfastcgi.sample;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Shows everything the Servlet API tells of the request, whatever its method, as a page or as JSON. */
public final class InfoServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Map<String, Object> info = RequestInfo.of(request);
        response.setHeader("Vary", "Accept");
        if (Answer.wantsJson(request)) {
            Answer.json(response, info);
        } else {
            Answer.page(request, response, "Request", Html.of("""
                    <p>What the Servlet API tells of this request.</p>
                    %s""", tableOf(info)));
        }
    }

    private static Html htmlOf(Object value) {
        if (value == null) {
            return Html.of("<span class=\"none\">null</span>");
        }
        if (value instanceof Map<?, ?> map) {
            return map.isEmpty() ? none() : tableOf(map);
        }
        if (value instanceof List<?> list) {
            return list.isEmpty() ? none() : listOf(list);
        }
        return Html.of("<code>%s</code>", value);
    }

    private static Html tableOf(Map<?, ?> map) {
        List<Html> rows = map.entrySet().stream()
                .map(entry -> Html.of(
                        "<tr><th scope=\"row\">%s</th><td>%s</td></tr>", entry.getKey(), htmlOf(entry.getValue())))
                .toList();
        return Html.of("<table>%s</table>", Html.join(rows));
    }

    /** An item is a value, or a pair of a name and a value. */
    private static Html listOf(List<?> items) {
        List<Html> rows = items.stream()
                .map(item -> item instanceof List<?> pair
                        ? Html.of("<li>%s: <code>%s</code></li>", pair.get(0), pair.get(1))
                        : Html.of("<li><code>%s</code></li>", item))
                .toList();
        return Html.of("<ul>%s</ul>", Html.join(rows));
    }

    private static Html none() {
        return Html.of("<span class=\"none\">none</span>");
    }
}

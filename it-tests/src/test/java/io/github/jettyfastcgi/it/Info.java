package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.eclipse.jetty.util.ajax.JSON;

/** What {@code /info} of the sample application says of the request it got. */
final class Info {
    private final Map<?, ?> members;

    private Info(String json) {
        members = (Map<?, ?>) new JSON().fromJSON(json);
    }

    static Info of(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return new Info(response.body());
    }

    static Info of(Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return new Info(answer.text());
    }

    static Info of(RawConnection.Response response) {
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        return new Info(response.text());
    }

    /** A member as JSON has it: a String, Long, Boolean, null, or an array or map of these. */
    Object get(String name) {
        assertThat(members.containsKey(name))
                .as(name + " in " + members.keySet())
                .isTrue();
        return members.get(name);
    }

    /** The values of the header fields of this name, in order; names compare without case. */
    List<String> header(String name) {
        return pairs("headers", name).toList();
    }

    List<String> cookie(String name) {
        return pairs("cookies", name).toList();
    }

    private Stream<String> pairs(String member, String name) {
        return Stream.of((Object[]) get(member))
                .map(pair -> (Object[]) pair)
                .filter(pair -> name.equalsIgnoreCase((String) pair[0]))
                .map(pair -> (String) pair[1]);
    }

    List<String> parameter(String name) {
        Object values = ((Map<?, ?>) get("parameters")).get(name);
        return values == null
                ? List.of()
                : Stream.of((Object[]) values).map(String.class::cast).toList();
    }
}

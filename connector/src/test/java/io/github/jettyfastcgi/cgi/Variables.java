package io.github.jettyfastcgi.cgi;

import io.github.jettyfastcgi.protocol.Capture;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Meta-variables as a web server sends them: all in one array, in which something else lies before, between and behind.
 */
final class Variables {
    private static final int FOREIGN = '#';

    private Variables() {}

    /** {@return variables of names and values, in turn; a {@code char} stands for one byte} */
    static MetaVariables of(String... namesAndValues) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        List<Integer> offsets = new ArrayList<>();
        for (String string : namesAndValues) {
            bytes.write(FOREIGN);
            offsets.add(bytes.size());
            bytes.writeBytes(string.getBytes(StandardCharsets.ISO_8859_1));
        }
        bytes.write(FOREIGN);
        byte[] array = bytes.toByteArray();
        MetaVariables variables = new MetaVariables();
        for (int i = 0; i < namesAndValues.length; i += 2)
            variables.add(
                    array,
                    offsets.get(i),
                    namesAndValues[i].length(),
                    offsets.get(i + 1),
                    namesAndValues[i + 1].length());
        return variables;
    }

    /** {@return the variables of the first request of a capture} */
    static MetaVariables captured(String server, String name) {
        return of(Capture.of(server).stream()
                .filter(capture -> capture.name().equals(name))
                .findFirst()
                .orElseThrow()
                .requests()
                .get(0));
    }

    static MetaVariables of(Capture.Request request) {
        return of(request.params().stream()
                .flatMap(variable -> List.of(variable.name(), variable.value()).stream())
                .toArray(String[]::new));
    }
}

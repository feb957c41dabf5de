package io.github.jettyfastcgi.cgi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.eclipse.jetty.http.HttpHeader;
import org.junit.jupiter.api.Test;

class VariableTest {
    /** Where the language makes a dotted capital of i, too. */
    @Test
    void headersAreFoundInEveryLanguage() throws IOException, InterruptedException {
        List<String> lines = ChildJvm.run(Headers.class, List.of("-Duser.language=tr", "-Duser.country=TR"), List.of());

        assertThat(lines)
                .containsExactly(
                        "tr", "If-Modified-Since If-Modified-Since", "Authorization Authorization", "null X-Id");
    }

    /** Prints what some variables are. */
    static final class Headers {
        private Headers() {}

        public static void main(String[] arguments) {
            System.out.println(Locale.getDefault().getLanguage());
            for (String name : List.of("HTTP_IF_MODIFIED_SINCE", "HTTP_AUTHORIZATION", "HTTP_X_ID")) {
                HttpHeader header = Variable.headerOf(name);
                System.out.println(header + " " + Variable.fieldName(name));
            }
        }
    }
}

package io.github.jettyfastcgi.sample;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedirectServletTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "info",
                "/",
                "/sample/info?a=b//c#d",
                "../other/",
                "?a=b",
                "",
                "gr%C3%BC%C3%9Fe",
                "http://www.example.org/x",
                "HTTP://WWW.EXAMPLE.ORG:80/x",
            })
    void allowsTheSameOrigin(String target) {
        assertThat(RedirectServlet.staysOnOrigin(target, "http", "www.example.org", 80))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "//evil.example",
                "///evil.example",
                "////evil.example",
                "/..//evil.example",
                "/\\evil.example",
                "\\\\evil.example",
                "/\t/evil.example",
                " //evil.example",
                "http://evil.example/",
                "http:/evil.example/",
                "http:evil.example",
                "http:///evil.example",
                "http://www.example.org@evil.example/",
                "http://www.example.org:81/",
                "https://www.example.org:80/",
                "https://www.example.org/",
                "javascript:alert(1)",
                "data:text/html,x",
                "/a\r\nSet-Cookie: a=b",
            })
    void refusesAllElse(String target) {
        assertThat(RedirectServlet.staysOnOrigin(target, "http", "www.example.org", 80))
                .isFalse();
    }

    @Test
    void knowsTheDefaultPortOfHttps() {
        assertThat(RedirectServlet.staysOnOrigin("https://www.example.org/", "https", "www.example.org", 443))
                .isTrue();
        assertThat(RedirectServlet.staysOnOrigin("https://www.example.org/", "https", "www.example.org", 8443))
                .isFalse();
    }
}

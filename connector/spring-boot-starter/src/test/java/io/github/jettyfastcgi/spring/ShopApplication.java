package io.github.jettyfastcgi.spring;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.security.Principal;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** An application as many are: pages behind a login, an upload, events, a health check. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class ShopApplication {
    /** What {@code /slow} waits for. */
    static final class Gate {
        final CountDownLatch entered = new CountDownLatch(1);
        final CountDownLatch opened = new CountDownLatch(1);
    }

    @Bean
    SecurityFilterChain security(HttpSecurity http) {
        return http.authorizeHttpRequests(
                        requests -> requests.requestMatchers("/url", "/moved", "/slow", "/actuator/**")
                                .permitAll()
                                .anyRequest()
                                .authenticated())
                .formLogin(Customizer.withDefaults())
                .build();
    }

    @Bean
    UserDetailsService users() {
        return new InMemoryUserDetailsManager(
                User.withUsername("alice").password("{noop}wonderland").build());
    }

    @Bean
    Gate gate() {
        return new Gate();
    }

    /** What {@code /events} sends, each of it when it comes. */
    @Bean
    BlockingQueue<String> events() {
        return new LinkedBlockingQueue<>();
    }

    @RestController
    static class Pages {
        private final Gate gate;
        private final BlockingQueue<String> events;

        Pages(Gate gate, BlockingQueue<String> events) {
            this.gate = gate;
            this.events = events;
        }

        @GetMapping("/url")
        String url(HttpServletRequest request) {
            return request.getRequestURL() + " " + request.isSecure() + " " + request.getRemoteAddr();
        }

        @GetMapping("/moved")
        ResponseEntity<Void> moved(HttpServletRequest request) {
            URI base = URI.create(request.getRequestURL().toString());
            return ResponseEntity.status(302).location(base.resolve("url")).build();
        }

        @GetMapping("/account")
        String account(Principal principal, CsrfToken token) {
            return principal.getName() + " " + token.getToken();
        }

        @PostMapping("/upload")
        String upload(@RequestParam MultipartFile file, @RequestParam String title) throws IOException {
            return title + ": " + file.getOriginalFilename() + " of "
                    + file.getInputStream().readAllBytes().length;
        }

        @GetMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
        SseEmitter events(HttpServletResponse response) {
            response.setHeader("X-Accel-Buffering", "no");
            SseEmitter emitter = new SseEmitter(0L);
            Thread sender = new Thread(() -> send(emitter), "sender-of-events");
            sender.start();
            return emitter;
        }

        private void send(SseEmitter emitter) {
            try {
                for (String event = events.take(); !event.equals("end"); event = events.take()) emitter.send(event);
                emitter.complete();
            } catch (IOException | InterruptedException x) {
                emitter.completeWithError(x);
            }
        }

        @GetMapping("/slow")
        String slow() throws InterruptedException {
            gate.entered.countDown();
            gate.opened.await();
            return "done";
        }
    }
}

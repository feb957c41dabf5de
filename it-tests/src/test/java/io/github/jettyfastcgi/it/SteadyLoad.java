package io.github.jettyfastcgi.it;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * Clients, 50 unless told otherwise, each on a connection that it keeps as long as the server does, which send GET and POST by turns, one request
 * after another with a short pause, until this is closed. Every answer is looked at; what is wrong is kept in words.
 */
final class SteadyLoad implements AutoCloseable {
    private static final int CLIENTS = 50;
    private static final long PAUSE_NANOS = 10_000_000;
    private static final String CONTENT = "content of a POST ".repeat(20);

    private final int port;
    private final String getTarget;
    private final String postTarget;
    private final Predicate<Answer> isRight;
    private final AtomicLong answers = new AtomicLong();
    private final AtomicLong unavailable = new AtomicLong();
    private final Queue<String> faults = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean ending;

    /**
     * Begins.
     *
     * @param port of the web server
     * @param getTarget what GET asks for
     * @param isRight whether an answer to GET is right
     * @param postTarget what answers to POST with the content that was sent
     */
    SteadyLoad(int port, String getTarget, Predicate<Answer> isRight, String postTarget) {
        this(CLIENTS, port, getTarget, isRight, postTarget);
    }

    /** Begins with so many clients. */
    SteadyLoad(int clients, int port, String getTarget, Predicate<Answer> isRight, String postTarget) {
        this.port = port;
        this.getTarget = getTarget;
        this.isRight = isRight;
        this.postTarget = postTarget;
        for (int i = 0; i < clients; i++) {
            Thread thread = new Thread(this::run, "client-" + i);
            threads.add(thread);
            thread.start();
        }
    }

    private void run() {
        byte[] get = request("GET " + getTarget, "");
        byte[] post = request("POST " + postTarget, CONTENT);
        try (Client client = new Client(port)) {
            while (!ending) {
                check("GET", client, get, isRight);
                check(
                        "POST",
                        client,
                        post,
                        answer -> answer.status() == 200 && answer.text().equals(CONTENT));
            }
        } catch (IOException e) {
            faults.add("at the end: " + e);
        }
    }

    private static byte[] request(String begin, String content) {
        return (begin + " HTTP/1.1\r\nHost: www.example.com\r\nContent-Type: text/plain\r\nContent-Length: "
                        + content.length() + "\r\n\r\n" + content)
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    private void check(String method, Client client, byte[] request, Predicate<Answer> isRight) throws IOException {
        try {
            Answer answer = client.send(request, true);
            if (answer.whole() && isRight.test(answer)) answers.incrementAndGet();
            else if (answer.status() == 503 && !answer.field("Retry-After").isEmpty()) unavailable.incrementAndGet();
            else faults.add(method + ": " + answer.head() + (answer.whole() ? "" : ", cut off") + " " + answer.text());
        } catch (IOException e) {
            faults.add(method + ": " + e);
            client.close();
        }
        LockSupport.parkNanos(PAUSE_NANOS);
    }

    int port() {
        return port;
    }

    /** How many answers were right up to now. */
    long answers() {
        return answers.get();
    }

    /** How many answers up to now were 503 with a Retry-After. */
    long unavailable() {
        return unavailable.get();
    }

    /** What was wrong up to now. */
    List<String> faults() {
        return List.copyOf(faults);
    }

    /** Waits until so many more answers have come, right ones, or anything is wrong. */
    void awaitAnswers(long more) {
        long enough = answers.get() + more;
        while (answers.get() < enough && faults.isEmpty()) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Waits for the answers to what was sent, and sends nothing more. */
    void end() {
        ending = true;
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    @Override
    public void close() {
        end();
    }
}

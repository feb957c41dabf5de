package io.github.jettyfastcgi.it;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A child process whose output is kept, line by line. It never outlives this JVM: closing it, or the end of the JVM,
 * sends it SIGTERM.
 */
final class ServerProcess implements AutoCloseable {
    private static final Duration TERMINATION_LIMIT = Duration.ofSeconds(20);
    private static final int TAIL = 60;

    private final String name;
    private final Process process;
    private final Thread hook;

    /** Guards itself and {@link #outputEnded}, and is notified at every change of the two. */
    private final List<String> output = new ArrayList<>();

    private boolean outputEnded;

    private ServerProcess(String name, Process process) {
        this.name = name;
        this.process = process;
        this.hook = new Thread(this::end, name + "-end");
        Thread reader = new Thread(this::readOutput, name + "-output");
        reader.setDaemon(true);
        reader.start();
    }

    static ServerProcess start(String name, Path directory, List<String> command) {
        ServerProcess started;
        try {
            started = new ServerProcess(
                    name,
                    new ProcessBuilder(command)
                            .directory(directory.toFile())
                            .redirectErrorStream(true)
                            .start());
        } catch (IOException e) {
            throw new UncheckedIOException(name + " can't be started", e);
        }
        try {
            Runtime.getRuntime().addShutdownHook(started.hook);
        } catch (IllegalStateException e) {
            // The JVM is ending: it may leave nothing behind.
            started.end();
            throw e;
        }
        return started;
    }

    private void readOutput() {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                synchronized (output) {
                    output.add(line);
                    output.notifyAll();
                }
            }
        } catch (IOException e) {
            // The stream of a process that was ended forcibly breaks: that is its end.
        } finally {
            synchronized (output) {
                outputEnded = true;
                output.notifyAll();
            }
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    List<String> output() {
        synchronized (output) {
            return List.copyOf(output);
        }
    }

    /** The last lines of the output, for messages, and the exit code once there is one. */
    String tail() {
        List<String> lines = output();
        String end = isAlive() ? "" : ", which ended with code " + process.exitValue();
        return "Last output of " + name + end + ":\n"
                + String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL), lines.size()));
    }

    /** Waits until a line of the output contains the text, and returns that line; fails when the process ends before. */
    String awaitOutput(String text, Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        int next = 0;
        synchronized (output) {
            while (true) {
                for (; next < output.size(); next++) {
                    if (output.get(next).contains(text)) {
                        return output.get(next);
                    }
                }
                long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                if (outputEnded || left <= 0) {
                    throw new AssertionError(name + (outputEnded ? " ended" : " took more than " + limit)
                            + " without \"" + text + "\". " + tail());
                }
                output.wait(left);
            }
        }
    }

    /** Waits until the process accepts connections on the port of the loopback address; fails when it ends before. */
    void awaitAccepting(int port, Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (true) {
            try {
                new Socket(InetAddress.getLoopbackAddress(), port).close();
                return;
            } catch (IOException e) {
                if (!isAlive() || System.nanoTime() > deadline) {
                    throw new AssertionError(name + " doesn't accept on port " + port + ". " + tail(), e);
                }
                Thread.sleep(10);
            }
        }
    }

    /** Waits for the end of the process and of its output, and returns the exit code. */
    int awaitExit(Duration limit) throws InterruptedException {
        if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError(name + " still runs after " + limit + ". " + tail());
        }
        synchronized (output) {
            while (!outputEnded) {
                output.wait();
            }
        }
        return process.exitValue();
    }

    /** Waits until the process ends by itself or by somebody else. */
    void awaitEnd() throws InterruptedException {
        process.waitFor();
    }

    /** Ends the process without any chance to do something about it: SIGKILL. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Ends the process the polite way, and fails when it doesn't follow. */
    @Override
    public void close() {
        if (!end()) {
            throw new AssertionError(name + " didn't end within " + TERMINATION_LIMIT + ". " + tail());
        }
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is ending: the hook runs or ran.
        }
    }

    /** Ends the process in any case; returns whether it followed the polite request. */
    private boolean end() {
        process.destroy();
        try {
            return process.waitFor(TERMINATION_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            process.destroyForcibly();
        }
    }
}

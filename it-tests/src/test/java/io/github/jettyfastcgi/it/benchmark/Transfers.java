package io.github.jettyfastcgi.it.benchmark;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A given number of long transfers over several kept connections. wrk can't count requests out: those under way at the
 * end of its time would be missing in the result, but not in the servers' CPU time.
 */
final class Transfers {
    private static final int BLOCK = 256 * 1024;
    private static final Pattern LENGTH = Pattern.compile("\r\nContent-Length: *(\\d+)\r\n", Pattern.CASE_INSENSITIVE);
    private static final String HEAD_END = "\r\n\r\n";

    private final Workload workload;
    private final InetSocketAddress address;
    private final AtomicInteger left;

    private Transfers(Workload workload, URI origin, int count) {
        this.workload = workload;
        this.address = new InetSocketAddress(origin.getHost(), origin.getPort());
        this.left = new AtomicInteger(count);
    }

    static Sample.Load run(Cell cell, String origin, int count) throws IOException, InterruptedException {
        Workload workload = cell.workload();
        Transfers transfers = new Transfers(workload, URI.create(origin), count);
        ExecutorService threads = Executors.newFixedThreadPool(cell.connections());
        try {
            long begin = System.nanoTime();
            List<Callable<Void>> clients = new ArrayList<>();
            for (int i = 0; i < cell.connections(); i++) {
                clients.add(transfers::client);
            }
            for (Future<Void> client : threads.invokeAll(clients)) {
                client.get();
            }
            long micros = (System.nanoTime() - begin) / 1000;
            long bytes = (long) count * Math.max(workload.up(), workload.down());
            return new Sample.Load(micros, count, bytes, 0, -1, -1);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    private Void client() throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BLOCK);
        try (SocketChannel socket = SocketChannel.open(address)) {
            while (left.getAndDecrement() > 0) {
                send(socket, buffer);
                receive(socket, buffer);
            }
        }
        return null;
    }

    private void send(SocketChannel socket, ByteBuffer buffer) throws IOException {
        String head = (workload.up() == 0 ? "GET " : "POST ") + workload.target() + " HTTP/1.1\r\nHost: localhost\r\n"
                + (workload.up() == 0 ? "" : "Content-Length: " + workload.up() + "\r\n") + "\r\n";
        write(
                socket,
                buffer.clear().put(head.getBytes(StandardCharsets.US_ASCII)).flip());
        for (int rest = workload.up(); rest > 0; rest -= BLOCK) {
            write(socket, buffer.clear().limit(Math.min(rest, BLOCK)));
        }
    }

    private static void write(SocketChannel socket, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            socket.write(buffer);
        }
    }

    private void receive(SocketChannel socket, ByteBuffer buffer) throws IOException {
        buffer.clear();
        String head;
        do {
            read(socket, buffer);
            head = StandardCharsets.ISO_8859_1.decode(buffer.duplicate().flip()).toString();
        } while (!head.contains(HEAD_END));
        Matcher length = LENGTH.matcher(head);
        boolean isOk = head.startsWith("HTTP/1.1 200 ") && length.find();
        if (!isOk || Integer.parseInt(length.group(1)) != workload.down()) {
            throw new IOException(head);
        }
        long received = head.length() - head.indexOf(HEAD_END) - HEAD_END.length();
        while (received < workload.down()) {
            buffer.clear();
            received += read(socket, buffer);
        }
    }

    private static int read(SocketChannel socket, ByteBuffer buffer) throws IOException {
        int length = socket.read(buffer);
        if (length < 0) {
            throw new EOFException();
        }
        return length;
    }
}

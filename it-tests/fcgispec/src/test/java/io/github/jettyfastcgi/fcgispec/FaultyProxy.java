package io.github.jettyfastcgi.fcgispec;

import java.io.Closeable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/** Makes a faulty application of a good one: stands in between, and alters records. */
final class FaultyProxy implements Closeable {
    private static final int READ_LENGTH = 65_536;
    private static final int MAX_RECORD = 2 * READ_LENGTH;

    private final Path socket;
    private final Address application;
    private final Supplier<Fault> faults;
    private final ServerSocketChannel listener;
    private final List<SocketChannel> channels = new ArrayList<>();

    private FaultyProxy(Path socket, Address application, Supplier<Fault> faults) throws IOException {
        this.socket = socket;
        this.application = application;
        this.faults = faults;
        listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(socket));
    }

    /**
     * Starts a proxy.
     *
     * @param socket where it listens
     * @param application what it connects to
     * @param faults makes one for each connection
     */
    static FaultyProxy start(Path socket, Address application, Supplier<Fault> faults) throws IOException {
        FaultyProxy proxy = new FaultyProxy(socket, application, faults);
        run(proxy::accept);
        return proxy;
    }

    String address() {
        return "unix:" + socket;
    }

    private interface Task {
        void run() throws IOException;
    }

    private static Thread run(Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (IOException e) {
                        // one side has closed: that is the end of the other as well
                    }
                },
                "faulty-proxy");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void accept() throws IOException {
        while (true) {
            SocketChannel webServer = keep(listener.accept());
            Fault fault = faults.get();
            Thread connection = run(() -> serve(webServer, fault));
            if (!fault.isConcurrent()) join(connection);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private SocketChannel keep(SocketChannel channel) {
        synchronized (channels) {
            channels.add(channel);
        }
        return channel;
    }

    private void serve(SocketChannel webServer, Fault fault) throws IOException {
        SocketChannel backend = keep(application.connect());
        Thread answers = run(() -> {
            forward(backend, webServer, bytes -> true, fault::toWebServer);
            if (fault.closes()) webServer.close();
        });
        try {
            forward(webServer, backend, fault::acceptsRead, fault::toApplication);
            if (fault.closesAlong()) return;
            backend.shutdownOutput();
            join(answers);
        } finally {
            if (fault.isDeadly()) close();
            backend.close();
            if (fault.closes()) webServer.close();
        }
    }

    private interface Alteration {
        List<WireRecord> apply(WireRecord each);
    }

    private interface ReadFilter {
        boolean accepts(byte[] bytes);
    }

    /** Moves records until the end of the input, or until the fault ends it with an exception. */
    private static void forward(SocketChannel from, SocketChannel to, ReadFilter filter, Alteration alteration)
            throws IOException {
        ByteBuffer received = ByteBuffer.allocate(MAX_RECORD + READ_LENGTH);
        ByteBuffer input = ByteBuffer.allocate(READ_LENGTH);
        while (from.read(input.clear()) >= 0) {
            byte[] bytes = Arrays.copyOf(input.array(), input.position());
            if (!filter.accepts(bytes)) throw new IOException("The fault closes");
            received.put(bytes).flip();
            for (WireRecord next = WireRecord.takeFrom(received); next != null; next = WireRecord.takeFrom(received))
                for (WireRecord each : altered(next, alteration)) write(each, to);
            received.compact();
        }
        // what isn't a record ends the same way
        received.flip();
        while (received.hasRemaining()) to.write(received);
    }

    private static List<WireRecord> altered(WireRecord next, Alteration alteration) throws IOException {
        List<WireRecord> records = alteration.apply(next);
        if (records == null) throw new IOException("The fault closes");
        return records;
    }

    private static void write(WireRecord each, SocketChannel to) throws IOException {
        byte[] header = Records.header(
                each.version(),
                each.type(),
                each.requestId(),
                each.content().length,
                each.paddingLength(),
                each.reserved());
        ByteBuffer bytes = ByteBuffer.wrap(Records.concat(header, each.content(), new byte[each.paddingLength()]));
        while (bytes.hasRemaining()) to.write(bytes);
    }

    @Override
    public void close() throws IOException {
        listener.close();
        synchronized (channels) {
            for (SocketChannel each : channels) each.close();
        }
    }
}

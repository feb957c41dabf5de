package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.jettyfastcgi.protocol.FuzzInput;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.io.ByteArrayEndPoint;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.QuietException;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;

/**
 * Whatever a peer sends, a connection answers with whole records, ends each request at most once, releases every buffer,
 * ends every request of the application, and logs nothing. The input is a byte that chooses the settings, one that chooses
 * what the application does, one that chooses how the bytes are divided, and the bytes.
 *
 * <p>All happens on one thread, so that the same input always does the same.
 */
public final class ConnectionFuzzer {
    private static final List<Site> SITES = List.of(
            new Site(64 * 1024, null),
            new Site(256, null),
            new Site(64 * 1024, "/authorize"),
            new Site(256, "/authorize"));

    private ConnectionFuzzer() {}

    public static void fuzzerTestOneInput(byte[] data) throws Exception {
        FuzzInput input = new FuzzInput(data);
        Site site = SITES.get(input.choice(SITES.size()));
        Application[] applications = Application.values();
        site.serve(applications[input.choice(applications.length)], input.choice(256), input.rest());
    }

    /** What an application does, without blocking. */
    private enum Application {
        READS_ALL {
            @Override
            void handle(Request request, Response response, Callback callback, Queue<Runnable> later) {
                Content.Source.asByteBuffer(
                        request, Promise.from(content -> response.write(true, content, callback), callback::failed));
            }
        },
        COPIES {
            @Override
            void handle(Request request, Response response, Callback callback, Queue<Runnable> later) {
                Content.copy(request, response, callback);
            }
        },
        READS_NOTHING {
            @Override
            void handle(Request request, Response response, Callback callback, Queue<Runnable> later) {
                response.write(true, ByteBuffer.wrap(ANSWER), callback);
            }
        },
        READS_ONCE {
            @Override
            void handle(Request request, Response response, Callback callback, Queue<Runnable> later) {
                Content.Chunk chunk = request.read();
                if (chunk != null) chunk.release();
                response.write(true, ByteBuffer.wrap(ANSWER), callback);
            }
        },
        ANSWERS_LATER {
            @Override
            void handle(Request request, Response response, Callback callback, Queue<Runnable> later) {
                later.add(() -> response.write(true, ByteBuffer.wrap(ANSWER), callback));
            }
        },
        ANSWERS_IN_PARTS {
            @Override
            void handle(Request request, Response response, Callback callback, Queue<Runnable> later) {
                ByteBuffer large = ByteBuffer.allocateDirect(150_000);
                Callback writesLast = Callback.from(() -> response.write(true, large, callback), callback::failed);
                later.add(() -> response.write(false, ByteBuffer.wrap(ANSWER), writesLast));
            }
        },
        FAILS {
            @Override
            void handle(Request request, Response response, Callback callback, Queue<Runnable> later) {
                callback.failed(FAILURE);
            }
        },
        FAILS_BEHIND_A_PART {
            @Override
            void handle(Request request, Response response, Callback callback, Queue<Runnable> later) {
                response.write(
                        false,
                        ByteBuffer.wrap(ANSWER),
                        Callback.from(() -> later.add(() -> callback.failed(FAILURE)), callback::failed));
            }
        },
        THROWS {
            @Override
            void handle(Request request, Response response, Callback callback, Queue<Runnable> later) {
                throw FAILURE;
            }
        };

        private static final byte[] ANSWER = "answer".getBytes(StandardCharsets.US_ASCII);
        private static final QuietException.RuntimeException FAILURE = new QuietException.RuntimeException();

        /** Handles a request; what is added to the queue happens when more has come from the peer. */
        abstract void handle(Request request, Response response, Callback callback, Queue<Runnable> later);
    }

    /** A server whose connections have no socket. */
    private static final class Site {
        private final Tasks tasks = new Tasks();
        private final Queue<Runnable> later = new ArrayDeque<>();
        private final ArrayByteBufferPool.Tracking pool = new ArrayByteBufferPool.Tracking();
        private final FastCGIConnectionFactory factory;
        private final LocalConnector connector;
        private Application application;

        Site(int requestHeaderSize, String authorizerPath) {
            FastCGIHttpConfiguration configuration = new FastCGIHttpConfiguration();
            configuration.setRequestHeaderSize(requestHeaderSize);
            factory = new FastCGIConnectionFactory(configuration);
            factory.setAuthorizerPath(authorizerPath);
            Server server = new Server();
            connector = new LocalConnector(server, tasks, new NoTimers(), pool, 1, factory);
            server.addConnector(connector);
            server.setHandler(new Handler.Abstract.NonBlocking() {
                @Override
                public boolean handle(Request request, Response response, Callback callback) {
                    application.handle(request, response, callback, later);
                    return true;
                }
            });
            start(server);
        }

        private void start(Server server) {
            LogCapture log = new LogCapture();
            try {
                server.start();
            } catch (Exception x) {
                throw new AssertionError(x);
            } finally {
                log.close();
            }
            tasks.begin();
        }

        void serve(Application next, int way, byte[] bytes) {
            application = next;
            try (LogCapture log = new LogCapture()) {
                EndPointOfTasks endPoint = new EndPointOfTasks(tasks);
                Connection connection = connector.getDefaultConnectionFactory().newConnection(connector, endPoint);
                endPoint.setConnection(connection);
                connection.onOpen();
                for (ByteBuffer chunk : FuzzInput.chunks(bytes, way)) {
                    endPoint.addInput(chunk);
                    tasks.run();
                    runNext();
                }
                endPoint.addInputEOF();
                tasks.run();
                while (!later.isEmpty()) runNext();
                endPoint.close();
                tasks.run();
                assertThat(factory.getRunningRequests()).isZero();
                assertThat(pool.getLeaks()).as(pool::dumpLeaks).isEmpty();
                assertThat(log.text()).isEmpty();
                checkOutput(bytes, endPoint.getOutput());
            }
        }

        private void runNext() {
            Runnable task = later.poll();
            if (task != null) task.run();
            tasks.run();
        }
    }

    /** Checks that all are whole records, of a peer that could have understood them. */
    private static void checkOutput(byte[] input, ByteBuffer output) {
        Map<Integer, Integer> unended = new HashMap<>();
        for (ByteBuffer in = ByteBuffer.wrap(input); in.remaining() >= WireRecord.HEADER_LENGTH; ) {
            int header = in.getInt();
            if (header >>> 24 != 1) break;
            if ((header >> 16 & 0xFF) == Wire.BEGIN_REQUEST) unended.merge(header & 0xFFFF, 1, Integer::sum);
            int behind = (in.getShort() & 0xFFFF) + (in.get() & 0xFF);
            in.get();
            in.position(in.position() + Math.min(behind, in.remaining()));
        }
        while (output.hasRemaining()) {
            WireRecord record = read(output);
            switch (record.type()) {
                case Wire.STDOUT ->
                    assertThat(unended.getOrDefault(record.id(), 0)).isPositive();
                case Wire.END_REQUEST -> {
                    assertThat(record.content()).hasSize(8);
                    assertThat(unended.merge(record.id(), -1, Integer::sum)).isNotNegative();
                }
                case Wire.GET_VALUES_RESULT, Wire.UNKNOWN_TYPE ->
                    assertThat(record.id()).isZero();
                default -> throw new AssertionError("type " + record.type());
            }
        }
    }

    private static WireRecord read(ByteBuffer output) {
        byte[] header = new byte[WireRecord.HEADER_LENGTH];
        output.get(header);
        byte[] behind = new byte[WireRecord.lengthBehind(header)];
        output.get(behind);
        return WireRecord.of(header, behind);
    }

    /** What the connector wants to be run, for the one thread. What it wants at its start has a thread of its own. */
    private static final class Tasks implements Executor {
        private final Queue<Runnable> queue = new ArrayDeque<>();
        private boolean begun;

        @Override
        public void execute(Runnable task) {
            if (begun) {
                queue.add(task);
            } else {
                Thread thread = new Thread(task);
                thread.setDaemon(true);
                thread.start();
            }
        }

        private void begin() {
            begun = true;
        }

        private void run() {
            for (Runnable task = queue.poll(); task != null; task = queue.poll()) task.run();
        }
    }

    private static final class EndPointOfTasks extends ByteArrayEndPoint {
        private final Tasks tasks;

        EndPointOfTasks(Tasks tasks) {
            this.tasks = tasks;
        }

        @Override
        protected void execute(Runnable task) {
            tasks.execute(task);
        }

        @Override
        public void onClose(Throwable failure) {
            getConnection().onClose(failure);
            super.onClose(failure);
        }
    }

    /** Nothing happens because of the time. */
    private static final class NoTimers extends ScheduledExecutorScheduler {
        @Override
        public Task schedule(Runnable task, long delay, TimeUnit unit) {
            return () -> true;
        }
    }
}

package io.github.jettyfastcgi.server;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Promise;

/** A handler that leaves each request to the test, which answers when it likes. */
final class Exchanges implements Request.Handler {
    /** What the handler was called with. */
    record Exchange(Request request, Response response, Callback callback) {
        /** Answers with a text. */
        void answer(String text) {
            response.write(true, ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)), callback);
        }

        /** Sends the head and a first part of the content, and waits until it is written. */
        void commit(String text) throws Exception {
            Callback.Completable written = new Callback.Completable();
            response.write(false, ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)), written);
            written.get();
        }

        /** {@return the next chunk of content, which has to be there} */
        String readText() {
            Content.Chunk chunk = request.read();
            String text =
                    StandardCharsets.ISO_8859_1.decode(chunk.getByteBuffer()).toString();
            chunk.release();
            return text;
        }

        /** Reads the content to its end, not blocking; {@return the content} */
        String readAll() throws Exception {
            CompletableFuture<String> content = new CompletableFuture<>();
            Content.Source.asString(
                    request,
                    StandardCharsets.ISO_8859_1,
                    Promise.from(content::complete, content::completeExceptionally));
            return content.get(Await.DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
        }

        /** Collects the failures that listeners hear of. */
        BlockingQueue<Throwable> failures() {
            BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
            request.addFailureListener(failures::add);
            return failures;
        }
    }

    private final BlockingQueue<Exchange> exchanges = new LinkedBlockingQueue<>();

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        exchanges.add(new Exchange(request, response, callback));
        return true;
    }

    /** {@return the next request that was handled} */
    Exchange next() throws InterruptedException {
        return Await.next("a request", exchanges);
    }

    /** {@return whether the test has taken all requests} */
    boolean isEmpty() {
        return exchanges.isEmpty();
    }
}

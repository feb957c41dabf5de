package io.github.jettyfastcgi.sample;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;

/**
 * Copies a request's body to its response through one buffer, without blocking.
 *
 * <pre>
 *   start --> output ready? --yes--> input finished? --yes--> complete
 *               ^      | no                 | no
 *               |      v                    v
 *               |   wait for             input ready? --no--> flush, wait for
 *               |   onWritePossible         | yes             onDataAvailable or onAllDataRead
 *               |                           v
 *               +---------------------- read, write
 * </pre>
 *
 * <p>An output that is ready has let go of the buffer of the last write, so only then the buffer may be read into.
 * Every callback starts at the first question again. The container never makes two callbacks of one request at once,
 * therefore nothing here is synchronized.
 */
final class Echo implements ReadListener, WriteListener {
    private final AsyncContext context;
    private final ServletInputStream input;
    private final ServletOutputStream output;
    private final byte[] buffer = new byte[16 * 1024];
    private boolean unflushed;
    private boolean completed;

    Echo(AsyncContext context, ServletInputStream input, ServletOutputStream output) {
        this.context = context;
        this.input = input;
        this.output = output;
    }

    void start() {
        input.setReadListener(this);
        output.setWriteListener(this);
    }

    @Override
    public void onDataAvailable() throws IOException {
        copy();
    }

    @Override
    public void onAllDataRead() throws IOException {
        copy();
    }

    @Override
    public void onWritePossible() throws IOException {
        copy();
    }

    /** A failure of either side: usually the client went away, so there is nobody to tell. */
    @Override
    public void onError(Throwable failure) {
        complete();
    }

    private void copy() throws IOException {
        while (!completed && output.isReady()) {
            if (input.isFinished()) {
                complete();
            } else if (input.isReady()) {
                int length = input.read(buffer);
                if (length > 0) {
                    output.write(buffer, 0, length);
                    unflushed = true;
                }
            } else {
                // The client may wait for its echo before it sends more.
                if (unflushed) {
                    unflushed = false;
                    output.flush();
                }
                return;
            }
        }
    }

    private void complete() {
        if (!completed) {
            completed = true;
            context.complete();
        }
    }
}

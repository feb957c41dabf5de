package io.github.jettyfastcgi.sendfile;

import java.io.File;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.eclipse.jetty.http.CompressedContentFormat;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.MimeTypes;
import org.eclipse.jetty.http.content.HttpContent;
import org.eclipse.jetty.http.content.ResourceHttpContent;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.ResourceService;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ContextResponse;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.resource.ResourceFactory;

/**
 * A response whose content may be a file: one that is served, or one that the application has marked without writing
 * anything. Used by one thread at a time, as every response.
 */
final class FileResponse extends Response.Wrapper {
    private final Offload offload;
    private final ResourceService service;
    private boolean begun;
    private boolean markTaken;

    /**
     * Creates a response.
     *
     * @param offload leaves files to the web server; {@code null} where there is none
     * @param service answers conditions and ranges for marked files
     */
    FileResponse(Request request, Response wrapped, Offload offload, ResourceService service) {
        super(request, wrapped);
        this.offload = offload;
        this.service = service;
    }

    /**
     * Finds the response that gets what is written to a sink, as it is.
     *
     * @param sink what an application writes to
     * @return the response; {@code null} if something between might change the content
     */
    static FileResponse behind(Content.Sink sink) {
        Content.Sink next = sink;
        while (next instanceof ContextResponse response) next = response.getWrapped();
        return next instanceof FileResponse response ? response : null;
    }

    /**
     * Leaves a file to the web server in place of the content, if that can be.
     *
     * @return whether the response is to be ended without content, since the web server sends the file
     */
    boolean offload(Path file) {
        return !begun && !isCommitted() && offload != null && offload.apply(file, getRequest(), this);
    }

    /** {@return a callback for the application, which may end the response without a write} */
    Callback ending(Callback callback) {
        return new Callback.Nested(callback) {
            @Override
            public void succeeded() {
                Object marked = takeMarked();
                if (marked == null) super.succeeded();
                else send(marked, getCallback());
            }
        };
    }

    @Override
    public void write(boolean last, ByteBuffer content, Callback callback) {
        Object marked = last && BufferUtil.isEmpty(content) ? takeMarked() : null;
        if (marked == null) {
            begun = true;
            super.write(last, content, callback);
        } else {
            send(marked, callback);
        }
    }

    /** {@return the file that the application has marked, if it is the content; once} */
    private Object takeMarked() {
        int status = getStatus();
        boolean isOpen = !begun && !markTaken && !isCommitted() && (status == 0 || status == HttpStatus.OK_200);
        Object marked = isOpen ? getRequest().getAttribute(SendFileHandler.ATTRIBUTE) : null;
        markTaken |= marked != null;
        return marked;
    }

    private void send(Object marked, Callback callback) {
        Path file;
        try {
            file = path(marked);
        } catch (IllegalArgumentException x) {
            Response.writeError(getRequest(), this, callback, x);
            return;
        }
        getHeaders().remove(HttpHeader.CONTENT_LENGTH); // that of the empty content, at times
        if (Files.isRegularFile(file) && Files.isReadable(file))
            service.doGet(new FileRequest(getRequest()), this, callback, content(file));
        else Response.writeError(getRequest(), this, callback, HttpStatus.NOT_FOUND_404);
    }

    private static Path path(Object marked) {
        Path path = null;
        if (marked instanceof Path given) path = given;
        else if (marked instanceof File given) path = given.toPath();
        else if (marked instanceof String given) path = Path.of(given);
        if (path != null && path.isAbsolute()) return path;
        throw new IllegalArgumentException(
                SendFileHandler.ATTRIBUTE + ": '" + marked + "' (expected: an absolute path, as Path, File or String)");
    }

    private HttpContent content(Path file) {
        String type = getHeaders().get(HttpHeader.CONTENT_TYPE);
        if (type == null) type = MimeTypes.DEFAULTS.getMimeByExtension(file.toString());
        ByteBufferPool.Sized buffers =
                new ByteBufferPool.Sized(getRequest().getComponents().getByteBufferPool());
        return new OffloadedContent(
                new ResourceHttpContent(ResourceFactory.root().newResource(file), type, buffers) {
                    @Override
                    public Set<CompressedContentFormat> getPreCompressedContentFormats() {
                        return Set.of(); // so that the Vary field is the application's
                    }
                });
    }
}

package io.github.jettyfastcgi.sendfile;

import java.nio.file.Path;
import org.eclipse.jetty.http.content.HttpContent;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;

/** A file that Jetty is about to send, unless the web server can do it. */
final class OffloadedContent extends HttpContent.Wrapper {
    OffloadedContent(HttpContent content) {
        super(content);
    }

    @Override
    public void writeTo(Content.Sink sink, long offset, long length, Callback callback) {
        FileResponse response = FileResponse.behind(sink);
        Path file = response == null ? null : getResource().getPath();
        if (file != null && response.offload(file)) sink.write(true, BufferUtil.EMPTY_BUFFER, callback);
        else super.writeTo(sink, offset, length, callback);
    }
}

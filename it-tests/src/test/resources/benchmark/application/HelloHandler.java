package benchmark;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** The answer of the servlet to /hello, without the layers of a servlet container. */
final class HelloHandler extends Handler.Abstract.NonBlocking {
    private static final byte[] HELLO = "Hello, world!".getBytes(StandardCharsets.US_ASCII);
    private static final HttpField TEXT = new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, "text/plain");

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        response.getHeaders().put(TEXT);
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, HELLO.length);
        response.write(true, ByteBuffer.wrap(HELLO), callback);
        return true;
    }
}

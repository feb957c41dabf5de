package io.github.jettyfastcgi.fcgispec;

import io.github.jettyfastcgi.server.FastCGIConnectionFactory;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** The application that fcgispec tests, for both FastCGI connectors of Jetty. README.md says what each query has to answer. */
public final class SpecHandler extends Handler.Abstract {
    private final boolean hasErrorStream;

    /**
     * Creates the application.
     *
     * @param hasErrorStream whether the connector tells the web server of errors
     */
    public SpecHandler(boolean hasErrorStream) {
        this.hasErrorStream = hasErrorStream;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String query = request.getHttpURI().getQuery();
        String[] parts = (query == null ? "" : query).split("=", 2);
        String argument = parts.length > 1 ? parts[1] : "";
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain;charset=utf-8");
        switch (parts[0]) {
            case "variables" -> write(response, variables(request), callback);
            case "echo" -> {
                response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/octet-stream");
                Content.copy(request, response, callback);
            }
            case "size" -> response.write(true, ByteBuffer.wrap(Samples.letters(Integer.parseInt(argument))), callback);
            case "ignore" -> write(response, "ignored\n", callback);
            case "sleep" -> {
                Thread.sleep(Long.parseLong(argument));
                write(response, "slept\n", callback);
            }
            case "flush" -> {
                flush(response, "first\n");
                Thread.sleep(Long.parseLong(argument));
                Content.Source.consumeAll(request);
                write(response, "second\n", callback);
            }
            case "fail" -> {
                flush(response, "first\n");
                throw new IOException("fcgispec");
            }
            case "stderr" -> {
                int status = hasErrorStream ? HttpStatus.INTERNAL_SERVER_ERROR_500 : HttpStatus.NOT_IMPLEMENTED_501;
                request.setAttribute(ErrorHandler.ERROR_MESSAGE, "fcgispec-error");
                Response.writeError(request, response, callback, status);
            }
            default -> {
                answerWithoutContent(parts[0], argument, response);
                callback.succeeded();
            }
        }
        return true;
    }

    private static void answerWithoutContent(String action, String argument, Response response) {
        switch (action) {
            case "status" -> response.setStatus(Integer.parseInt(argument));
            case "location" -> {
                response.setStatus(HttpStatus.FOUND_302);
                response.getHeaders().put(HttpHeader.LOCATION, argument);
            }
            case "cookies" -> {
                response.getHeaders().add(HttpHeader.SET_COOKIE, "a=1");
                response.getHeaders().add(HttpHeader.SET_COOKIE, "b=2");
            }
            case "injection" -> response.getHeaders().put("X-Value", "a\r\nX-Injected: b");
            case "hop" -> {
                response.getHeaders().put(HttpHeader.CONNECTION, "close");
                response.getHeaders().put(HttpHeader.TRANSFER_ENCODING, "chunked");
            }
            default -> response.setStatus(HttpStatus.NOT_IMPLEMENTED_501);
        }
    }

    private static void write(Response response, String text, Callback callback) {
        Content.Sink.write(response, true, text, callback);
    }

    private static void flush(Response response, String text) throws IOException {
        OutputStream out = Content.Sink.asOutputStream(response); // not closed: that would end the response
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    private static String variables(Request request) {
        StringBuilder text = new StringBuilder("REQUEST_METHOD=" + request.getMethod() + "\n");
        Object variables = request.getAttribute(FastCGIConnectionFactory.VARIABLES_ATTRIBUTE);
        // jetty-fcgi-server makes an attribute of each variable
        Map<?, ?> all = variables instanceof Map<?, ?> map ? map : request.asAttributeMap();
        all.forEach((name, value) -> {
            if (name.toString().startsWith("FCGISPEC_")) append(text, name.toString(), value);
        });
        for (HttpField field : request.getHeaders()) {
            String variable = "HTTP_" + field.getName().toUpperCase(Locale.ROOT).replace('-', '_');
            if (variable.startsWith("HTTP_FCGISPEC_")) append(text, variable, field.getValue());
        }
        return text.toString();
    }

    private static void append(StringBuilder text, String name, Object value) {
        text.append(name).append('=').append(value).append('\n');
    }
}

package io.github.jettyfastcgi.fcgispec;

import java.util.ArrayList;
import java.util.List;

/** A request as a web server would send it, and its parts. Methods that change it return it. */
final class Request {
    private record Variable(String name, String value) {}

    private final List<Variable> variables = new ArrayList<>();
    private int id = 1;
    private int role = Records.RESPONDER;
    private int flags;
    private byte[] content = {};

    /** A GET for the application, with the variables that all web servers send, and those of the options. */
    Request(Options options, String query) {
        String path = options.path();
        set("GATEWAY_INTERFACE", "CGI/1.1");
        set("SERVER_SOFTWARE", "fcgispec");
        set("SERVER_PROTOCOL", "HTTP/1.1");
        set("REQUEST_METHOD", "GET");
        set("REQUEST_SCHEME", "http");
        set("REQUEST_URI", path + "?" + query);
        set("SCRIPT_NAME", path);
        set("DOCUMENT_URI", path);
        set("QUERY_STRING", query);
        set("REMOTE_ADDR", "192.0.2.1");
        set("REMOTE_PORT", "49152");
        set("SERVER_ADDR", "192.0.2.2");
        set("SERVER_NAME", "fcgispec.example");
        set("SERVER_PORT", "80");
        set("HTTP_HOST", "fcgispec.example");
        options.variables().forEach(this::set);
    }

    Request id(int id) {
        this.id = id;
        return this;
    }

    Request role(int role) {
        this.role = role;
        return this;
    }

    Request keep() {
        return flags(Records.KEEP_CONN);
    }

    Request flags(int flags) {
        this.flags = flags;
        return this;
    }

    Request method(String method) {
        return set("REQUEST_METHOD", method);
    }

    /** Makes it a POST of the content. */
    Request content(byte[] content) {
        this.content = content;
        set("CONTENT_TYPE", "application/octet-stream");
        return method("POST").contentLength(Integer.toString(content.length));
    }

    Request contentLength(String length) {
        return set("CONTENT_LENGTH", length);
    }

    /** Replaces a variable, or adds it. */
    Request set(String name, String value) {
        return without(name).add(name, value);
    }

    Request without(String name) {
        variables.removeIf(variable -> variable.name.equals(name));
        return this;
    }

    /** Adds a variable, once more if it is there. */
    Request add(String name, String value) {
        variables.add(new Variable(name, value));
        return this;
    }

    int id() {
        return id;
    }

    /** {@return BEGIN_REQUEST} */
    byte[] begin() {
        return Records.begin(id, role, flags);
    }

    /** {@return the value of the stream of variables} */
    byte[] pairs() {
        return Records.concat(variables.stream()
                .map(variable -> Pairs.pair(variable.name, variable.value))
                .toArray(byte[][]::new));
    }

    /** {@return the stream of variables} */
    byte[] params() {
        return Records.stream(RecordType.PARAMS, id, pairs());
    }

    /** {@return the stream of content} */
    byte[] stdin() {
        return Records.stream(RecordType.STDIN, id, content);
    }

    /** {@return all up to the content} */
    byte[] head() {
        return Records.concat(begin(), params());
    }

    /** {@return the whole request} */
    byte[] bytes() {
        return Records.concat(head(), stdin());
    }
}

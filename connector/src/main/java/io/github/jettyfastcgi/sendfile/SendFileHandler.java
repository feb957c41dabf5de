package io.github.jettyfastcgi.sendfile;

import io.github.jettyfastcgi.server.ConfigurationException;
import io.github.jettyfastcgi.server.FastCGIConnectionFactory;
import java.util.Arrays;
import java.util.List;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.ResourceService;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.annotation.ManagedAttribute;
import org.eclipse.jetty.util.annotation.ManagedObject;

/**
 * Lets the web server send files, instead of what Jetty would read from the disk and write to a socket. They are the static
 * files of core handlers and of servlet contexts from ee10 on, and any file with which an application marks a response, by
 * the request attribute {@value #ATTRIBUTE}.
 *
 * <p>The application decides, as ever: its filters, constraints and conditions come before. A file is left to the web
 * server over FastCGI only, and only if it lies in one of the folders that were mapped, whatever leads to it; is not too
 * small; and the response has no field that would get lost. Otherwise Jetty sends it, and the client can't tell.
 *
 * <p>It belongs around the contexts, and inside of handlers that compress.
 */
@ManagedObject("Lets the web server send files")
public class SendFileHandler extends Handler.Wrapper {
    /**
     * The request attribute by which an application marks a response with the file that is its content: an absolute path,
     * as a {@link java.nio.file.Path}, a {@link java.io.File} or a {@link String}. The application writes nothing then, nor
     * does it set a length. Conditions and ranges of the request are answered as for a static file. It may set fields, such
     * as Content-Type.
     */
    public static final String ATTRIBUTE = "io.github.jettyfastcgi.sendfile";

    /** The default of {@link #getField()}, which nginx understands. */
    public static final String DEFAULT_FIELD = "X-Accel-Redirect";

    /** The default of {@link #getMinSize()}, in bytes. */
    public static final long DEFAULT_MIN_SIZE = 128 * 1024;

    private final ServedContents.Listener listener = new ServedContents.Listener();
    private final ResourceService service = new ResourceService();
    private SendFileField field = SendFileField.X_ACCEL_REDIRECT;
    private String mapping = "";
    private FileMapping fileMapping = FileMapping.NONE;
    private long minSize = DEFAULT_MIN_SIZE;
    private String keptFields = "";
    private Offload offload;

    /** Creates a handler without a next one. */
    public SendFileHandler() {
        this(null);
    }

    /**
     * Creates a handler.
     *
     * @param next what handles all requests
     */
    public SendFileHandler(Handler next) {
        super(next);
    }

    /** {@return the field that tells the web server of a file} */
    @ManagedAttribute("The field that tells the web server of a file")
    public String getField() {
        return field.fieldName();
    }

    /**
     * Sets the field that tells the web server of a file.
     *
     * @param name {@code X-Accel-Redirect}, the default, for nginx; {@code X-Sendfile} for Apache httpd with
     *     mod_xsendfile; {@code X-LIGHTTPD-send-file} for lighttpd
     */
    public void setField(String name) {
        try {
            field = SendFileField.named(name);
        } catch (IllegalArgumentException x) {
            throw new ConfigurationException("jetty.fastcgi.sendfile.field: " + x.getMessage());
        }
    }

    /** {@return the folders whose files the web server may send, and where it has them} */
    @ManagedAttribute("The folders whose files the web server may send, and where it has them")
    public String getMapping() {
        return mapping;
    }

    /**
     * Sets the folders whose files the web server may send.
     *
     * @param mapping {@code folder=target}, separated by semicolons: the absolute path of a folder, and the path of the web
     *     server's location or folder that has the same files; the {@code folder} alone where that is the same path
     */
    public void setMapping(String mapping) {
        try {
            fileMapping = FileMapping.parse(mapping);
        } catch (IllegalArgumentException x) {
            throw new ConfigurationException("jetty.fastcgi.sendfile.mapping: " + x.getMessage());
        }
        this.mapping = mapping;
    }

    /** {@return the size from which on files are left to the web server, in bytes} */
    @ManagedAttribute("The size from which on files are left to the web server, in bytes")
    public long getMinSize() {
        return minSize;
    }

    /**
     * Sets the size from which on files are left to the web server. nginx opens a new connection after each; measured, that
     * pays from about 100 KB on.
     *
     * @param minSize the size in bytes, 0 or more
     */
    public void setMinSize(long minSize) {
        if (minSize < 0)
            throw new ConfigurationException("jetty.fastcgi.sendfile.minSize: " + minSize + " (expected: >= 0)");
        this.minSize = minSize;
    }

    /** {@return the fields that the web server passes on besides those that it does by itself} */
    @ManagedAttribute("The fields that the web server passes on besides those that it does by itself")
    public String getKeptFields() {
        return keptFields;
    }

    /**
     * Sets the fields that the web server has been configured to pass on. A response with a field that it doesn't pass on
     * is sent by Jetty.
     *
     * @param names names separated by commas, empty for none
     */
    public void setKeptFields(String names) {
        keptFields = names;
    }

    @Override
    protected void doStart() throws Exception {
        List<String> names = Arrays.stream(keptFields.split(","))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList();
        offload = new Offload(field, fileMapping, minSize, names);
        addEventListener(listener);
        super.doStart();
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        boolean isFastCGI =
                request.getConnectionMetaData().getConnector().getConnectionFactory(FastCGIConnectionFactory.class)
                        != null;
        FileResponse files = new FileResponse(request, response, isFastCGI ? offload : null, service);
        return super.handle(request, files, files.ending(callback));
    }
}

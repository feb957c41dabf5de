package io.github.jettyfastcgi.sendfile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.http.DateGenerator;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leaves files to the web server, if the client gets the same from it as from Jetty: the file lies in one of the mapped
 * folders, and no field of the response gets lost on the way. Any thread may call.
 */
final class Offload {
    private static final Logger LOG = LoggerFactory.getLogger(Offload.class);

    /** Up to how many names of fields are warned of, which an application may make up. */
    private static final int MAX_WARNINGS = 100;

    /** What the web server finds out anew. */
    private static final Set<HttpHeader> OF_THE_FILE =
            EnumSet.of(HttpHeader.CONTENT_LENGTH, HttpHeader.CONTENT_RANGE, HttpHeader.DATE, HttpHeader.SERVER);

    /** What the web server would answer, though these are about GET and HEAD. */
    private static final Set<HttpHeader> ABOUT_GET = EnumSet.of(
            HttpHeader.RANGE,
            HttpHeader.IF_MATCH,
            HttpHeader.IF_NONE_MATCH,
            HttpHeader.IF_MODIFIED_SINCE,
            HttpHeader.IF_UNMODIFIED_SINCE,
            HttpHeader.IF_RANGE);

    private final SendFileField field;
    private final FileMapping mapping;
    private final long minSize;
    private final Set<String> keptFields = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    /**
     * Creates an offload.
     *
     * @param field what tells the web server of a file
     * @param mapping where it finds files
     * @param minSize the size of a file, in bytes, from which on it is worth it
     * @param keptFields further fields that the web server passes on
     */
    Offload(SendFileField field, FileMapping mapping, long minSize, Collection<String> keptFields) {
        this.field = field;
        this.mapping = mapping;
        this.minSize = minSize;
        this.keptFields.addAll(keptFields);
        if (!field.keepsAll()) this.keptFields.addAll(field.kept());
    }

    /**
     * Leaves the file to the web server if that can be, which is told by the fields of the response. It has no content then,
     * and the web server picks the range that was asked for, if any.
     *
     * @param file the content of the response
     * @return whether the file is left to the web server
     */
    boolean apply(Path file, Request request, Response response) {
        if (!isAbout(request, response)) return false;
        String value;
        try {
            Path real = file.toRealPath();
            BasicFileAttributes attributes = Files.readAttributes(real, BasicFileAttributes.class);
            if (!attributes.isRegularFile() || attributes.size() < minSize) return false;
            String path = mapping.locate(real);
            value = path == null ? null : field.value(path);
            if (value == null || !passOn(response.getHeaders(), attributes)) return false;
        } catch (IOException x) {
            LOG.debug("No offload of {}", file, x);
            return false;
        }
        HttpFields.Mutable fields = response.getHeaders();
        fields.remove(HttpHeader.CONTENT_LENGTH);
        fields.remove(HttpHeader.CONTENT_RANGE);
        if (!field.keepsAll()) fields.remove(HttpHeader.ACCEPT_RANGES); // nginx adds its own
        fields.put(field.fieldName(), value);
        response.setStatus(HttpStatus.OK_200);
        return true;
    }

    private static boolean isAbout(Request request, Response response) {
        int status = response.getStatus();
        if (status != 0 && status != HttpStatus.OK_200 && status != HttpStatus.PARTIAL_CONTENT_206) return false;
        HttpMethod method = HttpMethod.fromString(request.getMethod());
        if (method == HttpMethod.GET || method == HttpMethod.HEAD) return true;
        // nginx makes a GET of it, with all its fields
        return method == HttpMethod.POST
                && request.getHeaders().stream().noneMatch(field -> ABOUT_GET.contains(field.getHeader()));
    }

    /** {@return whether the client gets each field, or one that says the same} */
    private boolean passOn(HttpFields fields, BasicFileAttributes file) {
        for (HttpField each : fields) {
            boolean passes = each.getHeader() == HttpHeader.ACCEPT_RANGES
                    ? each.contains("bytes")
                    : field.keepsAll() || keptFields.contains(each.getName()) || isOfTheFile(each, file);
            if (!passes) {
                warn(each.getName());
                return false;
            }
        }
        return true;
    }

    private static boolean isOfTheFile(HttpField field, BasicFileAttributes file) {
        HttpHeader header = field.getHeader();
        if (header == null) return false;
        return switch (header) {
            case LAST_MODIFIED ->
                DateGenerator.formatDate(file.lastModifiedTime().toInstant()).equals(field.getValue());
            case VARY -> HttpHeader.ACCEPT_ENCODING.is(field.getValue()); // for content that would be compressed
            default -> OF_THE_FILE.contains(header);
        };
    }

    private void warn(String name) {
        if (warned.size() < MAX_WARNINGS && warned.add(name))
            LOG.warn("A response with the field {} is not left to the web server, which would not pass it on", name);
    }
}

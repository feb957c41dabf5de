package io.github.jettyfastcgi.cgi;

import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.Set;
import org.eclipse.jetty.http.HostPortHttpField;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpParser;
import org.eclipse.jetty.http.HttpScheme;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.util.HostPort;
import org.eclipse.jetty.util.StringUtil;
import org.eclipse.jetty.util.URIUtil;

/**
 * Makes a request of meta-variables (RFC 3875), so that it is the one which the client sent to the web server.
 *
 * <p>What a client can forge never overrides what the web server knows: CONTENT_LENGTH and CONTENT_TYPE are told apart
 * from fields of these names, the scheme is the connection's, and a field that is about the client's connection is
 * dropped. Stateless; what repeats on a connection is remembered by the {@link VariableCache} passed in.
 */
public final class RequestMapper {
    private static final String HTTP = HttpScheme.HTTP.asString();
    private static final String HTTPS = HttpScheme.HTTPS.asString();
    private static final String DEFAULT_PROTOCOL = HttpVersion.HTTP_1_1.asString();
    private static final HttpURI NO_URI = HttpURI.from("/badMessage");
    private static final String NO_METHOD = "BAD";
    private static final String UNKNOWN_LENGTH = "-1";
    private static final String NO_LENGTH = "0";
    private static final Set<String> METHODS_WITH_CONTENT =
            Set.of(HttpMethod.POST.asString(), HttpMethod.PUT.asString(), HttpMethod.PATCH.asString());
    private static final int MAX_LENGTH_DIGITS = 18;

    private final PathSource pathSource;
    private final HttpCompliance compliance;
    private final HostPort serverAuthority;

    /**
     * Creates a mapper.
     *
     * @param pathSource which variables lead to the URI
     * @param compliance which violations of HTTP are taken; web servers can pass on a bad Host, and a method in lower case
     * @param serverAuthority who the server is where neither client nor web server tell, or {@code null} for the address
     *     at which the request came
     */
    public RequestMapper(PathSource pathSource, HttpCompliance compliance, HostPort serverAuthority) {
        this.pathSource = Objects.requireNonNull(pathSource);
        this.compliance = Objects.requireNonNull(compliance);
        this.serverAuthority = serverAuthority;
    }

    /**
     * Maps the variables of one request.
     *
     * @param beginNanoTime when the request began
     * @param variables the variables
     * @param cache what the connection remembers
     * @return the request; {@link CGIRequest#failure()} when the variables aren't a request that can be served
     */
    public CGIRequest map(long beginNanoTime, MetaVariables variables, VariableCache cache) {
        return map(beginNanoTime, variables, cache, null);
    }

    /**
     * Maps what is there of the variables of a request, to answer it with an error. What they tell of it is for the error
     * page and the access log.
     *
     * @param beginNanoTime when the request began
     * @param variables the variables, of which some may be missing
     * @param cache what the connection remembers
     * @param error the error, or {@code null} for a request that is served if it can be
     * @return the request
     */
    public CGIRequest map(
            long beginNanoTime, MetaVariables variables, VariableCache cache, HttpException.RuntimeException error) {
        cache.begin();
        HttpException.RuntimeException failure = error;
        String method = NO_METHOD;
        HttpURI uri = NO_URI;
        HttpFields fields = HttpFields.EMPTY;
        long contentLength = -1;
        try {
            walk(variables, cache);
            fields = cache.fields();
            contentLength = fields.getLongField(HttpHeader.CONTENT_LENGTH);
        } catch (HttpException.RuntimeException | IllegalArgumentException x) {
            if (failure == null) failure = badRequest(x);
        }
        try {
            method = method(cache);
        } catch (HttpException.RuntimeException x) {
            if (failure == null) failure = x;
        }
        try {
            uri = uri(method, cache);
        } catch (HttpException.RuntimeException | IllegalArgumentException x) {
            if (failure == null) failure = badRequest(x);
        }
        String protocol = protocol(cache);
        return new CGIRequest(
                beginNanoTime,
                method,
                uri,
                protocol,
                version(protocol),
                fields,
                contentLength,
                cache.remoteAddress(),
                cache.localAddress(),
                failure);
    }

    private void walk(MetaVariables variables, VariableCache cache) {
        HttpException.RuntimeException failure = null;
        byte[] bytes = variables.bytes();
        for (int i = 0; i < variables.size(); i++) {
            VariableCache.Entry entry = cache.next(
                    bytes,
                    variables.nameOffset(i),
                    variables.nameLength(i),
                    variables.valueOffset(i),
                    variables.valueLength(i));
            // The walk goes on behind a bad field, which leaves the other variables usable
            if (entry.variable == Variable.FIELD && failure == null) failure = addField(entry, cache);
        }
        if (failure != null) throw failure;
        // A repeated HTTP_HOST is the web server's configuration, which overrides a line that it includes; the last
        // counts. Of a client's repeated Host at most one gets here: web servers refuse it, or decide (h2o).
        addHost(cache.get(Variable.HTTP_HOST), cache);
        addContentType(cache.get(Variable.CONTENT_TYPE), cache);
        addContentLength(cache.get(Variable.CONTENT_LENGTH), spelled(cache.string(Variable.REQUEST_METHOD)), cache);
    }

    private static HttpException.RuntimeException addField(VariableCache.Entry entry, VariableCache cache) {
        HttpField field = (HttpField) entry.made();
        if (field == null) {
            if (entry.header == null && !CharacterTypes.isToken(entry.fieldName)) return bad("Illegal field name");
            if (entry.hasControls()) return bad("Illegal value of field " + entry.fieldName);
            field = new HttpField(entry.header, entry.fieldName, entry.trimmed());
            entry.remember(field);
        }
        cache.addField(field);
        return null;
    }

    private void addHost(VariableCache.Entry entry, VariableCache cache) {
        if (entry == null || entry.isEmpty()) return;
        HttpField field = (HttpField) entry.made();
        if (field == null) {
            field = hostField(entry);
            entry.remember(field);
        }
        cache.addField(field);
    }

    private HostPortHttpField hostField(VariableCache.Entry entry) {
        String value = entry.trimmed();
        boolean isUnsafe = compliance.allows(HttpCompliance.Violation.UNSAFE_HOST_HEADER);
        if (isUnsafe ? entry.hasControls() : !Authority.isValid(value)) throw bad("Bad HostPort");
        HostPortHttpField field = isUnsafe ? new HostField(HostPort.unsafe(value)) : new HostField(value);
        if (StringUtil.isBlank(field.getHost())) throw bad("Blank Host");
        return field;
    }

    /**
     * Jetty asks the Host field of every request for its values, to find more than one. They are found out once here:
     * 300 bytes less for each request.
     */
    private static final class HostField extends HostPortHttpField {
        private volatile String[] values;

        HostField(String value) {
            super(value);
        }

        HostField(HostPort hostPort) {
            super(HttpHeader.HOST, HttpHeader.HOST.asString(), hostPort);
        }

        @Override
        public String[] getValues() {
            if (values == null) values = super.getValues();
            return values.clone();
        }
    }

    /** A common type is the field that Jetty's HTTP parser knows it by: what its charset is depends on that. */
    private static void addContentType(VariableCache.Entry entry, VariableCache cache) {
        if (entry == null || entry.isEmpty()) return;
        if (entry.made() == null) {
            String value = entry.trimmed();
            HttpField known = HttpParser.CACHE.get(HttpHeader.CONTENT_TYPE.asString() + ": " + value);
            if (known != null && !value.isEmpty()) entry.remember(known);
        }
        HttpException.RuntimeException failure = addField(entry, cache);
        if (failure != null) throw failure;
    }

    private static void addContentLength(VariableCache.Entry entry, String method, VariableCache cache) {
        if (!hasContentLength(entry, method)) return;
        HttpField field = (HttpField) entry.made();
        if (field == null) {
            String value = entry.decode();
            field = new HttpField.LongValueHttpField(
                    HttpHeader.CONTENT_LENGTH, HttpHeader.CONTENT_LENGTH.asString(), value, parseContentLength(value));
            entry.remember(field);
        }
        cache.addField(field);
    }

    private static long parseContentLength(String value) {
        boolean digits = value.chars().allMatch(c -> c >= '0' && c <= '9');
        if (!digits || value.length() > MAX_LENGTH_DIGITS) throw bad("Illegal CONTENT_LENGTH");
        return Long.parseLong(value);
    }

    /**
     * {@return whether the client told a length} Where it didn't, nginx says "" and Caddy -1, of content that ends with its
     * stream; of no content, lighttpd, HAProxy and Caddy say 0, which clients say themselves only where the method lets
     * expect content (RFC 9110, section 8.6).
     */
    private static boolean hasContentLength(VariableCache.Entry entry, String method) {
        if (entry == null || entry.isEmpty()) return false;
        String length = entry.decode();
        if (NO_LENGTH.equals(length)) return method != null && METHODS_WITH_CONTENT.contains(method);
        return !UNKNOWN_LENGTH.equals(length);
    }

    private String method(VariableCache cache) {
        VariableCache.Entry entry = cache.get(Variable.REQUEST_METHOD);
        if (entry == null || !entry.isToken()) throw bad("Illegal REQUEST_METHOD");
        return spelled(entry.string());
    }

    /** {@return the method, in upper case if it is a known one and case doesn't matter} */
    private String spelled(String method) {
        if (method == null || !compliance.allows(HttpCompliance.Violation.CASE_INSENSITIVE_METHOD)) return method;
        HttpMethod known = HttpMethod.INSENSITIVE_CACHE.get(method);
        return known == null ? method : known.asString();
    }

    private HttpURI uri(String method, VariableCache cache) {
        String target = target(cache);
        String scheme = scheme(cache);
        HostPort authority = authority(cache);
        boolean connect = HttpMethod.CONNECT.is(method);
        HttpURI before = connect ? null : cache.uri(target, scheme, authority);
        if (before != null) return before;

        boolean isPath = target.startsWith("/");
        if (connect && !isPath && !Authority.isValid(target)) throw bad("Illegal REQUEST_URI");
        HttpURI.Mutable uri = isPath ? HttpURI.build().pathQuery(target) : HttpURI.build(method, target);
        // An absolute target may have no path (RFC 9112, section 3.2.2); nginx passes on what follows its host
        boolean hasPlaceForPath = uri.hasAuthority() || target.startsWith("?");
        if (hasPlaceForPath && StringUtil.isEmpty(uri.getPath())) uri.path("/");
        uri.scheme(scheme); // also of an absolute target: the client can't claim TLS
        if (uri.getAuthority() == null && authority != null) {
            int port = authority.getPort();
            boolean isDefault = port == URIUtil.getDefaultPortForScheme(scheme);
            uri.authority(authority.getHost(), isDefault || port == 0 ? -1 : port);
        }
        HttpURI made = uri.asImmutable();
        if (!connect) cache.setUri(target, scheme, authority, made);
        return made;
    }

    private String target(VariableCache cache) {
        VariableCache.Entry requestUri = cache.get(Variable.REQUEST_URI);
        boolean hasRequestUri = requestUri != null && !requestUri.isEmpty();
        boolean hasPath = cache.string(Variable.SCRIPT_NAME) != null || cache.string(Variable.PATH_INFO) != null;
        boolean usesPath = hasPath && (pathSource == PathSource.SCRIPT_NAME || !hasRequestUri);
        if (usesPath) return encodedTarget(cache);
        if (!hasRequestUri) throw bad("No REQUEST_URI, no SCRIPT_NAME and no PATH_INFO");
        if (!requestUri.isTarget()) throw bad("Illegal REQUEST_URI");
        return requestUri.utf8();
    }

    private static String encodedTarget(VariableCache cache) {
        StringBuilder target = new StringBuilder();
        VariableCache.Entry scriptName = cache.get(Variable.SCRIPT_NAME);
        if (scriptName != null) scriptName.encodePath(target);
        VariableCache.Entry pathInfo = cache.get(Variable.PATH_INFO);
        if (pathInfo != null) pathInfo.encodePath(target);
        // Anything else could be read as an absolute target, and name another host
        if (target.charAt(0) != '/') throw bad("Illegal SCRIPT_NAME or PATH_INFO");
        VariableCache.Entry query = cache.get(Variable.QUERY_STRING);
        if (query != null && !query.isEmpty()) {
            if (!query.isTarget()) throw bad("Illegal QUERY_STRING");
            target.append('?').append(query.utf8());
        }
        return target.toString();
    }

    private static String scheme(VariableCache cache) {
        String https = cache.string(Variable.HTTPS);
        if ("on".equalsIgnoreCase(https) || "1".equals(https)) return HTTPS;
        return HTTPS.equalsIgnoreCase(cache.string(Variable.REQUEST_SCHEME)) ? HTTPS : HTTP;
    }

    /**
     * The Host field; without it the server's name, which may hold a port itself (HAProxy), or be no name (a regular
     * expression of nginx), and its port; without either what an HTTP connector would tell.
     */
    private HostPort authority(VariableCache cache) {
        VariableCache.Entry host = cache.get(Variable.HTTP_HOST);
        if (host != null && host.made() instanceof HostPortHttpField field) return field.getHostPort();
        if (host != null && !host.isEmpty()) return hostField(host).getHostPort();
        HostPort named = serverName(cache);
        if (named != null) return named;
        InetSocketAddress local = cache.localAddress();
        boolean isAddress = serverAuthority == null && local != null && !local.isUnresolved();
        return isAddress ? new HostPort(local.getHostString(), local.getPort()) : serverAuthority;
    }

    private static HostPort serverName(VariableCache cache) {
        String serverName = cache.string(Variable.SERVER_NAME);
        if (serverName == null || !Authority.isValid(serverName)) return null;
        HostPort named = new HostPort(serverName);
        if (named.hasPort()) return named;
        return new HostPort(named.getHost(), Addresses.port(cache.string(Variable.SERVER_PORT), 0));
    }

    private static String protocol(VariableCache cache) {
        String protocol = cache.string(Variable.SERVER_PROTOCOL);
        return protocol == null ? DEFAULT_PROTOCOL : protocol;
    }

    /** Web servers write the later versions with and without a minor number. */
    private static HttpVersion version(String protocol) {
        HttpVersion version = HttpVersion.fromString(protocol);
        if (version != null) return version;
        if (protocol.startsWith("HTTP/2")) return HttpVersion.HTTP_2;
        return protocol.startsWith("HTTP/3") ? HttpVersion.HTTP_3 : HttpVersion.HTTP_1_1;
    }

    private static HttpException.RuntimeException badRequest(RuntimeException x) {
        if (x instanceof HttpException.RuntimeException failure) return failure;
        return new HttpException.RuntimeException(HttpStatus.BAD_REQUEST_400, x.getMessage(), x);
    }

    private static HttpException.RuntimeException bad(String reason) {
        return new HttpException.RuntimeException(HttpStatus.BAD_REQUEST_400, reason);
    }
}

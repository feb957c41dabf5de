package io.github.jettyfastcgi.sample;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Everything the Servlet API tells of a request, as strings, numbers, booleans, lists and maps. */
final class RequestInfo {
    private RequestInfo() {}

    /** The keys are those of the JSON object, in its order. Only a form's content is read, for the parameters. */
    static Map<String, Object> of(HttpServletRequest request) {
        Map<String, Object> info = new LinkedHashMap<>();
        info.put("method", request.getMethod());
        info.put("requestURI", request.getRequestURI());
        info.put("requestURL", request.getRequestURL().toString());
        info.put("contextPath", request.getContextPath());
        info.put("servletPath", request.getServletPath());
        info.put("pathInfo", request.getPathInfo());
        info.put("queryString", request.getQueryString());
        info.put("protocol", request.getProtocol());
        info.put("scheme", request.getScheme());
        info.put("secure", request.isSecure());
        info.put("serverName", request.getServerName());
        info.put("serverPort", request.getServerPort());
        info.put("remoteAddr", request.getRemoteAddr());
        info.put("remotePort", request.getRemotePort());
        info.put("remoteHost", request.getRemoteHost());
        info.put("localAddr", request.getLocalAddr());
        info.put("localPort", request.getLocalPort());
        info.put("remoteUser", request.getRemoteUser());
        info.put("authType", request.getAuthType());
        info.put("userPrincipal", nameOf(request.getUserPrincipal()));
        info.put("contentType", request.getContentType());
        info.put("contentLength", request.getContentLengthLong());
        info.put("characterEncoding", request.getCharacterEncoding());
        info.put("parameters", parametersOf(request));
        info.put("headers", headersOf(request));
        info.put("cookies", cookiesOf(request));
        info.put("attributes", attributeNamesOf(request));
        info.put("cipherSuite", request.getAttribute("jakarta.servlet.request.cipher_suite"));
        info.put("keySize", request.getAttribute("jakarta.servlet.request.key_size"));
        info.put("sslSessionId", request.getAttribute("jakarta.servlet.request.ssl_session_id"));
        info.put("clientCertificates", clientCertificatesOf(request));
        info.put("thread", Thread.currentThread().getName());
        return info;
    }

    private static String nameOf(Principal principal) {
        return principal == null ? null : principal.getName();
    }

    private static Map<String, List<String>> parametersOf(HttpServletRequest request) {
        Map<String, List<String>> parameters = new LinkedHashMap<>();
        request.getParameterMap().forEach((name, values) -> parameters.put(name, List.of(values)));
        return parameters;
    }

    private static List<List<String>> headersOf(HttpServletRequest request) {
        List<List<String>> headers = new ArrayList<>();
        for (String name : Collections.list(request.getHeaderNames())) {
            for (String value : Collections.list(request.getHeaders(name))) {
                headers.add(List.of(name, value));
            }
        }
        return headers;
    }

    private static List<List<String>> cookiesOf(HttpServletRequest request) {
        Cookie[] cookies = request.getCookies();
        if (cookies == null) {
            return List.of();
        }
        return Arrays.stream(cookies)
                .map(cookie -> List.of(cookie.getName(), cookie.getValue()))
                .toList();
    }

    private static List<String> attributeNamesOf(HttpServletRequest request) {
        return Collections.list(request.getAttributeNames()).stream().sorted().toList();
    }

    /** The subjects (RFC 2253) of the client's certificate and its chain; the client's own comes first. */
    private static List<String> clientCertificatesOf(HttpServletRequest request) {
        Object chain = request.getAttribute("jakarta.servlet.request.X509Certificate");
        if (!(chain instanceof X509Certificate[] certificates)) {
            return List.of();
        }
        return Arrays.stream(certificates)
                .map(certificate -> certificate.getSubjectX500Principal().getName())
                .toList();
    }
}

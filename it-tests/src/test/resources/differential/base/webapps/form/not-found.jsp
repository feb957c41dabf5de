<%@ page contentType="text/plain; charset=UTF-8" session="false" isErrorPage="true" %>
Not found: ${requestScope["jakarta.servlet.error.request_uri"]} (${requestScope["jakarta.servlet.error.status_code"]})

<%@ page contentType="text/plain; charset=UTF-8" session="false" isErrorPage="true" %>
Arithmetic: ${requestScope["jakarta.servlet.error.message"]} in ${requestScope["jakarta.servlet.error.request_uri"]}

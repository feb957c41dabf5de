<%@ page contentType="text/plain; charset=UTF-8" session="false" %>
From ${param.from}
URI ${pageContext.request.requestURI}
Forwarded from ${requestScope["jakarta.servlet.forward.request_uri"]}
Included as ${requestScope["jakarta.servlet.include.request_uri"]}

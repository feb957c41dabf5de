<%@ page contentType="application/octet-stream" session="false" trimDirectiveWhitespaces="true" %>
<%-- A file as the answer, sent by whoever may. --%>
<%
    response.setHeader("X-Content-Type-Options", "nosniff");
    request.setAttribute("io.github.jettyfastcgi.sendfile", request.getParameter("path"));
%>

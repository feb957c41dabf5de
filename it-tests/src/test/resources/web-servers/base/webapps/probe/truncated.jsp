<%@ page contentType="text/plain; charset=utf-8" session="false" trimDirectiveWhitespaces="true" %>
<%-- A response that promises more than comes. --%>
<%
    response.setContentLength(1000);
    out.print("beginning");
    response.flushBuffer();
    if (response.isCommitted()) {
        throw new ServletException("This page fails on purpose");
    }
%>

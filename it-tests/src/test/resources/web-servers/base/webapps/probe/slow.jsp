<%@ page contentType="text/plain; charset=utf-8" session="false" trimDirectiveWhitespaces="true" %>
<%-- A response that takes its time: so many milliseconds. --%>
<%
    Thread.sleep(Long.parseLong(request.getParameter("millis")));
    out.print("at last");
%>

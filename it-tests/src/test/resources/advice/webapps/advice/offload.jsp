<%@ page session="false" trimDirectiveWhitespaces="true" %><%
    response.setHeader("X-Accel-Redirect", "/files/large.bin");
%>

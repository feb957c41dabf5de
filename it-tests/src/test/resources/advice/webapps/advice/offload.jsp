<%@ page session="false" %><%
    response.setHeader("X-Accel-Redirect", "/files/large.bin");
%>

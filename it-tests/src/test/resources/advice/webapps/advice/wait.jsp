<%@ page session="false" %><%
    Thread.sleep(Long.parseLong(request.getParameter("millis")));
%>wait

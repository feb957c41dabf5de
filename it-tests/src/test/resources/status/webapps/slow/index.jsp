<%@ page session="false" %><%
    Thread.sleep(Long.parseLong(request.getParameter("millis")));
    response.setStatus(Integer.parseInt(request.getParameter("status")));
%>slow

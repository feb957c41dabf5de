<%@ page session="false" %><%
    response.setHeader("X-Large", "x".repeat(Integer.parseInt(request.getParameter("size"))));
%>head

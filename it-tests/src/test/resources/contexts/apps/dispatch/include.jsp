<%@ page contentType="text/plain; charset=utf-8" session="false" trimDirectiveWhitespaces="true" %>
before
<%
    out.flush();
    application.getContext("/who").getRequestDispatcher("/index.jsp").include(request, response);
%>
after

<%@ page session="false" trimDirectiveWhitespaces="true" %>
<%
    application.getContext("/sample").getRequestDispatcher("/info?format=json").forward(request, response);
%>

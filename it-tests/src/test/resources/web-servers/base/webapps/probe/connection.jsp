<%@ page contentType="text/plain; charset=utf-8" session="false" trimDirectiveWhitespaces="true" %>
<%-- Which connection the request came on. --%>
<%= request.getServletConnection().getConnectionId() %>

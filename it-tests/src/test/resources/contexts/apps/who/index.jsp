<%@ page contentType="text/plain; charset=utf-8" session="false" trimDirectiveWhitespaces="true" %>
<%-- Which application answers, and for which host. --%>
<%= application.getServletContextName() %> at <%= request.getServerName() %>

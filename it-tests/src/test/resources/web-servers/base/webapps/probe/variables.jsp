<%@ page contentType="text/plain; charset=utf-8" session="false" trimDirectiveWhitespaces="true" %>
<%-- The variables, as the application gets to see them. --%>
<%= request.getAttribute("io.github.jettyfastcgi.variables") %>

<%@ page session="false" %><% response.sendRedirect(request.getParameter("to")); %>

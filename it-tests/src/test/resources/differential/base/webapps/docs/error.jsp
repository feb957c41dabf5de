<%@ page session="false" %><% response.sendError(Integer.parseInt(request.getParameter("code")), request.getParameter("message")); %>
